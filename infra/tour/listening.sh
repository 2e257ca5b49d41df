#!/usr/bin/env bash
# Posts come in, lists are narrowed by filters, and a mention is corrected.
set -euo pipefail
# shellcheck source=infra/tour/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

KEY=$(demo keys.write)
step "Have a feed tell a webhook of what it shows. The workbench receives it itself."
ask POST /feeds '{"name": "Told", "destinations": [{"type": "WEBHOOK",
  "webhookDestination": {"url": "'"$workbench"'/_local/hooks/tour"}}]}'

# Posts come in from the sources, if there is a network, or from you. Either way they are matched with the keywords of
# all workspaces and judged. A post is a JSON object on a line of its own, with the names that a mention has.
post='{"source": "hackernews", "sourceId": "hackernews_comment_48000001", "url": "https://news.example/48000001",
  "author": "quietharbor", "timestamp": "'$(in_days 0)'", "isReply": true, "engagementMetrics": {"points": 31},
  "body": "Northwind woke me up for the outage before the customers noticed. Love it."}'
step "Send a post as the sources do: it is matched, judged and stored."
bench POST /posts "${post//$'\n'/}"
step "Send the same post again: it is a duplicate and is not stored again."
bench POST /posts "${post//$'\n'/}"

sleep 2
step "See the event that the webhook got, with its signature, and that it is verified."
bench GET /hooks/tour
step "See the delivery, with each attempt."
ask GET '/deliveries?limit=1'

# Save a dump as a file, and send it with --data-binary @dump.csv. 12,000 stories are in within a second.
yesterday=$(node -p 'new Date(Date.now() - 864e5).toLocaleDateString("en-US", {timeZone: "UTC"})')
step "Send the table of a Hacker News dump as it is: the content type says that it is CSV."
bench POST /posts "id,title,url,num_points,num_comments,author,created_at
48000002,Show HN: Northwind rotas in a terminal,https://posts.example/rotas,12,3,quietharbor,$yesterday 9:30
" -H 'Content-Type: text/csv'
step "See which posts are on their way through the queues."
bench GET /queues

# collect, which fetches from the sources, and invitecleanup and purge are schedules too.
step "Run a schedule now: archive moves old mentions out of the way."
bench POST /schedules/archive

# A source that needs a key takes it from the environment of \`make run\`, such as SOURCE_REDDIT_CLIENT_ID or
# SOURCE_YOUTUBE_API_KEY. In an account it takes the key from Parameter Store.
step "See of every platform whether posts come from it and what its last fetch brought, or why none come."
bench GET /sources | cut -c 1-600

KEY=$(demo keys.read)

# Simple filters hold all at once, and a ! before a name means its opposite. Advanced filters stand in groups. Both
# can be combined with each other and with the filters of a feed.
step "List mentions in English that are neither from Reddit nor positive."
ask POST /mentions '{"simpleFilters": {"!source": ["reddit"], "!sentiment": ["positive"], "language": ["en"]},
  "limit": 3}'

step "List mentions about prices or about leaving, from X or Reddit."
ask POST /mentions '{"advancedFilters": {"operator": "AND", "groups": [
  {"operator": "OR", "conditions": [{"tag": ["pricing"]}, {"tag": ["churn_intent"]}]},
  {"operator": "OR", "conditions": [{"source": ["twitter"]}, {"source": ["reddit"]}]}]}, "limit": 3}'

# startDate and endDate also take the form of a mention's own timestamp, and each does alone.
step "List mentions of the last two days, including those that are not relevant."
ask POST /mentions '{"simpleFilters": {"startDate": "'"$(in_days -2)"'"}, "includeAll": true, "limit": 3}'

step "List mentions with at least 50 comments on Reddit: engagement compares a counter of a source."
ask POST /mentions '{"simpleFilters": {"engagement": [{"source": "reddit", "metric": "comments", "value": 50}]},
  "includeEngagementMetrics": true, "limit": 3}'

step "List replies whose text has a word or a phrase."
ask POST /mentions '{"simpleFilters": {"text": ["outage", "escalation policies"], "postType": ["reply"]}, "limit": 3}'

step "List what the demo's feed shows, narrowed to one keyword: view is the number of the feed."
ask POST /mentions '{"view": 1, "simpleFilters": {"keyword": [7]}, "limit": 3}'

step "List the mentions of one author."
ask GET '/mentions/by-author?source=reddit&handle=quietharbor'

# Cells are made harmless for spreadsheets. An export that is too large for an answer comes as a link.
step "Export the negative mentions as CSV, and show the first three lines."
ask POST /mentions/export '{"format": "csv", "simpleFilters": {"sentiment": ["negative"]}}' | sed -n 1,3p

# Texts of mentions were written by strangers and come as they are. Escape them when you show them, bind them as
# parameters when you store them, and give them to a language model as delimited data, never as instructions.
step "Read one mention by its sourceId."
which=$(ask GET '/mentions/by-id?id=hackernews_comment_48000001')
echo "$which"

# A correction is set, not toggled, so a request that is sent twice changes nothing. Counts follow in the same step.
KEY=$(demo keys.write)
step "Correct the relevance of the mention with a key that may write: the judge learns from it."
ask PATCH /mentions/hackernews_comment_48000001 "$(echo "$which" | pick 'JSON.stringify({
  action: "relevance", postId: a.id, timestamp: a.timestamp, relevance: 0})')"
