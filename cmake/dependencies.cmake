# The libraries that are linked where they are there; see find.cmake for how they are found.
find_package(Threads REQUIRED)
include(cmake/find.cmake)

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
