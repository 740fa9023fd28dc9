#!/usr/bin/env python3
"""Disassembles Gen code with iga64 and compares it with the finalizer's listing.

usage: read_back.py FOLDER      FOLDER holds KERNEL.TARGET.asm and KERNEL.TARGET.dat (cmc -march=A,B -mdump_asm)

Every instruction has to be there, in order, spelled the same but for labels.
"""
import pathlib
import re
import subprocess
import sys

PLATFORMS = {"SKL": "9", "ICLLP": "11", "TGLLP": "12p1", "DG2": "12p71", "PVC": "12p72"}


def instructions(text):
    """The text of each instruction without labels, which are named differently."""
    found = []
    for line in text.splitlines():
        line = line.split("//")[0]
        if re.match(r" *(\(|[a-z])", line) and not re.match(r"[A-Za-z_]\w*:| *nop", line):
            found.append(" ".join(re.sub(r"\b(L\d+|BB_\w+|_\w+)\b", "label", line).split()))
    return found


def main():
    problems = kernels = 0
    for code in sorted(pathlib.Path(sys.argv[1]).glob("*.dat")):
        kernels += 1
        target = code.name.split(".")[-2]
        run = subprocess.run(["iga64", "-d", "-Xprint-ldst", "-p=" + PLATFORMS[target], str(code)], capture_output=True, text=True)
        listing = instructions(code.with_suffix(".asm").read_text())
        read = instructions(run.stdout)
        if run.returncode or "illegal" in run.stdout or not listing or read != listing:
            problems += 1
            where = next((f"{a} is read as {b}" for a, b in zip(listing, read) if a != b),
                         f"{len(listing)} instructions, {len(read)} read back")
            print(f"{code.name}: {where} {run.stderr.strip()}")
    print(f"{kernels} kernels, {problems} problems")
    return problems != 0 or not kernels


sys.exit(main())
