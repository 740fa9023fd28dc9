"""Launches each kernel of a source on the check device, in an order of threads, and says what it should not have said.

    users.py SOURCE FOLDER

In front of a kernel stands a comment whose last part, from "--" on, are cmrun's arguments. A kernel with lines that end with /*!*/
has one finding, in one of these, any other kernel none. Every second kernel runs, the others with POCM_TEST_TURN=1; all with
POCM_TEST_ALL=1.
"""
import os
import pathlib
import re
import subprocess
import sys

source, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
(folder / "ones").write_bytes(bytes([1]) * 1024)
subprocess.run(["cmc", "-w", "-g", "-fcheck", source, "-o", folder / "users.isa"], check=True)
lines = source.read_text().splitlines()
starts = [k for k, line in enumerate(lines) if "_GENX_MAIN_" in line]
orders, bad = ("serial", "reverse", "random:1", "random:2"), 0
every = 1 if os.environ.get("POCM_TEST_ALL") else 2
turn = int(os.environ.get("POCM_TEST_TURN") or 0) % every
end = ran = 0
for number, start in enumerate(starts):
    begin, end = end, lines.index("}", start) + 1  # with functions in front of it
    if number % every != turn:
        continue
    ran += 1
    name = re.search(r"_GENX_MAIN_ void (\w+)", lines[start])[1]
    launch = lines[start - 1][lines[start - 1].index("--"):].split()
    marks = [k + 1 for k in range(begin, end) if lines[k].endswith("/*!*/")]
    done = subprocess.run(["cmrun", "users.isa", name, "--check", *launch], cwd=folder, capture_output=True, text=True,
                          env=dict(os.environ, POCM_ORDER=orders[number % len(orders)]))
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    fine = done.returncode == bool(marks) and len(errors) == bool(marks) and all(
        any(f":{mark}: " in line for mark in marks) for line in errors)
    if not fine:
        bad += 1
        print(f"{name}: marked {marks}, exit status {done.returncode}\n{done.stderr}")
print(f"{ran} kernels, {bad} wrong")
