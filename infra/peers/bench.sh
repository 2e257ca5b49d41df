#!/usr/bin/env bash
# The figures: ratios measured in one run, and counts. Nothing here passes or fails by time. What is measured on data that is not part
# of the tree reads it from DATA_DIR, and says so where it is not there.
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

# -v tells what is left out, and why
bench() { go test -v -run '^$' "$@" | grep -E '^(Benchmark[^ ]+[[:space:]]+[0-9]|ok|FAIL|---|panic|    [a-z_]+[.]go:)'; }

echo "== A whole invoke of GET /mentions/{sourceId} by processor time: the kit against the operation alone (kit/plain), behind the adapter"
echo "   of API Gateway's events (kit/bare), and after the two round trips of admission too (kit/admitted); in memory, without any store,"
echo "   and on the embedded table. Each ratio is the median of the turns, and with -min that of the fastest turns"
bench -bench Invoke -benchtime 3s -count 3 ./functions/mentions
echo "== Answers of the workbench over HTTP by processor time, against minimal handlers on the same SQLite (/minimal), and against those"
echo "   that also read a key and count the request (/admitted)"
bench -bench Laptop -benchtime 10x ./functions/local
echo "== Tools of the MCP server against the operations of REST that they call (tool/rest), by processor time"
bench -bench Tools -benchtime 20x ./functions/mcp
echo "== Responses of the workbench with and without gzip: bytes and processor time, of real comments and words"
bench -bench Gzip -benchtime 15x ./functions/local/apigateway
echo "== Start of every Lambda's process to its first answer, and a warm one's, against hello world (tables on the peer), and the zips"
TABLE_ENDPOINT=$endpoint bench -bench Start -benchtime 40x ./infra/runtimeapi
echo "== The limiter: requests counted, on the embedded table"
bench -bench Take -benchtime 2s ./shared/store/mentionstore
echo "== The limiter: on the peer"
TABLE_ENDPOINT=$endpoint bench -bench Take -benchtime 2s ./shared/store/mentionstore
echo "== Mentions put in by /_local/mentions, a second of time and of processor time: in the order of their time, and mixed"
bench -bench Mentions -benchtime 5x ./functions/local/controls
echo "== The embedded table"
bench -bench . -benchtime 1s ./shared/embedded/sqlitetable
echo "== The matcher, on real comments: against folding alone (x-fold), and at 100,000 keywords against 10,000"
bench -bench . -benchtime 1s ./shared/match
echo "== The judges: a post, and how they start"
bench -bench . -benchtime 1s ./shared/judge ./shared/judge/language ./shared/judge/sentiment
echo "== Filters of 50 conditions over a million rows, on one core"
bench -bench Rows -benchtime 1s -cpu 1 ./shared/filter
echo "== 10 million mentions in Parquet files counted on one core: on three columns, by tag and keyword, by author"
bench -bench CountDays -benchtime 1x ./shared/dayfilecount
echo "== Ingest on one core, on the embedded table, from 100 to 10,000 keywords"
bench -bench . -benchtime 1x -cpu 1 ./functions/ingest
echo "== A first page of 20 in a workspace of 200,000 mentions, by how many of them its filter takes: on the embedded table"
bench -bench Page -benchtime 3x ./shared/store/mentionstore
echo "== A text that none of 200,000 mentions has: all pages of the first list, which stores words of days, and of a later one"
bench -bench TextNowhere -benchtime 1x ./shared/store/mentionstore
echo "== The same on the peer (storing them takes a minute or two)"
TABLE_ENDPOINT=$endpoint bench -bench Page -benchtime 1x -timeout 20m ./shared/store/mentionstore
echo "== Figures in a workspace with a year of 100,000 mentions of 8 keywords, by kind (cells or rows) and period: round trips, read units,"
echo "   processor time and time of a whole request, on the embedded table (storing them takes a minute)"
bench -bench Kinds -benchtime 3x -timeout 20m ./functions/analytics
echo "== The same on the peer, in a year of 10,000"
TABLE_ENDPOINT=$endpoint ANALYTICS_MENTIONS=10000 bench -bench Kinds -benchtime 1x -timeout 20m ./functions/analytics
echo "== Different authors of 100 days by a scan, by summaries that are made, and by summaries that are there: 274 mentions a day,"
echo "   which are 100,000 a year, and 2,740 on 10 days"
bench -bench Authors -benchtime 3x ./shared/analytics
AUTHORS_DAYS=10 AUTHORS_DAILY=2740 bench -bench Authors -benchtime 3x ./shared/analytics
