#!/bin/sh
# Build parse.go over the Go module github.com/ollama/ollama: build.sh FOLDER writes FOLDER/parse.
set -eu
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")"
go build -o "$out/parse" parse.go
version=$(go list -m -f '{{.Version}}' github.com/ollama/ollama)
mkdir -p "$out/ollama_server.dist-info"
printf 'Metadata-Version: 2.1\nName: ollama-server\nVersion: %s\n' "${version#v}" \
    > "$out/ollama_server.dist-info/METADATA"
