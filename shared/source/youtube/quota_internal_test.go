package youtube

import (
	"testing"
	"time"
	_ "time/tzdata" // the table that the rule is held against

	"pgregory.net/rapid"
)

// The rule that is written out is the one of the time zone database.
func TestUntilReset_TimeZoneRule(t *testing.T) {
	pacific, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	want := func(now time.Time) time.Duration {
		local := now.In(pacific)
		return time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, pacific).Sub(now)
	}
	for year := 2025; year < 2040; year++ {
		for _, month := range []time.Month{time.January, time.March, time.November, time.December} {
			for hour := range 31 * 24 * 2 {
				now := time.Date(year, month, 1, 0, 30*hour, 0, 0, time.UTC)
				if got := untilReset(now); got != want(now) {
					t.Fatalf("at %s it is %v until midnight, not %v", now, want(now), got)
				}
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		now := time.Unix(rapid.Int64Range(1735689600, 2524608000).Draw(t, "now"), 0).UTC()
		if got := untilReset(now); got != want(now) {
			t.Fatalf("at %s it is %v until midnight, not %v", now, want(now), got)
		}
	})
}
