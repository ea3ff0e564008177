# What every target of the project is compiled with. A target takes part by linking to jrpc-options.
add_library(jrpc-options INTERFACE)

target_compile_options(jrpc-options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes
  -Wmissing-prototypes -Wwrite-strings -Wcast-qual -Wformat=2 -Wundef -Wvla
  $<$<BOOL:${JRPC_WERROR}>:-Werror>
  # CMake's release types define NDEBUG; our own invariants stay checked in every build.
  -UNDEBUG)
target_compile_definitions(jrpc-options INTERFACE
  _POSIX_C_SOURCE=200809L JRPCHECK_VERSION="${PROJECT_VERSION}")
target_include_directories(jrpc-options INTERFACE "${PROJECT_SOURCE_DIR}")

if(JRPC_DISTRIBUTE)
  target_compile_options(jrpc-options INTERFACE "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=." "-ffile-prefix-map=${PROJECT_BINARY_DIR}=build"
    -fstack-protector-strong)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(jrpc-options INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  endif()
  target_link_options(jrpc-options INTERFACE -Wl,-z,relro -Wl,-z,now)
endif()

if(JRPC_SANITIZE)
  # But for what a program without sanitizers loads: a target with the property JRPC_UNSANITIZED.
  set(sanitized $<NOT:$<BOOL:$<TARGET_PROPERTY:JRPC_UNSANITIZED>>>)
  target_compile_options(jrpc-options INTERFACE
    "$<${sanitized}:-fsanitize=${JRPC_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  target_link_options(jrpc-options INTERFACE "$<${sanitized}:-fsanitize=${JRPC_SANITIZE}>")
endif()
if(JRPC_COVERAGE)
  target_compile_options(jrpc-options INTERFACE --coverage -O0)
  target_link_options(jrpc-options INTERFACE --coverage)
endif()

# jrpc_target(NAME): the project's language level and options for one target.
function(jrpc_target name)
  set_target_properties(${name} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
  # Ours alone: whoever links an installed library compiles as they like.
  target_link_libraries(${name} PRIVATE "$<BUILD_INTERFACE:jrpc-options>")
endfunction()
