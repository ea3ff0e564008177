# jrpc_unit_test(ROOM/NAME): builds tests/unit/ROOM/NAME.c against everything and registers it with ctest
# under that name. Silently nothing without cmocka.
function(jrpc_unit_test path)
  if(NOT TARGET jrpc::cmocka)
    return()
  endif()
  if(NOT EXISTS "${PROJECT_SOURCE_DIR}/tests/unit/${path}.c")
    message(STATUS "tests/unit/${path}.c is not there yet")
    return()
  endif()
  string(REPLACE "/" "-" target "unit-${path}")
  get_filename_component(room "${path}" DIRECTORY)
  get_filename_component(name "${path}" NAME)
  add_executable(${target} "${PROJECT_SOURCE_DIR}/tests/unit/${path}.c")
  jrpc_target(${target})
  target_link_libraries(${target} PRIVATE jck jrpc-server jrpc-net jrpc jrpc::cmocka)
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
