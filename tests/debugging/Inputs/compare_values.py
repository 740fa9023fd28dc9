"""compare_values.py PLAIN OPTIMISED: what every_line.py wrote of one program, made with -O0 and with -O2.

Each element that is shown of a variable in optimised code must be one that it has at some time in the plain one. Prints
the variables of which something is shown, and those that differ; exit status 1 for those.
"""
import json
import re
import sys


def stops(name):
    with open(name, encoding="utf-8") as text:
        return [json.loads(line)["values"] for line in text]


def elements(value):
    return re.findall(r"<[^>]*>|[^\s{},=]+(?=[,}\s]|$)", value)


had, shown, wrong = {}, set(), set()
for values in stops(sys.argv[1]):
    for name, value in values.items():
        for place, element in enumerate(elements(value)):
            had.setdefault((name, place), set()).add(element)
for values in stops(sys.argv[2]):
    for name, value in values.items():
        for place, element in enumerate(elements(value)):
            if element.startswith("<error"):
                wrong.add(f"{name}: {element}")
            elif not element.startswith("<"):  # optimized out
                shown.add(name)
                if element not in had.get((name, place), ()):
                    wrong.add(f"{name}[{place}] is never {element}")
print("shown:", " ".join(sorted(shown)))
for problem in sorted(wrong):
    print("wrong:", problem)
sys.exit(bool(wrong))
