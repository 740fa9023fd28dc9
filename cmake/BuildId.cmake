# cmake -DOUT=header -DROOT=src -P BuildId.cmake
# Writes a hash of everything that decides what code is generated: cached code of another build is not used.
file(GLOB_RECURSE sources ${ROOT}/ir/* ${ROOT}/passes/* ${ROOT}/codegen/* ${ROOT}/devices/cpu/*)
list(SORT sources)
set(all "")
foreach(source ${sources})
  file(SHA256 ${source} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 id "${all}")
file(WRITE ${OUT} "#define POCM_BUILD_ID \"${id}\"\n")
