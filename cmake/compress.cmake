# Run by CPack on what is about to be packed: Debian wants manual pages compressed, a change log in its own form, the licence in no
# file of its own, and neither programs nor libraries with more than is needed to run and to link.
find_program(GZIP gzip)
if(GZIP AND CPACK_GENERATOR STREQUAL "DEB")
  file(GLOB_RECURSE pages "${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/*.1")
  file(GLOB folders "${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/*")
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH, if there is one
  find_program(STRIP strip REQUIRED)
  file(GLOB_RECURSE libraries "${CPACK_TEMPORARY_DIRECTORY}/*/usr/lib/*.a")
  file(GLOB programs "${CPACK_TEMPORARY_DIRECTORY}/*/usr/bin/*")
  if(libraries)
    execute_process(COMMAND "${STRIP}" -D --strip-debug --remove-section=.comment ${libraries} COMMAND_ERROR_IS_FATAL ANY)
  endif()
  if(programs)
    execute_process(COMMAND "${STRIP}" -D --remove-section=.comment --remove-section=.note ${programs} COMMAND_ERROR_IS_FATAL ANY)
  endif()
  foreach(folder IN LISTS folders)
    file(REMOVE "${folder}/LICENSE")
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
