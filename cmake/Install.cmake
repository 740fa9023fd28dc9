# What `cmake --install` puts where, and what takes it away again:
#   find_package(PoCM) and pkg-config igfxcmrt, from the build folder, an installation, or with bin/ of either on the PATH
#   licence, docs and examples in share/doc/pocm; manual pages and completions of the shells, made from what --help says
#   ninja uninstall: everything that the last installation put somewhere
# Tools that are not built are not installed, and named.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/PoCM)
set(build_package ${PROJECT_BINARY_DIR}/lib/cmake/PoCM) # where CMake looks when build/bin is on the PATH
configure_package_config_file(cmake/PoCMConfig.cmake.in ${build_package}/PoCMConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${build_package}/PoCMConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${build_package}/PoCMConfig.cmake ${build_package}/PoCMConfigVersion.cmake DESTINATION ${package_folder})
install(EXPORT PoCMTargets NAMESPACE PoCM:: DESTINATION ${package_folder})
export(EXPORT PoCMTargets NAMESPACE PoCM:: FILE ${build_package}/PoCMTargets.cmake)
file(REMOVE ${PROJECT_BINARY_DIR}/PoCMConfig.cmake) # of former builds, where CMake would look first

# The library's folder relative to the file's.
file(RELATIVE_PATH prefix_of_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
file(READ cmake/igfxcmrt.pc.in pc)
string(REPLACE "@PREFIX@" "\${pcfiledir}/${prefix_of_pc}" pc "${pc}")
string(REPLACE "@LIBDIR@" "${CMAKE_INSTALL_LIBDIR}" pc "${pc}")
string(REPLACE "@INCLUDE@" "${CMRT_INCLUDE}" pc "${pc}")
file(WRITE ${PROJECT_BINARY_DIR}/igfxcmrt.pc "${pc}")
install(FILES ${PROJECT_BINARY_DIR}/igfxcmrt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(doc_folder ${CMAKE_INSTALL_DATADIR}/doc/pocm)
install(FILES LICENSE README.md DESTINATION ${doc_folder})
# As in the source, so that pages find each other.
install(DIRECTORY docs DESTINATION ${doc_folder} PATTERN "notes" EXCLUDE)
install(FILES bench/README.md DESTINATION ${doc_folder}/bench)
install(DIRECTORY examples DESTINATION ${doc_folder} FILES_MATCHING PATTERN "*.cpp" PATTERN "*.h" PATTERN "*.md" PATTERN "*.jpg"
  PATTERN "*.cl" PATTERN "*.ispc" PATTERN "gauss/CMakeLists.txt")

# Manual pages and completions of the tools that are there.
find_package(Python3 COMPONENTS Interpreter)
set(manuals ${PROJECT_BINARY_DIR}/manuals)
if(Python3_FOUND)
  install(CODE "
    file(REMOVE_RECURSE \"${manuals}\")
    execute_process(COMMAND \"${Python3_EXECUTABLE}\" \"${PROJECT_SOURCE_DIR}/scripts/manuals\" \"${PROJECT_BINARY_DIR}\" \"${manuals}\"
      COMMAND_ERROR_IS_FATAL ANY)
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\" TYPE DIRECTORY FILES \"${manuals}/\")")
else()
  install(CODE "message(STATUS \"Not installed: manual pages and completions, which take Python\")")
endif()
get_property(optional_tools GLOBAL PROPERTY POCM_OPTIONAL_TOOLS)
foreach(tool IN LISTS optional_tools)
  install(CODE "
    if(NOT EXISTS \"${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${tool}\")
      message(STATUS \"Not installed, because it is not built: ${tool} (scripts/build release ${tool})\")
    endif()")
endforeach()

# The prefix may be another one than when CMake was configured.
set(installed_to ${PROJECT_BINARY_DIR}/install_prefix.txt)
install(CODE "file(WRITE \"${installed_to}\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")")
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -D MANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
  -D PREFIX_FILE=${installed_to} -P ${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake)
