#!/usr/bin/env bash
# Figures about mentions: by time, by what they are, by author, and compared. Every figure says whether it is exact, and
# every row has the filters that open its mentions.
set -euo pipefail
# shellcheck source=infra/tour/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

KEY=$(demo keys.read)
week=$(in_days -7 | cut -c 1-10)

# A date is a day of the time zone, which has 23 or 25 hours when clocks change. endDate is the first day that no longer
# counts; without it the period ends with today, and without startDate it has 30 days.
step "Count the mentions of a week day by day, in the days of Berlin."
ask GET "/analytics/volume?startDate=$week&timezone=Europe/Berlin&fill=true" | pick \
  'a.data.map(row => row.bucket + " " + row.count).join("\n") + "\nexact: " + a.exact'

step "Count by tone, of two platforms."
tones=$(ask GET "/analytics/sentiment?platforms=reddit,hackernews")
echo "$tones"

# includeAll belongs to it: filters say which relevance counts.
step "Open the mentions that the first row counts, by its filters."
ask POST /mentions "$(echo "$tones" | pick 'JSON.stringify({filters: a.data[0].filters, includeAll: true, limit: 2})')" |
  pick 'a.data.map(m => m.source + " " + m.sentiment + " " + m.sourceId).join("\n")'

step "Count by topic: a mention counts for each of its topics."
ask GET /analytics/tags | pick 'a.data.slice(0, 4).map(row => row.tag + " " + row.count).join("\n")'

step "List the authors with the most mentions and with the most followers."
ask GET "/analytics/authors?limit=3" | pick \
  'a.total + " authors, first " + a.data[0].author + "; most followed " + a.byFollowers[0].author'

# The own brand is all keywords with the tag own_brand together. Each keyword with the tag competitor is one.
step "Compare the own brand to its competitors, week by week."
ask GET /analytics/share-of-voice | pick \
  'a.data.map(row => row.bucket + " " + row.name + " " + Math.round(100 * row.share) + " %").join("\n")'

step "Read everything that a dashboard shows, with the period before, in one call."
ask GET /analytics/dashboard | pick 'JSON.stringify({count: a.count, before: a.comparedTo.count, usage: a.usage.limit})'

# Authors, followers and texts are counted from rows, within a budget. A query beyond it is refused, never cut.
step "Ask for figures of your own: reach and the share of negative mentions by platform and relevance."
ask POST /analytics/query '{"aggregates": ["count", "reach", "negativeShare"], "dimensions": ["source", "relevance"],
  "filters": {"!tag": ["promotional_post"]}, "limit": 2, "compareTo": "previous"}'

step "A fault is named with its place, and with what is allowed."
refused VALIDATION_ERROR GET "/analytics/volume?startDate=2026-11-02&endDate=2026-11-01&granularity=day"
refused INVALID_TIMEZONE GET "/analytics/sources?timezone=local"

step "The Agents plan has no figures."
KEY=$(demo keys.agentsPlan)
refused UPGRADE_REQUIRED GET /analytics/volume
