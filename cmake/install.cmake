install(TARGETS jrpcheck jrpc-reference RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS jrpc jrpc-net ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
foreach(room base json rpc wire net)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/reference/${room}"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/jrpc/reference" FILES_MATCHING PATTERN "*.h"
          PATTERN "*_private.h" EXCLUDE)
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cases"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/jrpcheck" FILES_MATCHING PATTERN "*.json")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/targets"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/jrpcheck" FILES_MATCHING
        PATTERN "*.json" PATTERN "package*.json" EXCLUDE PATTERN "node_modules" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)

configure_file(cmake/jrpc.pc.in "${CMAKE_BINARY_DIR}/jrpc.pc" @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/jrpc.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
