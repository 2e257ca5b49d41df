#!/usr/bin/env bash
# The workbench serves /_local/ beside the API, for developing and testing only, and to this machine only.
#
# It responds only to requests that name this machine as their host. A page of another site needs an API key for every
# request but a read, and gets nothing of /_local/. A browser that opens the root is led to the documentation.
#
# `make run` takes ADDR=127.0.0.1:9000, DATA=folder, DEMO=off (start empty), SOURCES=archive (collect nothing) and
# TABLE_ENDPOINT=http://127.0.0.1:8000 (keep the data on a server that speaks DynamoDB instead of the embedded
# SQLite). It prints the path of its keys' file and a first `curl`.
set -euo pipefail
# shellcheck source=infra/tour/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

workspace=$(demo workspaces.northwind)
KEY=$(demo keys.read)

mention='{"id": 900001, "sourceId": "hackernews_story_900001", "url": "https://news.example/900001",
  "title": "Northwind 2.0", "body": null, "source": "hackernews", "timestamp": "2026-11-20 08:00:00.000",
  "author": "quietharbor", "authorAvatar": null, "authorUrl": null, "authorFollowers": null, "relevance": "relevant",
  "sentiment": "Neutral", "language": "english", "tags": [], "keywords": [], "engaged": false, "isReply": false}'
step "Store a mention of your own as it is, unmatched and unjudged: a JSON object a line."
bench POST "/mentions?workspace=$workspace" "${mention//$'\n'/}"

step "See who has signed up."
bench GET /accounts
step "See every mail that was sent."
bench GET /outbox | cut -c 1-300

step "Throttle the table twice."
bench POST /faults '{"port": "table", "operation": "get", "fault": "throttle", "times": 2}'
step "The next request still succeeds."
ask GET /mentions/hackernews_story_900001

step "See what the program takes of the machine, after a garbage collection."
bench GET '/process?collect=true'

step "Move the clock to another hour: it has another 500 requests."
bench POST /clock '{"now": "2026-12-24T18:00:00Z"}'
step "Put the clock back."
bench POST /clock '{"now": null}'
