"""What uneven.cl leaves of 21 x 5 work items in groups of 8 x 3."""
import struct
import sys

found = struct.unpack("<420i", open(sys.argv[1], "rb").read())
for y in range(5):
    for x in range(21):
        columns, rows = min(8, 21 - x // 8 * 8), min(3, 5 - y // 3 * 3)
        right = (columns * rows, columns * 100 + rows, 803, 3200 + x // 8 * 10 + y % 3)
        at = (y * 21 + x) * 4
        assert found[at:at + 4] == right, (x, y, found[at:at + 4], right)
