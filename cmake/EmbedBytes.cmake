# cmake -DOUT=file.cpp -DBYTES=file -DNAME=name -P EmbedBytes.cmake
# Writes a C++ file that holds the bytes of another: pocm::NAME and pocm::NAMESize.
file(READ ${BYTES} hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "(..)" "0x\\1," numbers "${hex}")
file(WRITE ${OUT} "// Generated from ${BYTES}.
#include <cstddef>
namespace pocm {
extern const unsigned char ${NAME}[];
extern const std::size_t ${NAME}Size;
alignas(8) const unsigned char ${NAME}[] = {${numbers}};
const std::size_t ${NAME}Size = ${size};
} // namespace pocm
")
