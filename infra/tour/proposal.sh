#!/usr/bin/env bash
# From a company's domain to keywords that listen, over the API: a draft, a proposal that is polled, and one request
# that applies it. `make propose DOMAIN=acme.com` does the same in the terminal.
#
# The setup engine looks at a company's page, thinks of keywords, counts and reads real posts for each, and proposes a
# configuration that fits the plan. Every keyword has its reasons, a range of mentions a month, and how much of its
# sample was relevant. A model of Amazon Bedrock composes the proposal where one is configured. Without one, rules do.
set -euo pipefail
# shellcheck source=infra/tour/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

KEY=$(demo keys.write)
workspace=$(demo workspaces.northwind)

step "Switch the setup engine on for the workspace: it is a beta behind a flag."
bench POST /flags '{"workspace": "'"$workspace"'", "flag": "setup_onboarding", "on": true}'

# With a network, the engine asks the domain itself and searches the platforms. Without one, or with SOURCES=archive,
# it reads the page that you put here, and searches the archive of everything that came in, such as a dump of Hacker
# News.
step "Put a page where the engine looks for the domain's."
bench POST /sites "$(node -p 'JSON.stringify({domain: "berthlane.example", html: `<html lang=en><head>
<title>Berthlane | Berth planning for harbours</title>
<meta name=description content="Berthlane plans berths, pilots and tugs for harbours.">
<meta name=keywords content="berth planning"></head></html>`})')"
berths=$(for n in 01 02 03 04 05 06 07 08 09 10 11 12; do
  echo '{"source": "hackernews", "sourceId": "hackernews_story_490000'"$n"'", "author": "quietharbor'"$n"'",' \
    '"url": "https://posts.example/berth'"$n"'", "timestamp": "'"$(in_days "-$((10#$n))/24")"'",' \
    '"title": "Berthlane in harbour '"$n"': pilots, tugs and berths planned by noon"}'
done)
step "Send twelve posts to count and read. No keyword matches them yet, so they go to the archive only."
echo "$berths" | bench POST /posts @-

step "Scan the domain into a draft, and poll until the scan is over."
draft=$(ask POST /setup/drafts '{"domain": "berthlane.example"}' | pick a.draftId)
await "/setup/drafts/$draft" scanning
step "Correct the profile that was read, before anything is proposed."
ask PATCH "/setup/drafts/$draft" '{"profile": {"audience": "Harbour masters"}}' | pick 'JSON.stringify(a.profile)'

step "Start a proposal, and poll until it has settled."
ask POST /setup/proposals '{"draftId": "'"$draft"'"}'
await "/setup/proposals/$draft" proposing measuring sampling
step "See what each stage did, and how long it took."
ask GET "/setup/proposals/$draft" |
  pick 'a.steps.map(s => [s.stage, s.status, s.ms + " ms", s.line].join("  ")).join("\n")'
step "See each keyword with the mentions to expect and with the reasons, each under the rule that it follows from."
ask GET "/setup/proposals/$draft" | pick 'a.proposal.keywords.map(k => [k.keyword, k.route,
  k.volume.low + " to " + k.volume.high + " a month", ...k.reasons.map(r => "  " + r.ref + ": " + r.text)].join("\n"))
  .join("\n")'

step "Apply what is selected: the keywords listen at once."
ask POST "/setup/proposals/$draft/apply" '{}'
step "Send the posts again: what comes in from now on are mentions."
echo "$berths" | bench POST /posts @-
step "List the newest of them."
ask POST /mentions '{"simpleFilters": {"text": ["Berthlane"]}, "limit": 1}'

# A month brings noise that no sample has: here an account that posts the tide, and recruiters.
noise=$(node -p '[1, 2, 3, 4, 5, 6].flatMap(n => [
  {source: "bluesky", sourceId: "bluesky_post_tide" + n, author: "tidewatch",
    body: "Berthlane gauge " + n + ": the tide is at 2." + n + " m, wind from the west"},
  {source: "reddit", sourceId: "reddit_post_crew" + n, author: "crewdesk" + n,
    title: "We are hiring deck officers near Berthlane, apply to desk " + n, body: "Full time"},
]).map((p, i) => JSON.stringify({...p, url: "https://posts.example/" + p.sourceId,
  timestamp: new Date(Date.now() - i * 36e5).toISOString()})).join("\n")')
step "Send noise: six posts of an account that floods, and job posts of six others."
echo "$noise" | bench POST /posts @-
# The judge keeps most posts that have a name as rare as this one, so somebody who reads them says that they are noise.
step "Mark the noise as not relevant."
for id in bluesky_post_tide{1..6} reddit_post_crew{1..6}; do
  mark=$(ask GET "/mentions/$id" | pick 'JSON.stringify({
    action: "relevance", postId: a.id, timestamp: a.timestamp, relevance: 2})')
  ask PATCH "/mentions/$id" "$mark" >/dev/null
done

# Settings that a proposal has for after the first collection are listed here too.
step "See which exclusions the clean-up finds in what came in, with what each would have removed."
ask GET /setup/cleanup | pick 'JSON.stringify(a.items, null, 1)'
step "Write the recommended ones."
ask POST /setup/cleanup '{}'
