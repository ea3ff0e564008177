# FILES (below ROOT) as C arrays in OUT, for embedded.h.
set(arrays "")
set(table "")
set(count 0)
foreach(file IN LISTS FILES)
  file(READ "${ROOT}/${file}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," array "${bytes}")
  string(APPEND arrays "static const unsigned char file_${count}[] = {${array}0};\n")
  string(APPEND table "    {\"/${file}\", file_${count}, sizeof file_${count} - 1},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(CONFIGURE OUTPUT "${OUT}" @ONLY CONTENT "// Made from the data of the project by embed.cmake.
#include \"harness/suite/embedded.h\"

${arrays}
const jck_embedded_file jck_embedded_files[] = {
${table}    {0}};
const size_t jck_embedded_count = ${count};
")
