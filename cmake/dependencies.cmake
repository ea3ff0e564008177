# jrpc_find(NAME PKG_CONFIG_NAME HEADER LIBRARY): defines jrpc::NAME if the library is there, asking
# pkg-config first and searching the usual folders where pkg-config is missing or knows nothing.
find_package(Threads REQUIRED)
find_package(PkgConfig QUIET)

function(jrpc_find name pkg_name header library)
  if(PkgConfig_FOUND)
    pkg_check_modules(JRPC_PC_${name} QUIET IMPORTED_TARGET GLOBAL ${pkg_name})
  endif()
  if(TARGET PkgConfig::JRPC_PC_${name})
    add_library(jrpc::${name} ALIAS PkgConfig::JRPC_PC_${name})
    return()
  endif()
  find_path(JRPC_${name}_INCLUDE_DIR ${header})
  find_library(JRPC_${name}_LIBRARY ${library})
  mark_as_advanced(JRPC_${name}_INCLUDE_DIR JRPC_${name}_LIBRARY)
  if(JRPC_${name}_INCLUDE_DIR AND JRPC_${name}_LIBRARY)
    add_library(jrpc::${name} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(jrpc::${name} PROPERTIES
      IMPORTED_LOCATION "${JRPC_${name}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${JRPC_${name}_INCLUDE_DIR}")
  endif()
endfunction()

# The comparison in the benchmarks; the programs do not need it.
jrpc_find(cjson libcjson cjson/cJSON.h cjson)

if(JRPC_TESTS)
  jrpc_find(cmocka cmocka cmocka.h cmocka)
  if(NOT TARGET jrpc::cmocka)
    message(STATUS "cmocka was not found: the unit tests are left out (scripts/setup installs it)")
  endif()
endif()

# From here on JRPC_HTTP says whether the transports are built, no longer whether they are wanted.
if(JRPC_HTTP)
  jrpc_find(curl libcurl>=7.85 curl/curl.h curl)
  jrpc_find(microhttpd libmicrohttpd microhttpd.h microhttpd)
  jrpc_find(wslay libwslay wslay/wslay.h wslay)
  set(missing "")
  foreach(name curl microhttpd wslay)
    if(NOT TARGET jrpc::${name})
      list(APPEND missing lib${name})
    endif()
  endforeach()
  if(missing AND JRPC_HTTP STREQUAL "AUTO")
    message(STATUS "${missing} not found: HTTP and WebSocket are left out (scripts/setup installs "
                   "what they need)")
    set(JRPC_HTTP OFF)
  elseif(missing)
    message(FATAL_ERROR "JRPC_HTTP needs ${missing}, not found: install the development packages "
                        "or configure with -DJRPC_HTTP=OFF")
  else()
    set(JRPC_HTTP ON)
  endif()
endif()
