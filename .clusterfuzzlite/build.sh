#!/bin/bash -eu
# The same build as OSS-Fuzz's.
exec "$SRC/jrpcheck/fuzz/oss-fuzz/build.sh"
