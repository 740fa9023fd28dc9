# For gdb: stops in each line of a source and writes the values of all variables there, a JSON object for each stop.
# LINES_OF names the source, LINES_TO the file to write.
import json
import os

import gdb

source, most_stops = os.environ["LINES_OF"], 400
for setting in ["pagination off", "breakpoint pending on", "print elements 0", "print repeats unlimited", "confirm off",
                "displaced-stepping off"]:  # gdb 13 moves instructions that address by rip and does not mend all
    gdb.execute("set " + setting)
for signal in ["SIGSEGV", "SIGURG"]:  # the device's own
    gdb.execute(f"handle {signal} nostop noprint pass", to_string=True)


def variables(frame):
    """Of the block that the frame is in and those around it; the innermost of a name."""
    values, block = {}, frame.block()
    while block and not block.is_static and not block.is_global:
        for symbol in block:
            if (symbol.is_variable or symbol.is_argument) and symbol.name not in values:
                try:
                    values[symbol.name] = str(symbol.value(frame))
                except gdb.error as problem:
                    values[symbol.name] = f"<error: {problem}>"
        block = block.superblock
    return values


with open(source, encoding="utf-8") as text:
    count = len(text.readlines())
for line in range(1, count + 1):
    gdb.execute(f"break {os.path.basename(source)}:{line}", to_string=True)
with open(os.environ["LINES_TO"], "w", encoding="utf-8") as out:
    gdb.execute("run", to_string=True)
    for _ in range(most_stops):
        try:
            frame = gdb.selected_frame()
        except gdb.error:  # it has ended
            break
        print(json.dumps({"line": frame.find_sal().line, "values": variables(frame)}), file=out)
        gdb.execute("continue", to_string=True)
