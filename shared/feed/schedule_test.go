package feed_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/feed"
)

// The digests of the days on which clocks are moved.
func TestNextDigest_MovedClocks(t *testing.T) {
	for name, c := range map[string]struct {
		of   feed.Destination
		from string
		want []string
	}{
		"Berlin, a time that is left out": {
			feed.Destination{Frequency: feed.Daily, Time: "02:30", Timezone: "Europe/Berlin"}, "2026-03-28T00:00:00Z",
			[]string{"2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"},
		},
		"Berlin, a time that comes twice": {
			feed.Destination{Frequency: feed.Daily, Time: "02:30", Timezone: "Europe/Berlin"}, "2026-10-24T00:00:00Z",
			[]string{"2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"},
		},
		"Lord Howe, half an hour is left out": {
			feed.Destination{Frequency: feed.Daily, Time: "02:15", Timezone: "Australia/Lord_Howe"}, "2026-10-03T00:00:00Z",
			[]string{"2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"},
		},
		"Lord Howe, half an hour comes twice": {
			feed.Destination{Frequency: feed.Daily, Time: "01:45", Timezone: "Australia/Lord_Howe"}, "2026-04-04T00:00:00Z",
			[]string{"2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"},
		},
		"Apia had no 30 December 2011": {
			feed.Destination{Frequency: feed.Daily, Time: "09:00", Timezone: "Pacific/Apia"}, "2011-12-29T00:00:00Z",
			[]string{"2011-12-29T19:00:00Z", "2011-12-30T10:00:00Z", "2011-12-30T19:00:00Z"},
		},
		"Apia, each Friday": {
			feed.Destination{Frequency: feed.Weekly, Time: "09:00", Timezone: "Pacific/Apia", DayOfWeek: "friday"},
			"2011-12-20T00:00:00Z",
			[]string{"2011-12-23T19:00:00Z", "2011-12-30T10:00:00Z", "2012-01-05T19:00:00Z"},
		},
		"hourly": {
			feed.Destination{Frequency: feed.Hourly}, "2026-10-25T00:00:00Z",
			[]string{"2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z"},
		},
		"at once": {feed.Destination{Frequency: feed.Instant}, "2026-10-25T00:00:00Z", []string{"0001-01-01T00:00:00Z"}},
	} {
		at, err := time.Parse(time.RFC3339, c.from)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if at = c.of.NextDigest(at); at.Format(time.RFC3339) != want {
				t.Errorf("%s: %s, want %s", name, at.Format(time.RFC3339), want)
			}
		}
	}
}

// Whatever the zone, the time and the day, the intervals tile: each moment is in the one that ends at the next digest.
func TestDigests_Tile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := feed.Destination{
			Frequency: rapid.SampledFrom([]feed.Frequency{feed.Hourly, feed.Daily, feed.Weekly}).Draw(t, "frequency"),
			Time:      time.Date(0, 1, 1, 0, rapid.IntRange(0, 24*60-1).Draw(t, "minute"), 0, 0, time.UTC).Format("15:04"),
			Timezone: rapid.SampledFrom([]string{
				"UTC", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns", "Africa/Casablanca",
				"Pacific/Kiritimati", "America/Nuuk",
			}).Draw(t, "zone"),
			DayOfWeek: strings.ToLower(time.Weekday(rapid.IntRange(0, 6).Draw(t, "day")).String()),
		}
		at := time.Unix(rapid.Int64Range(1_262_304_000, 2_208_988_800).Draw(t, "at"), 0)
		end := d.NextDigest(at)
		begin := d.LastDigest(end)
		if begin.After(at) || !end.After(at) || !d.NextDigest(begin).Equal(end) || !d.NextDigest(begin.Add(-1)).Equal(begin) {
			t.Fatalf("%s is in %s to %s, after which %s follows", at, begin, end, d.NextDigest(begin))
		}
		if longest := map[feed.Frequency]time.Duration{feed.Hourly: time.Hour, feed.Daily: 27 * time.Hour,
			feed.Weekly: 195 * time.Hour}[d.Frequency]; end.Sub(begin) > longest {
			t.Fatalf("%s to %s is %s", begin, end, end.Sub(begin))
		}
	})
}
