#!/bin/sh
# Build parse.cpp over the sources in the sdist of llama-cpp-python: build.sh VENDORED FOLDER
# writes FOLDER/parse. VENDORED is the sdist's vendor/llama.cpp. What the parsers never call
# (models, samplers) is not compiled: each such symbol becomes a trap.
set -eu
sources=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
flags="-std=c++17 -O1 -I common -I include -I ggml/include -I vendor -I ."
cd "$sources"
ls common/chat*.cpp common/peg-parser.cpp common/jinja/*.cpp common/parsers/*.cpp common/json*.cpp \
    common/log.cpp common/unicode.cpp common/common.cpp common/trie.cpp \
    common/reasoning-budget.cpp |
    xargs -P "$(nproc)" -I{} sh -c "g++ $flags -c {} -o $out/\$(echo {} | tr / _).o"
nm -u "$out"/common*.o | awk 'NF == 2 {print $2}' | sort -u > "$out/used"
nm --defined-only "$out"/common*.o | awk 'NF == 3 {print $3}' | sort -u > "$out/made"
{
    echo .text
    comm -23 "$out/used" "$out/made" | grep -E 'llama_|ggml_|gguf_|common_' |
        while read -r symbol; do printf '.globl %s\n%s: ud2\n' "$symbol" "$symbol"; done
    echo '.section .note.GNU-stack,"",@progbits'
} > "$out/traps.s"
g++ -c "$out/traps.s" -o "$out/traps.o"
g++ $flags "$here/parse.cpp" "$out"/common*.o "$out/traps.o" -lpthread -o "$out/parse"
mkdir -p "$out/llama_cpp_python.dist-info"
cp ../../PKG-INFO "$out/llama_cpp_python.dist-info/METADATA"
