# The text IN as a C array in OUT, called NAME, with the SHA-256 of its bytes in base64, as a
# Content-Security-Policy names it.
file(READ "${IN}" bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR len "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," array "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "    \\1\n" array "${array}")

file(SHA256 "${IN}" hash)
set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
set(base64 "")
# 32 bytes: ten groups of three, and one of two.
foreach(at RANGE 0 60 6)
  string(SUBSTRING "${hash}0000" ${at} 6 group)
  math(EXPR value "0x${group}")
  foreach(shift 18 12 6 0)
    math(EXPR digit "(${value} >> ${shift}) & 63")
    string(SUBSTRING "${alphabet}" ${digit} 1 letter)
    string(APPEND base64 "${letter}")
  endforeach()
endforeach()
string(SUBSTRING "${base64}" 0 43 base64)

file(CONFIGURE OUTPUT "${OUT}" @ONLY CONTENT "// Made from ${NAME} by embed.cmake.
#include \"harness/report/assets.h\"

static const unsigned char text[] = {
${array}0};

const jck_asset jck_asset_${NAME} = {text, ${len}, \"sha256-${base64}=\"};
")
