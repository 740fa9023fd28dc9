"""Runs a program, presses Ctrl-C once, and prints what it said.

usage: ctrl_c.py caught PROGRAM ...       when the program has a handler for it
       ctrl_c.py shown TEXT PROGRAM ...   on a terminal, when the program has shown the text there
"""
import os
import pty
import signal
import subprocess
import sys
import time

PATIENCE = 300  # seconds; the machine may be busy


def catches_interrupts(process):
    with open(f"/proc/{process.pid}/status") as f:
        caught = next(line.split()[1] for line in f if line.startswith("SigCgt:"))
    return int(caught, 16) >> (signal.SIGINT - 1) & 1


def caught(command):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    end = time.monotonic() + PATIENCE
    while process.poll() is None and not catches_interrupts(process) and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=PATIENCE)[0]


def shown(text, command):
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said, pressed = b"", False
    while True:
        try:
            said += os.read(ours, 4096)
        except OSError:  # nobody has the terminal any more
            break
        if text.encode() in said and not pressed:
            process.send_signal(signal.SIGINT)
            pressed = True
    process.wait(timeout=PATIENCE)
    return said.replace(b"\r", b"\n")


output = caught(sys.argv[2:]) if sys.argv[1] == "caught" else shown(sys.argv[2], sys.argv[3:])
sys.stdout.buffer.write(output)
