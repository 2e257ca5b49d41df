package analytics

import (
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"
)

func zoneOf(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestFirstMoment_ClockChanges(t *testing.T) {
	for _, c := range []struct {
		zone             string
		year, month, day int
		want             string
	}{
		{"Europe/Berlin", 2026, 10, 25, "2026-10-24T22:00:00Z"},
		{"America/Sao_Paulo", 2018, 11, 4, "2018-11-04T03:00:00Z"},  // no midnight: the day begins at 01:00
		{"America/Havana", 2026, 11, 1, "2026-11-01T04:00:00Z"},     // midnight twice: the first
		{"Asia/Kathmandu", 2026, 11, 1, "2026-10-31T18:15:00Z"},     // 45 minutes
		{"Pacific/Apia", 2011, 12, 30, "2011-12-30T10:00:00Z"},      // a day left out: the next one
		{"Australia/Lord_Howe", 2026, 4, 5, "2026-04-04T13:00:00Z"}, // half an hour
	} {
		got := FirstMoment(c.year, time.Month(c.month), c.day, zoneOf(t, c.zone)).UTC().Format(time.RFC3339)
		if got != c.want {
			t.Errorf("FirstMoment(%d-%d-%d, %s) = %s, want %s", c.year, c.month, c.day, c.zone, got, c.want)
		}
	}
}

// Buckets cover a period without a gap or an overlap, in any zone, also across changes of its clock.
func TestBuckets_Cover(t *testing.T) {
	zones := []string{"UTC", "Europe/Berlin", "America/Sao_Paulo", "America/Havana", "Asia/Kathmandu", "Asia/Kolkata",
		"Pacific/Apia",
		"Australia/Lord_Howe", "America/St_Johns"}
	rapid.Check(t, func(t *rapid.T) {
		zone, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		year := rapid.SampledFrom([]int64{2011, 2018, 2026}).Draw(t, "year")
		start := time.Date(int(year), 1, 1, 0, 0, 0, 0, time.UTC).
			Add(time.Duration(rapid.Int64Range(0, 365*24*60).Draw(t, "from")) * time.Minute)
		p := Period{start, start.Add(time.Duration(rapid.Int64Range(1, 100*24*60).Draw(t, "minutes")) * time.Minute), zone}
		g := rapid.SampledFrom(Granularities()).Draw(t, "granularity")
		at := p.Start
		var label time.Time
		for i, b := range p.Buckets(g) {
			if !b.Start.Equal(at) || !b.End.After(b.Start) || b.Label.After(b.Start) || !b.Label.After(label) {
				t.Fatalf("bucket %d = %v, want one from %v", i, b, at)
			}
			if i > 0 && !b.Label.Equal(b.Start) {
				t.Fatalf("bucket %d = %v, want the start of a %s", i, b, g)
			}
			local := b.Label.In(zone)
			if g == Hour && (local.Minute() != 0 || local.Second() != 0) {
				t.Fatalf("an hour begins at %v", local)
			}
			if g == Week && local.Weekday() != time.Monday || g == Month && local.Day() != 1 {
				if zone.String() != "Pacific/Apia" { // which left a day out
					t.Fatalf("a %s begins at %v", g, local)
				}
			}
			at, label = b.End, b.Label
		}
		if !at.Equal(p.End) {
			t.Fatalf("buckets end at %v, want %v", at, p.End)
		}
	})
}

func TestBuckets_DaysOf23And25Hours(t *testing.T) {
	berlin := zoneOf(t, "Europe/Berlin")
	for day, want := range map[string]int{"2026-03-29": 23, "2026-10-25": 25, "2026-11-01": 24} {
		from, _ := time.ParseInLocation(time.DateOnly, day, berlin)
		p := Period{from, Tomorrow(from, berlin), berlin}
		if got := len(p.Buckets(Hour)); got != want {
			t.Errorf("Buckets(%s) = %d hours, want %d", day, got, want)
		}
	}
}

// A clock that is turned by half an hour makes an hour of 90 minutes.
func TestBuckets_HalfAnHour(t *testing.T) {
	zone := zoneOf(t, "Australia/Lord_Howe")
	for day, want := range map[string][]string{"2027-04-04": {"14:00", "15:30"}, "2027-10-03": {"14:30", "16:00"}} {
		from, _ := time.ParseInLocation(time.DateOnly, day, zone)
		var labels []string
		for _, b := range (Period{from, Tomorrow(from, zone), zone}).Buckets(Hour) {
			labels = append(labels, b.Label.UTC().Format("15:04"))
		}
		if len(labels) != 24 && len(labels) != 23 || labels[1] != want[0] || labels[2] != want[1] {
			t.Errorf("Buckets(%s) = %q, want %q after the first", day, labels, want)
		}
	}
}

func TestPeriod_Before(t *testing.T) {
	berlin := zoneOf(t, "Europe/Berlin")
	days := Period{FirstMoment(2026, 10, 20, berlin), FirstMoment(2026, 10, 27, berlin), berlin}.Before()
	if want := FirstMoment(2026, 10, 13, berlin); !days.Start.Equal(want) {
		t.Errorf("Before() of seven days = %v, want %v, although one of the days has 25 hours", days.Start, want)
	}
	hours := Period{time.Unix(7200, 0), time.Unix(9000, 0), time.UTC}.Before()
	if hours.Start.Unix() != 5400 || hours.End.Unix() != 7200 {
		t.Errorf("Before() of half an hour = %v", hours)
	}
}

func TestPeriod_YearBefore(t *testing.T) {
	for _, c := range []struct{ zone, start, end, want string }{
		{"UTC", "2027-03-01T00:00:00Z", "2027-03-08T00:00:00Z", "2026-03-01T00:00:00Z 2026-03-08T00:00:00Z"},
		{"UTC", "2028-02-29T00:00:00Z", "2028-03-01T00:00:00Z", "2027-02-28T00:00:00Z 2027-03-01T00:00:00Z"},
		{"UTC", "2028-02-29T18:00:00Z", "2028-03-01T06:00:00Z", "2027-02-28T18:00:00Z 2027-03-01T06:00:00Z"},
		{"Europe/Berlin", "2027-03-28T23:00:00+02:00", "2027-03-29T00:00:00+02:00",
			"2026-03-28T23:00:00+01:00 2026-03-29T00:00:00+01:00"},
		{"America/Sao_Paulo", "2019-11-04T00:00:00-03:00", "2019-11-05T00:00:00-03:00", "2018-11-04T01:00:00-02:00 2018-11-05T00:00:00-02:00"}, // no midnight
	} {
		zone := zoneOf(t, c.zone)
		at := func(text string) time.Time {
			moment, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			return moment
		}
		p := Period{at(c.start), at(c.end), zone}.YearBefore()
		if got := p.Start.In(zone).Format(time.RFC3339) + " " + p.End.In(zone).Format(time.RFC3339); got != c.want {
			t.Errorf("YearBefore(%s to %s) = %s, want %s", c.start, c.end, got, c.want)
		}
	}
}
