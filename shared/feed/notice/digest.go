package notice

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/mention"
)

// OfDigest returns what a message tells of an interval. name is that of the notification or the feed; the times are shown
// in the destination's zone. mentions are those that are quoted, grouped by the keyword of theirs that has the most.
func OfDigest(name string, to feed.Destination, d delivery.Digest, mentions []mention.Mention) Content {
	f := d.Figures
	what := strconv.Itoa(f.Mentions) + " mentions"
	if f.Mentions == 1 {
		what = "1 mention"
	}
	return Content{
		Says: fmt.Sprintf("%s in “%s”, %s", what, line(name, feed.MaxNotificationName), interval(to, d.From, d.To)),
		Figures: []Figure{
			{"Mentions", strconv.Itoa(f.Mentions), against(f)},
			{"Positive", strconv.Itoa(f.Positive), ""},
			{"Neutral", strconv.Itoa(f.Neutral), ""},
			{"Negative", strconv.Itoa(f.Negative), ""},
		},
		Groups: byKeyword(f.Keywords, mentions),
		More:   max(0, f.Mentions-len(mentions)),
	}
}

// interval says an interval in the zone of a destination: "Fri 20 Nov 09:00 to Sat 21 Nov 09:00 (Europe/Berlin)".
func interval(to feed.Destination, from, until time.Time) string {
	name := cmp.Or(to.Timezone, "UTC")
	zone, err := time.LoadLocation(name)
	if err != nil {
		zone, name = time.UTC, "UTC"
	}
	const form = "Mon 2 Jan 15:04"
	return fmt.Sprintf("%s to %s (%s)", from.In(zone).Format(form), until.In(zone).Format(form), name)
}

// against compares an interval's mentions with those of the interval before; empty if nothing is known of it.
func against(f delivery.Figures) string {
	if f.Before == nil {
		return ""
	}
	switch before := *f.Before; {
	case before == 0:
		return "none in the interval before"
	case before == f.Mentions:
		return "as many as in the interval before"
	default:
		change := float64(f.Mentions-before) / float64(before) * 100
		return fmt.Sprintf("%+.0f %% against %d in the interval before", change, before)
	}
}

// byKeyword groups mentions by the first of a digest's keywords that they have, in the order of the keywords.
func byKeyword(keywords []delivery.KeywordFigure, mentions []mention.Mention) (groups []Group) {
	var others []mention.Mention
	byID := map[int64][]mention.Mention{}
	for _, m := range mentions {
		at := slices.IndexFunc(keywords, func(k delivery.KeywordFigure) bool {
			return slices.ContainsFunc(m.Keywords, func(of mention.Keyword) bool { return of.ID == k.ID })
		})
		if at < 0 {
			others = append(others, m)
			continue
		}
		byID[keywords[at].ID] = append(byID[keywords[at].ID], m)
	}
	for _, k := range keywords {
		if of := byID[k.ID]; len(of) > 0 {
			groups = append(groups, Group{Name: k.Text, Total: k.Mentions, Mentions: of})
		}
	}
	if len(others) > 0 {
		groups = append(groups, Group{Mentions: others})
		if len(groups) > 1 {
			groups[len(groups)-1].Name = "Other keywords"
		}
	}
	return groups
}
