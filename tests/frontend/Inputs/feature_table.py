"""Which targets have which CM_HAS_ feature, as cmc's macros say: a line for each feature."""
import pathlib
import re
import subprocess
import sys

root, cmc, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
features = sorted(set(re.findall(r'FEATURE\w*\("(CM_HAS_\w+)"', (root / "src/frontend/Targets.def").read_text())))
targets = [line.split()[0] for line in subprocess.run([cmc, "-print-targets"], capture_output=True, text=True, check=True).stdout.splitlines()
           if line.strip()]
source = folder / "features.cpp"
source.write_text("".join(f"#ifdef {name}\n#warning has {name}\n#endif\n" for name in features))
has = {name: [] for name in features}
for target in targets:
    said = subprocess.run([cmc, f"-march={target}", "-fsyntax-only", str(source)], capture_output=True, text=True, check=True).stderr
    for name in re.findall(r"warning: has (CM_HAS_\w+)", said):
        has[name].append(target)
print("targets", *targets)
for name in features:
    print(name, *has[name])
