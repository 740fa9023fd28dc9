"""Runs the commands of a page as a reader would, in the folder that it is given, and says where the page is wrong.

    page.py PAGE FOLDER [NAME=FILE ...]

Listings of C++, ispc and CMake behind a line that ends with the file's name in backquotes, some words and a colon are written to that file, those that come later at its end; a
listing that nobody named goes on with the last file. FILEs are there from the beginning. A command is an indented line that begins with
"$ "; in it, "..." at the end stands for the end of the command before. What the page shows below a command must come in
that order, but for lines of a profile; where it has a number, any will do, and "..." is as many lines as one likes. Lines behind "(gdb) "
are typed. Commands of perf are left out where it may not measure, those with
"ispc" in them where there is none.
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
for pair in sys.argv[3:]:
    name, file = pair.split("=")
    shutil.copy(file, folder / name)

written, wrong, ran = set(), 0, 0
can_perf = shutil.which("perf") and subprocess.run(["perf", "record", "-o", "/dev/null", "true"], capture_output=True).returncode == 0
last_file, last_command = None, ""


def alike(text):
    """Without numbers and what depends on them."""
    text = re.sub(r"where (memory|arithmetic) limits", "where # limits", text)  # as the machine is, and what else it does
    return re.sub(r"\s+", " ", re.sub(r"\d+(\.\d+)?", "#", text)).strip()


def run(command, typed, shown):
    global wrong, ran
    if ("perf " in command and not can_perf) or ("ispc" in command and not shutil.which("ispc")):
        return
    ran += 1
    if typed:
        words = shlex.split(command)
        asks = ["-nx", "-batch"] + [w for line in typed for w in ("-ex", line)] if words[0] == "gdb" else \
            ["--no-lldbinit", "-b"] + [w for line in typed for w in ("-o", line)]
        command = shlex.join(["lldb-22" if words[0] == "lldb" else words[0], *asks, *words[1:]])
    with tempfile.TemporaryFile(mode="w+", errors="replace") as output:  # perf writes its data into pipes
        status = subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                stderr=subprocess.STDOUT, timeout=300).returncode
        output.seek(0)
        printed = output.read()
    lines = [alike(line) for line in printed.splitlines()]
    if status and not any("error" in line for line in shown):
        print(f"{page.name}: exit status {status}: {command}\n{printed}")
        wrong += 1
    at = 0
    for line in shown:
        want = alike(line)
        if want in ("", "..."):
            continue
        from_here = 0 if "%" in line else at
        found = next((k for k in range(from_here, len(lines)) if want in lines[k]), None)
        if found is None:
            print(f"{page.name}: of '{command}' the page shows\n{line}\nbut there is\n{printed}")
            wrong += 1
            return
        at = max(at, found + 1)


pending, typed, shown, listing, named = None, [], [], None, None


def finish():
    global pending, typed, shown
    if pending:
        run(pending, typed, shown)
    pending, typed, shown = None, [], []


for line in page.read_text().splitlines():
    if listing is not None:
        if line.startswith("```"):
            with open(folder / last_file, "a" if last_file in written else "w") as file:
                file.write("\n".join(listing) + "\n")
            written.add(last_file)
            listing = None
        else:
            listing.append(line)
        continue
    if line.startswith(("```cpp", "```ispc", "```cmake")):
        finish()
        listing, last_file = [], named or last_file
        named = None
        continue
    if found := re.search(r"`([\w.]+\.(?:cpp|ispc|txt))`[^`]*:$", line):
        named = found[1]
    if not line.startswith("    "):
        if line.strip():
            finish()
        continue
    text = line[4:]
    if text.startswith("$ "):
        finish()
        pending = re.sub(r"  +\S.*$", "", text[2:])
        if pending.endswith("..."):
            words = pending[:-3].split()
            pending = " ".join(words) + " " + " ".join(w for w in re.split(r" (?=--)", last_command) if w.startswith("--arg"))
        last_command = pending
    elif asked := re.match(r"\((?:gdb|lldb)\) (.*)", text):
        typed.append(asked[1])
    elif pending:
        shown.append(text)
finish()
if not ran:
    sys.exit(f"{page}: no commands")
print(f"{page.name}: {ran} commands, {wrong} wrong")
sys.exit(wrong != 0)
