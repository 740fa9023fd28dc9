"""What a file of perf's jitdump format holds, in words: functions, and the lines of their instructions in order."""
import struct
import sys

data = open(sys.argv[1], "rb").read()
magic, version, size, machine, _, _, _, _ = struct.unpack_from("<IIIIIIQQ", data)
print(f"jitdump {magic:x} version {version}, machine {machine}")
at = size
while at < len(data):
    kind, size, _ = struct.unpack_from("<IIQ", data, at)
    body = data[at + 16:at + size]
    if kind == 2:
        code, count = struct.unpack_from("<QQ", body)
        place, lines = 16, []
        for _ in range(count):
            address, line, _ = struct.unpack_from("<QII", body, place)
            name, _, _ = body[place + 16:].partition(b"\0")
            place += 17 + len(name)
            lines.append(f"{name.decode().rpartition('/')[2]}:{line}")
            assert address >= code
        print("lines", *dict.fromkeys(lines))
    else:
        assert kind == 0
        _, _, place, code, bytes_, index = struct.unpack_from("<IIQQQQ", body)
        name, _, rest = body[40:].partition(b"\0")
        assert place == code and len(rest) == bytes_
        print(f"function {index} {name.decode()} of {'some' if bytes_ else 'no'} bytes")
    at += size
