"""Which targets have which CM_HAS_ feature, and what their numbers are, as cmc's macros say: a line for each feature and target."""
import pathlib
import re
import subprocess
import sys

root, cmc, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
NUMBERS = ["CM_GENX", "CM_GRF_WIDTH", "CM_MAX_SLM_SIZE", "CM_GENX_REVID", "__CM_INTEL_TARGET_MAJOR", "__CM_INTEL_TARGET_MINOR",
           "__CM_INTEL_TARGET_REVISION"]
features = sorted(set(re.findall(r'FEATURE\w*\("(CM_HAS_\w+)"', (root / "src/frontend/Targets.def").read_text())))
targets = [line.split()[0] for line in subprocess.run([cmc, "-print-targets"], capture_output=True, text=True, check=True).stdout.splitlines()
           if line.strip()]
source = folder / "features.cpp"
source.write_text("#define TEXT_(x) #x\n#define TEXT(x) TEXT_(x)\n"
                  + "".join(f'#pragma message("value {name} " TEXT({name}))\n' for name in NUMBERS)
                  + "".join(f"#ifdef {name}\n#warning has {name}\n#endif\n" for name in features))
has, numbers = {name: [] for name in features}, {}
for target in targets:
    said = subprocess.run([cmc, f"-march={target}", "-fsyntax-only", str(source)], capture_output=True, text=True, check=True).stderr
    numbers[target] = re.findall(r"warning: value (\w+) (\w+)", said)
    for name in re.findall(r"warning: has (CM_HAS_\w+)", said):
        has[name].append(target)
print("targets", *targets)
for name in features:
    print(name, *has[name])
for target in targets:
    print(target, *(f"{name}={value}" for name, value in numbers[target]))
