#!/usr/bin/env bash
# The figures of the foundation: ratios measured in one run, and counts. Nothing here passes or fails by time.
set -euo pipefail
cd "$(dirname "$0")/../.."

dynoxide=infra/peers/node_modules/@dynoxide/linux-x64/dynoxide
[ -x "$dynoxide" ] || { echo "the peer dynoxide is there for Linux on x64 only, and the figures need it"; exit 1; }
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$dynoxide" --host 127.0.0.1 --port "$port" >/dev/null 2>&1 &
peer=$!
trap 'kill $peer' EXIT
endpoint=http://127.0.0.1:$port
until python3 -c "import socket; socket.create_connection(('127.0.0.1', $port), 1)" 2>/dev/null; do sleep 0.1; done

bench() { go test -run '^$' "$@" | grep -E '^(Benchmark|ok|FAIL|---|panic)'; }

echo "== A whole invoke of GET /mentions/{sourceId}: the kit against the bare operation (kit/bare), and against the bare"
echo "   operation after the two round trips of admission (kit/admitted); in memory it is the kit alone, without any store"
bench -bench Invoke -benchtime 3s -count 3 ./functions/mentions
echo "== Start of a Lambda's process to its first answer, against hello world (the mentions function reads from the peer)"
TABLE_ENDPOINT=$endpoint bench -bench Start -benchtime 60x ./functions/local/runtimeapi
echo "== The limiter: requests counted, on the embedded table"
bench -bench Take -benchtime 2s ./shared/store
echo "== The limiter: on the peer"
TABLE_ENDPOINT=$endpoint bench -bench Take -benchtime 2s ./shared/store
echo "== The embedded table"
bench -bench . -benchtime 1s ./shared/embedded/sqlitetable
