#!/usr/bin/env bash
# Earshot beside other programs that do a part of its work: "make rivals". Nothing here passes or fails by time. A rival
# that cannot be had on this machine is left out, with the reason.
set -euo pipefail
cd "$(dirname "$0")/../.."

at=$PWD/.rivals
mkdir -p "$at"

left_out() {
  echo "   left out: $1"
}

# -v tells what is left out, and why
bench() {
  go test -v -run '^$' "$@" ./infra/rivals | grep -E '^(Benchmark[^ ]+[[:space:]]+[0-9]|FAIL|---|panic|    [a-z_]+[.]go:)'
}

echo "== Keywords in real comments, beside daachorse: microseconds a comment, of which daachorse has none for folding"
if ! command -v cargo >/dev/null; then
  left_out "there is no cargo"
elif CARGO_TARGET_DIR=$at/target cargo build --quiet --locked --release --manifest-path infra/rivals/daachorse/Cargo.toml; then
  DAACHORSE=$at/target/release/daachorse-rounds bench -bench Matcher -benchtime 20x
else
  left_out "daachorse does not build"
fi

echo "== Filters over a million rows, beside DuckDB on one thread: microseconds a row"
if [ -x "$at/venv/bin/python" ] || { python3 -m venv "$at/venv" &&
  "$at/venv/bin/pip" install --quiet "$(grep '^duckdb==' infra/peers/requirements.txt)"; }; then
  printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$at/venv/bin/python" "$PWD/infra/rivals/rows.py" >"$at/duckdb"
  chmod +x "$at/duckdb"
  DUCKDB=$at/duckdb bench -bench Filters -benchtime 20x -cpu 1
else
  left_out "DuckDB cannot be installed"
fi

echo "== Requests over HTTP, beside PocketBase on the same mentions: microseconds of processor time a request"
if [ ! -r /proc/self/stat ]; then
  left_out "processor time is read from /proc, which is Linux's"
elif (cd infra/rivals/pocketbase && CGO_ENABLED=0 go build -o "$at/pocketbase" .); then
  CGO_ENABLED=0 go build -o "$at/earshot" ./functions/local
  POCKETBASE=$at/pocketbase EARSHOT=$at/earshot bench -bench Service -benchtime 10x
else
  left_out "PocketBase does not build"
fi
