# jrpc_rooms(TARGET ROOM...): a library made of rooms. Each room's CMakeLists.txt adds its own sources
# with target_sources(TARGET PRIVATE ...).
function(jrpc_rooms target)
  add_library(${target} STATIC)
  jrpc_target(${target})
  foreach(room IN LISTS ARGN)
    add_subdirectory(${room})
  endforeach()
endfunction()
