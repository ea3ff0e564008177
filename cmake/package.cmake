# cmake --preset package, then cpack -G DEB in its build folder: jrpcheck (programs and cases) and libjrpc-dev (the library).
set(CPACK_PACKAGE_NAME jrpcheck)
set(CPACK_PACKAGE_VENDOR "jrpcheck developers")
set(CPACK_PACKAGE_CONTACT "jrpcheck developers <developers@jrpcheck.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "conformance suite for JSON-RPC 2.0 servers")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/compress.cmake")
set(CPACK_COMPONENTS_ALL programs development)
set(CPACK_GENERATOR "TGZ")
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${PROJECT_HOMEPAGE_URL}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME jrpcheck)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION
"jrpcheck talks to any JSON-RPC 2.0 server over standard input and output,
sockets, HTTP or WebSocket, sends it what real clients send and what broken
ones send, and judges every byte of the answers against the sentences of the
specification. jrpc-reference is a server that keeps every rule, or breaks
exactly those that it is told to.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libjrpc-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"A strict, lossless JSON reader, the message model of JSON-RPC 2.0, a router,
framings, peers and listeners, as static libraries with their headers,
pkg-config files and a CMake package.")
if(JRPC_HTTP)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
      "libwslay-dev, libcurl4-openssl-dev | libcurl-dev, libmicrohttpd-dev")
endif()

# What Debian asks of every package: the licence in its form, and a change log.
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" license)
string(REGEX REPLACE "^.*(Permission is hereby)" "\\1" license "${license}")
string(STRIP "${license}" license)
string(REPLACE "\n\n" "\n.\n" license "${license}")
string(REPLACE "\n" "\n " JRPC_LICENSE " ${license}")
configure_file(packaging/copyright.in "${PROJECT_BINARY_DIR}/packaging/copyright" @ONLY)
foreach(part programs:jrpcheck development:libjrpc-dev)
  string(REPLACE ":" ";" part "${part}")
  list(GET part 0 component)
  list(GET part 1 package)
  install(FILES "${PROJECT_BINARY_DIR}/packaging/copyright" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}"
          COMPONENT ${component})
endforeach()
include(CPack)
