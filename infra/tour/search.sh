#!/usr/bin/env bash
# A question is answered without tracking anything, and a keyword is tried on the past before and after it is made.
set -euo pipefail
# shellcheck source=infra/tour/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# The key of a workspace on the Agents plan, which has 50 searches for life and 5,000 mentions a month.
KEY=$(demo keys.agentsPlan)

# Words, "phrases", -not and OR, and author:, site:, lang:, source: and title:. The platforms are searched, if there is
# a network and they have their keys, and the archive of everything that came in.
step "Search: the response waits for the results for some seconds. What has to wait longer is polled."
ask POST /search '{"query": "northwind OR \"incident response\" -surf", "timeWindow": "30d", "maxResults": 2}' | cut -c 1-400
step "See what the headers have left of the plan."
found=$(ask GET '/search?limit=1' '' --include)
grep -i -- '-remaining: ' <<<"$found"
id=$(sed -n '$p' <<<"$found" | pick 'a.data[0].searchId')
step "Read a search again: its results are kept for 30 days."
ask GET "/search/$id" | pick "a.status + ', ' + a.stats.rawMatches + ' matches, ' + a.mentions.length + ' shown'"
step "Send a fault: it is named with its position."
refused VALIDATION_ERROR POST /search '{"query": "pager OR"}'
step "Ask for what the plan has not: the response says how to upgrade."
refused UPGRADE_REQUIRED GET /mentions/by-id?id=1

KEY=$(demo keys.write)

# A keyword is tried as it would match, with all its settings, on the last 90 days of the archive.
step "Preview a keyword: what it would have matched, by source and week."
ask POST /keywords/preview '{"keyword": "pager", "excludeWords": ["surf"]}' |
  pick "a.matches + ' matches, of ' + a.postsRead + ' posts; first ' + a.samples[0].title"

# A new keyword looks back seven days by itself, which costs nothing. What is further back counts against the month.
step "Ask what a backfill of 30 days would bring in and whether the month has room for it."
ask POST /keywords/7/backfill '{"days": 30, "dryRun": true}'
step "Backfill the keyword. A schedule hands it to a worker within a minute; here it runs now."
ask POST /keywords/7/backfill '{"days": 30}' | cut -c 1-120
bench POST /schedules/collect
until [ "$(ask GET /keywords/7/backfill | pick a.backfill.status)" != running ]; do sleep 0.2; done
step "See what it brought in."
ask GET /keywords/7/backfill
