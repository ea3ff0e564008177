# jrpc_unit_test(ROOM/NAME): builds tests/unit/ROOM/NAME.c and registers it with ctest under that name.
# It is linked to the room's own library and what that stands on, so a room that needs one below it does not
# link. The suite's rooms may use the reference server's too, as a peer. Silently nothing without cmocka.
set(JRPC_LIBRARY_OF_net jrpc-net)
set(JRPC_LIBRARY_OF_client jrpc-net)
set(JRPC_LIBRARY_OF_server jrpc-server)
set(JRPC_LIBRARY_OF_generate jck-generate)
foreach(room base json rpc wire calls)
  set(JRPC_LIBRARY_OF_${room} jrpc)
endforeach()
foreach(room schema describe suite evidence judge baseline link session drive run live parser report cli)
  set(JRPC_LIBRARY_OF_${room} jck jrpc-server)
endforeach()

function(jrpc_unit_test path)
  if(NOT TARGET jrpc::cmocka)
    return()
  endif()
  string(REPLACE "/" "-" target "unit-${path}")
  get_filename_component(room "${path}" DIRECTORY)
  get_filename_component(name "${path}" NAME)
  add_executable(${target} "${PROJECT_SOURCE_DIR}/tests/unit/${path}.c")
  jrpc_target(${target})
  target_link_libraries(${target} PRIVATE ${JRPC_LIBRARY_OF_${room}} jrpc::cmocka)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME "${name}" RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/unit/${room}")
  add_test(NAME "${path}" COMMAND ${target} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  # cmocka catches SIGSEGV itself and would swallow AddressSanitizer's report.
  set_tests_properties("${path}" PROPERTIES TIMEOUT 300 ENVIRONMENT "ASAN_OPTIONS=handle_segv=2")
  if(DEFINED ENV{JSONTESTSUITE_DIR})
    set_property(TEST "${path}" APPEND PROPERTY
      ENVIRONMENT "JSONTESTSUITE_DIR=$ENV{JSONTESTSUITE_DIR}")
  endif()
endfunction()
