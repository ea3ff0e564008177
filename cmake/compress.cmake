# Run by CPack on what is about to be packed: Debian wants manual pages compressed, and a change log in its own form.
find_program(GZIP gzip)
if(GZIP AND CPACK_GENERATOR STREQUAL "DEB")
  file(GLOB_RECURSE pages "${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/*.1")
  file(GLOB folders "${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/*")
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH, if there is one
  foreach(folder IN LISTS folders)
    file(WRITE "${folder}/changelog"
         "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
         "  * Version ${CPACK_PACKAGE_VERSION}; CHANGELOG.md of the sources tells what is new.\n\n"
         " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
    list(APPEND pages "${folder}/changelog")
  endforeach()
  foreach(page IN LISTS pages)
    execute_process(COMMAND "${GZIP}" -9nf "${page}" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endif()
