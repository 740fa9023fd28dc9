# cmake -DOUT=header -DROOT=src "-DFOLDERS=a;b" "-DFILES=c;d" -P BuildId.cmake
# Writes a hash of everything in those folders of ROOT and of those files: of what decides what code is generated.
list(TRANSFORM FOLDERS PREPEND ${ROOT}/)
list(TRANSFORM FOLDERS APPEND /*)
file(GLOB_RECURSE sources ${FOLDERS})
list(SORT sources)
list(APPEND sources ${FILES})
set(all "")
foreach(source ${sources})
  file(SHA256 ${source} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 id "${all}")
file(WRITE ${OUT} "#define POCM_BUILD_ID \"${id}\"\n")
