"""code_of.py FILE.s: the instructions and data of assembly, without what is for debuggers."""
import re
import sys

kept = True
with open(sys.argv[1], encoding="utf-8") as text:
    for line in text:
        line = re.sub(r"\s*#.*", "", line).strip()
        if re.match(r"\.(section|text|data)\b", line):
            kept = not line.startswith(".section\t.debug")
        if kept and line and not re.match(r"\.(loc|file|cfi_\w+|ident|size)\b|\.L(func_begin|func_end|tmp|cfi)\w*:", line):
            print(line)
