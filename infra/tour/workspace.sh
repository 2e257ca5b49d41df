#!/usr/bin/env bash
# From a key of your own to a rate that changes: keys, keywords, feeds, feedback, suggestions, members and usage.
set -euo pipefail
# shellcheck source=infra/tour/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

admin=$(demo keys.admin)
now=$(in_days 0)

KEY=$admin
step "Make a key that may write, for 30 days. Its token is shown this once, and the requests that follow use it."
KEY=$(ask POST /org/keys '{"name": "My first key", "scope": "write", "expiry": "30d"}' | pick a.key)
step "See which key this is and what it may do."
ask GET /auth

step "Track a keyword with search operators. It is refused, since keywords match literally, with what to track instead."
refused KEYWORD_OPERATOR_SYNTAX POST /keywords '{"keyword": "\"wave barn\" -surf OR wavebarn"}'
step "Track the keyword itself, and name the words that exclude a post."
keyword=$(ask POST /keywords '{"keyword": "Wavebarn", "tag": "own_brand",
  "context": "Wavebarn, the scheduling app for clinics.", "excludeWords": ["surf"]}' | pick a.id)
echo "keyword $keyword"

# With a network, mentions arrive from the sources within a minute.
step "Send three posts of your own."
for n in 1 2 3; do
  echo '{"source": "reddit", "sourceId": "reddit_post_wave'"$RUN$n"'", "url": "https://posts.example/wave'"$n"'",' \
    '"author": "quietharbor", "timestamp": "'"$now"'", "title": "Visit '"$n"'",' \
    '"body": "Our clinic moved its schedule to Wavebarn, number '"$n"'."}'
done | bench POST /posts @-
step "List the newest mention of the keyword."
ask POST /mentions '{"simpleFilters": {"keyword": ['"$keyword"']}, "includeAll": true, "limit": 1}'
step "See how many mentions the keyword has counted."
ask GET "/keywords/$keyword" | pick 'JSON.stringify(a.volume)'

step "Make a feed: a saved filter, and where its mentions go."
feed=$(ask POST /feeds '{"name": "Clinics", "icon": "🌊",
  "simpleFilters": {"keyword": ['"$keyword"'], "!sentiment": ["negative"]},
  "destinations": [{"type": "EMAIL", "frequency": "daily", "time": "08:30", "timezone": "Europe/Berlin",
    "emailDestination": {"emails": ["you@example.com"]}}]}' | pick a.id)
step "List what the feed shows."
ask POST /mentions '{"view": '"$feed"', "includeAll": true, "limit": 1}'

step "Tell the judge that it was wrong about a mention."
ask POST /feedback '{"sourceId": "reddit_post_wave'"$RUN"'1", "timestamp": "'"$now"'", "source": "reddit",
  "keywordId": '"$keyword"', "feedbackType": "NOT_RELEVANT", "feedbackReason": "Another Wavebarn"}'
step "The mention is not relevant from now on."
ask GET "/mentions/reddit_post_wave${RUN}1" | pick a.relevance
step "The rate of false positives follows, for the workspace and for the keyword."
ask GET /feedback/stats

# POST /keywords/suggestions/{id}/accept or /reject settles one.
step "See how keywords could be narrowed, suggested by what was collected and judged, with the figures."
ask GET /keywords/suggestions

step "Read the feed's version before you change the feed."
tag=$(ask GET "/feeds/$feed" '' --include | tr -d '\r' | sed -n 's/^[Ee][Tt]ag: //p')
echo "ETag: $tag"
step "Change the feed on condition that it still has this version."
ask PATCH "/feeds/$feed" '{"isDefault": true}' -H "If-Match: $tag"
step "A second writer who has not seen the change is told so."
refused FEED_FILTER_WRITE_CONFLICT PATCH "/feeds/$feed" '{"name": "Late"}' -H "If-Match: $tag"

step "Delete the keyword: its mentions stay, and the feed that named it shows what speaks of it."
ask DELETE "/keywords/$keyword"

KEY=$admin
person=newcomer$RUN@example.com
step "Invite somebody with an admin's key. A person without an account gets one mail."
ask POST /org/members/invite '{"email": "'"$person"'", "role": "org:member"}'
step "Read the mail in the workbench's outbox."
bench GET /outbox | cut -c 1-200
step "Sign up as this person: the membership begins with it."
bench POST /accounts '{"email": "'"$person"'"}'
step "See who is in the workspace."
ask GET /org/members

step "Invite an admin, with a typing error in the address."
ask POST /org/members/invite '{"email": "newcommer@example.com", "role": "org:admin"}'
step "Find the invitation, and revoke it before somebody else signs up with the address."
typo=$(ask GET /org/members/invitations | pick 'a.data.find(i => i.email === "newcommer@example.com").id')
ask DELETE "/org/members/$typo"

step "See what the workspace has used of its plan."
ask GET /org/usage
