# jrpc_find(NAME PKG_CONFIG_NAME HEADER LIBRARY): defines jrpc::NAME if the library is there, asking
# pkg-config first and searching the usual folders where pkg-config is missing or knows nothing.
# Installed with libjrpc: whoever links it needs the same libraries.
find_package(PkgConfig QUIET)

function(jrpc_find name pkg_name header library)
  if(TARGET jrpc::${name})
    return()
  endif()
  if(PkgConfig_FOUND)
    pkg_check_modules(JRPC_PC_${name} QUIET IMPORTED_TARGET GLOBAL ${pkg_name})
  endif()
  if(TARGET PkgConfig::JRPC_PC_${name})
    add_library(jrpc::${name} ALIAS PkgConfig::JRPC_PC_${name})
    # What jrpc.pc says of it.
    string(REPLACE ">=" " >= " requires "${pkg_name}")
    set(JRPC_PC_REQUIRES_${name} "${requires}" PARENT_SCOPE)
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
    set(JRPC_PC_LIBS_${name} "-l${library}" PARENT_SCOPE)
  endif()
endfunction()
