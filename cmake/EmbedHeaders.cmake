# cmake -DOUT=file.cpp -DROOT=include -P EmbedHeaders.cmake HEADER...
# Writes a C++ file that holds the text of every header under ROOT/cm.
file(GLOB_RECURSE headers RELATIVE ${ROOT} ${ROOT}/cm/*.h)
list(SORT headers)
set(rows "")
foreach(header ${headers})
  file(READ ${ROOT}/${header} text)
  string(LENGTH "${text}" size)
  if(size GREATER 60000)
    message(FATAL_ERROR "${header} is too long for one string literal")
  endif()
  # A semicolon is CMake's list separator only where a list is expected; the text is used as one string.
  string(APPEND rows "    {\"${header}\", R\"__cm__(${text})__cm__\"sv},\n")
endforeach()
file(WRITE ${OUT} "// Generated from include/cm.
#include \"frontend/EmbeddedHeaders.h\"
namespace pocm::frontend {
using namespace std::string_view_literals; // they know their lengths without counting
std::span<const EmbeddedHeader> embeddedHeaders() {
  static constexpr EmbeddedHeader headers[] = {
${rows}  };
  return headers;
}
} // namespace pocm::frontend
")
