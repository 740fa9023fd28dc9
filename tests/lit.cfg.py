# lit configuration: tools of the build folder given by POCM_BUILD, FileCheck of LLVM 22.
import os
import platform
import shutil
import sys

import lit.formats

config.name = "PoCM"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".ll", ".cpp", ".test", ".cl"]
config.test_source_root = os.path.dirname(__file__)
# The GoogleTest programs beside the lit tests are not for lit.
config.excludes = ["Inputs", "fuzz", "Soak.cpp", "soak_genx.cpp"] + [
    name for _, _, names in os.walk(config.test_source_root) for name in names if name.endswith("Test.cpp")] + [
    "RunLines.cpp", "ApartDevice.cpp", "Encoding.cpp", "Listing.cpp", "Check.cpp", "Launch.cpp", "Peer.cpp", "RandomKernels.cpp", "Simulated.cpp", "Requests.cpp"]  # of apart-tests, gensim-tests, opencl-check and no-memory-tests
build = os.environ["POCM_BUILD"]
config.test_exec_root = os.path.join(build, "tests", "lit")
root = os.path.dirname(config.test_source_root)

# Python is the one that lit runs with: another on the PATH may be a script that looks for one, six times as long.
config.environment["PATH"] = os.pathsep.join([os.path.join(build, "bin"), "/usr/lib/llvm-22/bin", os.path.dirname(sys.executable),
                                              os.environ["PATH"]])
# Every test run compiles for itself, but parses the language's headers once.
config.environment["POCM_CACHE_DIR"] = os.environ.get("POCM_CACHE_DIR", "off")
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "GLIBC_TUNABLES", "POCM_TEST_PRINTED", "POCM_TEST_ALL", "POCM_TEST_TURN", "POCM_JOBS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.substitutions.append(("%examples", os.path.join(root, "examples")))
config.substitutions.append(("%build", build))
config.substitutions.append(("%root", root))
config.substitutions.append(("%some", os.path.join(config.test_source_root, "some")))
with open(os.path.join(build, "CMakeCache.txt")) as cache:
    if "POCM_SANITIZER:STRING=\n" in cache.read():
        config.available_features.add("no-sanitizer")
# OpenCL of this CPU, as a peer; it needs a home for its cache. Its drivers cannot be loaded under a sanitizer.
if "no-sanitizer" in config.available_features and os.path.exists(os.path.join(build, "bin", "opencl-check")):
    config.available_features.add("opencl")
    config.environment["POCL_CACHE_DIR"] = os.path.join(build, "tests", "pocl")
    config.environment["HOME"] = os.environ.get("HOME", build)
if os.geteuid() == 0 and shutil.which("setpriv"):
    config.available_features.add("root")
if platform.machine() == "x86_64":
    config.available_features.add("x86")
with open("/proc/cpuinfo") as f:
    flags = f.read()
for feature in ("avx2", "avx512bw", "avx_vnni"):
    if feature in flags:
        config.available_features.add(feature)
