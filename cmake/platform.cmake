# One sentence instead of a page of compiler errors.
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  message(FATAL_ERROR "jrpcheck runs on Linux, and this is ${CMAKE_SYSTEM_NAME}: use a Linux machine or container. "
                      "docs/porting.md lists what other systems would need.")
endif()
