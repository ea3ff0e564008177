# Where everything goes. Two components: `programs` (jrpcheck, jrpc-reference and their data) and `development` (libjrpc).
include(CMakePackageConfigHelpers)
# What shells and man look for. A wheel keeps the rest in its package, but this where the system looks for it.
set(JRPC_SHARE "${CMAKE_INSTALL_DATADIR}")
if(SKBUILD)
  set(JRPC_SHARE "${SKBUILD_DATA_DIR}/share")
  set(CMAKE_INSTALL_MANDIR "${JRPC_SHARE}/man")
endif()
set(JRPC_DATA "${CMAKE_INSTALL_DATADIR}/jrpcheck")
set(JRPC_PACKAGE "${CMAKE_INSTALL_LIBDIR}/cmake/jrpc")

install(TARGETS jrpcheck jrpc-reference jrpc-reference-client jrpc-reference-parser RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cases" DESTINATION "${JRPC_DATA}" COMPONENT programs
        FILES_MATCHING PATTERN "*.json")
# Descriptions and baselines; the servers themselves are made by scripts/zoo, from a checkout.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/targets" DESTINATION "${JRPC_DATA}" COMPONENT programs
        FILES_MATCHING PATTERN "*.json" PATTERN "package*.json" EXCLUDE PATTERN "node_modules" EXCLUDE PATTERN "src" EXCLUDE)
# What published targets break, for `jrpcheck explain`.
install(FILES "${PROJECT_SOURCE_DIR}/reports/index.json" DESTINATION "${JRPC_DATA}/reports"
        COMPONENT programs OPTIONAL)
file(GLOB JRPC_PAGES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/*.md")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/LICENSE"
        "${PROJECT_SOURCE_DIR}/CHANGELOG.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT programs)
install(FILES ${JRPC_PAGES} "${PROJECT_SOURCE_DIR}/docs/event.schema.json"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs" COMPONENT programs)

# The manual pages come out of the programs. Sanitized builds are for tests, and may not run just anywhere.
set(JRPC_MAN "${PROJECT_BINARY_DIR}/jrpcheck.1" "${PROJECT_BINARY_DIR}/jrpc-reference.1"
    "${PROJECT_BINARY_DIR}/jrpc-reference-client.1")
set(JRPC_OPTIONS "${PROJECT_SOURCE_DIR}/packaging/options.awk")
if(NOT JRPC_SANITIZE AND (NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR))
  add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/jrpcheck.1"
    COMMAND jrpcheck help --man > "${PROJECT_BINARY_DIR}/jrpcheck.1" DEPENDS jrpcheck VERBATIM)
  foreach(program jrpc-reference jrpc-reference-client)
    set(page "${PROJECT_SOURCE_DIR}/packaging/${program}.1.in")
    add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/${program}.1"
      COMMAND ${program} --help > "${PROJECT_BINARY_DIR}/${program}.help"
      COMMAND awk -f "${JRPC_OPTIONS}" "${page}" "${PROJECT_BINARY_DIR}/${program}.help"
              > "${PROJECT_BINARY_DIR}/${program}.1"
      DEPENDS ${program} "${JRPC_OPTIONS}" "${page}" VERBATIM)
  endforeach()
  add_custom_target(man ALL DEPENDS ${JRPC_MAN})
endif()
install(FILES ${JRPC_MAN} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT programs OPTIONAL)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/completions/jrpcheck.bash"
        DESTINATION "${JRPC_SHARE}/bash-completion/completions" RENAME jrpcheck COMPONENT programs)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/completions/_jrpcheck"
        DESTINATION "${JRPC_SHARE}/zsh/site-functions" COMPONENT programs)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/completions/jrpcheck.fish"
        DESTINATION "${JRPC_SHARE}/fish/vendor_completions.d" COMPONENT programs)

# Headers are included as they are here, "reference/ROOM/NAME.h"; those that say they are private stay at home.
foreach(room base json rpc wire calls net client)
  file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/reference/${room}/*.h")
  foreach(header IN LISTS headers)
    file(STRINGS "${header}" private REGEX "^// .*Private to " LIMIT_COUNT 1)
    if(NOT private)
      install(FILES "${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/jrpc/reference/${room}"
              COMPONENT development)
    endif()
  endforeach()
endforeach()

set_target_properties(jrpc-net PROPERTIES EXPORT_NAME net)
target_include_directories(jrpc INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/jrpc>")
install(TARGETS jrpc jrpc-net EXPORT jrpc-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        COMPONENT development)
install(EXPORT jrpc-targets NAMESPACE jrpc:: DESTINATION "${JRPC_PACKAGE}" COMPONENT development)
set(JRPC_PC_HTTP 0)
if(JRPC_HTTP)
  set(JRPC_PC_HTTP 1)
endif()
configure_package_config_file(cmake/jrpc-config.cmake.in "${PROJECT_BINARY_DIR}/jrpc-config.cmake"
                              INSTALL_DESTINATION "${JRPC_PACKAGE}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/jrpc-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/jrpc-config.cmake" "${PROJECT_BINARY_DIR}/jrpc-config-version.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/find.cmake" DESTINATION "${JRPC_PACKAGE}" COMPONENT development)

# Relative to where the file lies, so that the whole tree can be moved.
file(RELATIVE_PATH JRPC_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" JRPC_PC_PREFIX "${JRPC_PC_PREFIX}")
foreach(name jrpc jrpc-net)
  configure_file("cmake/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
          COMPONENT development)
endforeach()

include(cmake/package.cmake)
