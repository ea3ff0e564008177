#!/bin/bash -eu
# Builds every target as OSS-Fuzz and ClusterFuzzLite want it: compiler, flags and engine come from the
# environment (CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, SRC, WORK), everything goes to $OUT.
source=${JRPC_SOURCE:-$SRC/jrpcheck}
build=$WORK/jrpcheck

cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DJRPC_FUZZ=engine -DJRPC_TESTS=OFF \
    -DJRPC_HTTP=OFF
ninja -C "$build" fuzz/all

for program in "$build"/fuzz/fuzz_*; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    name=$(basename "$program")
    target=${name#fuzz_}
    # Another parser under the mutator needs its library at run time: not here.
    [ "${target#plug_}" = "$target" ] || continue
    cp "$program" "$OUT/$name"
    python3 -B "$source/fuzz/tools/dictionary.py" "$build/fuzz/jsonrpc.dict" "$OUT/$name.dict" "$target"
    options=$source/fuzz/oss-fuzz/$target.options
    [ -f "$options" ] || options=$source/fuzz/oss-fuzz/default.options
    cp "$options" "$OUT/$name.options"
    seeds=$WORK/seeds/$target
    python3 -B "$source/fuzz/tools/archive.py" unpack "$source/corpus/$target.zip" "$seeds"
    regressions=$source/corpus/regressions/$target
    [ ! -d "$regressions" ] || cp "$regressions"/* "$seeds"
    python3 -B "$source/fuzz/tools/archive.py" pack "$seeds" "$OUT/${name}_seed_corpus.zip"
done
# Targets of the harness judge with the suite itself.
rm -rf "$OUT/cases"
cp -r "$source/cases" "$OUT/cases"
