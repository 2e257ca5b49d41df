#!/usr/bin/env bash
# People are told of what feeds show: in a digest of each hour, and by an alert that fires once.
set -euo pipefail
# shellcheck source=infra/tour/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

KEY=$(demo keys.write)
# past MINUTES prints the time that is so many minutes past the full hour that began last.
past() { node -p "new Date(Math.floor(Date.now() / 36e5) * 36e5 + $1 * 6e4).toISOString()"; }

step "Have a feed send a digest at each full hour. The workbench receives it itself."
ask POST /feeds '{"name": "Hourly", "destinations": [{"type": "WEBHOOK", "frequency": "hourly",
  "webhookDestination": {"url": "'"$workbench"'/_local/hooks/digest"}}]}'

# The demo has an alert on its feed Unhappy: more than two mentions in an hour. A preview counts what an alert would
# have done in the last 30 days.
step "See the demo's alert, and what one that fires at the first mention would have done."
ask GET /alerts
ask POST /alerts/preview '{"feedId": 1, "condition": {"metric": "mentions", "comparison": "above", "value": 0,
  "window": "1h"}}' | cut -c 1-400

step "Stop the clock at half past, and send three complaints."
bench POST /clock '{"now": "'"$(past 30)"'"}'
for n in 1 2 3; do
  printf '{"source": "hackernews", "sourceId": "hackernews_comment_%s%s", "url": "https://news.example/%s%s", ' \
    "$RUN" "$n" "$RUN" "$n"
  printf '"author": "grumpy%s", "timestamp": "%s", "isReply": true, ' "$n" "$(past 29)"
  printf '"body": "Northwind is terrible: it missed the outage again, and support is awful. I hate it."}\n'
done | bench POST /posts @-
sleep 3

step "Move the clock past the full hour, and run what is due."
bench POST /clock '{"now": "'"$(past 66)"'"}'
bench POST /schedules/deliveries
sleep 3

step "See the digest: each mention of the hour once, with its figures, signed and verified."
bench GET /hooks/digest | pick 'a.requests.map(r => [r, JSON.parse(r.body)]).map(([r, e]) => JSON.stringify(
  {verified: r.verified, type: e.type, from: e.data.from, to: e.data.to, figures: e.data.figures,
    mentions: e.data.mentions.map(m => m.sourceId)})).join("\n")'
step "See the letter of the alert: it fires once, and says why."
bench GET /outbox | pick 'a.mails.filter(m => m.subject.startsWith("Alert")).map(m => m.text).join("\n")'
ask GET '/deliveries?alertId=1&limit=1'
bench POST /clock '{"now": null}'
