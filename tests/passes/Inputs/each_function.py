"""Runs the passes that tests run on each of their functions alone.

cm-opt compares what a pass says that it changed with what it did, for a whole module: in a test of many functions, one
that is changed and not reported hides behind the others.

usage: each_function.py FILE.ll ...      cm-opt is taken from the PATH
"""
import re
import subprocess
import sys

FUNCTION = re.compile(r"^define .*?@([\w.$]+)\(.*?^}\n", re.M | re.S)
count = wrong = 0
for file in sys.argv[1:]:
    with open(file, encoding="utf-8") as f:
        text = f.read()
    run = re.search(r"^; RUN: cm-opt (.*?) ?%s", text, re.M)
    functions = {match[1]: match[0] for match in FUNCTION.finditer(text)}
    if not run or len(functions) < 2 or "%" in run[1] or "|" in run[1]:
        continue
    rest = FUNCTION.sub("", text)
    for name, body in functions.items():
        if any(f"@{other}(" in body or f"@{other}," in rest for other in functions if other != name):
            continue  # which it calls, or which metadata names
        result = subprocess.run(["cm-opt", *run[1].split(), "-"], input=rest + body, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)
        count += 1
        if "says that it did not" in result.stderr:
            wrong += 1
            print(f"{file}: @{name}: {result.stderr.strip()}")
print(f"{wrong} of {count} functions are changed in silence")
