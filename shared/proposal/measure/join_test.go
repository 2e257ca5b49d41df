package measure_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"earshot/shared/proposal"
	"earshot/shared/proposal/measure"
)

var at = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func one(class proposal.Class, platforms ...string) proposal.Candidates {
	return proposal.Candidates{Candidates: []proposal.Candidate{{
		Ref:       "brand",
		Text:      "quietharbor",
		Class:     class,
		Platforms: platforms,
	}}}
}

func answered(source string, c proposal.Count) proposal.Counts {
	return proposal.Counts{
		Source:   source,
		State:    proposal.SourceAnswered,
		Counts:   map[string]proposal.Count{"brand": c},
		Requests: 1,
	}
}

func month(posts int64) proposal.Count { return proposal.Count{Posts: posts, Window: proposal.Month} }

func volumeOf(counts ...proposal.Counts) proposal.Volume {
	return measure.Join(one(proposal.ClassDistinctive), counts, nil, nil, at).Volumes["brand"]
}

// One source, one candidate: the count's interval, by the days and by the factor of coverage.
func TestJoinOfOneSource(t *testing.T) {
	for _, tt := range []struct {
		name      string
		source    string
		count     proposal.Count
		low, high float64
		band      proposal.Band
		basis     proposal.Basis
		open      bool
	}{
		{"nothing", "hackernews", month(0), 0, 3, proposal.BandQuiet, proposal.BasisSparse, false},
		{"nine are sparse", "hackernews", month(9), 4.6, 15.8, proposal.BandQuiet, proposal.BasisSparse, false},
		{"ten are not", "hackernews", month(10), 5.4, 17, proposal.BandQuiet, proposal.BasisSampled, false},
		{"thirty, whose middle is 31.1", "hackernews", month(30), 21.5, 40.7, proposal.BandStandard, proposal.BasisSampled,
			false},
		{"a week", "hackernews", proposal.Count{Posts: 20, Window: proposal.Week}, 56.8, 124.6, proposal.BandStandard,
			proposal.BasisSampled, false},
		{"a day", "hackernews", proposal.Count{Posts: 20, Window: proposal.Day}, 397.6, 871.9, proposal.BandHigh,
			proposal.BasisSampled, false},
		{"factor of Medium", "medium", month(10), 10.8, 34, proposal.BandQuiet, proposal.BasisSampled, false},
		{"open, no pace", "hackernews", proposal.Count{Posts: 100, Window: proposal.Day, Capped: true}, 2524.1, 35423.8,
			proposal.BandTopEnd, proposal.BasisSampled, true},
		{"open, the pace of six hours", "hackernews",
			proposal.Count{Posts: 100, Window: proposal.Day, Capped: true, Hours: 6}, 2524.1, 28339.1,
			proposal.BandTopEnd, proposal.BasisSampled, true},
		{"open, few that match", "hackernews", proposal.Count{Posts: 1, Window: proposal.Day, Capped: true, Hours: 24}, 1.5,
			284.7,
			proposal.BandTopEnd, proposal.BasisSparse, true},
		{"told, and a page of which all matched", "github",
			proposal.Count{Posts: 5000, Window: proposal.Month, Told: 5000, Read: 100, Matched: 100},
			4859, 5215, proposal.BandTopEnd, proposal.BasisSampled, false},
		{"told, and a page of which none matched", "github", proposal.Count{Window: proposal.Month, Told: 5000, Read: 100},
			0, 191.1, proposal.BandStandard, proposal.BasisSparse, false},
		{"a window that nobody knows is the shortest", "hackernews", proposal.Count{Posts: 20, Window: "2h"}, 397.6, 871.9,
			proposal.BandHigh, proposal.BasisSampled, false},
		{"fewer than nothing", "hackernews", month(-5), 0, 3, proposal.BandQuiet, proposal.BasisSparse, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := volumeOf(answered(tt.source, tt.count))
			if math.Abs(v.Low-tt.low) > 0.15 || math.Abs(v.High-tt.high) > 0.15 {
				t.Errorf("%v to %v, not %v to %v", v.Low, v.High, tt.low, tt.high)
			}
			if v.Band != tt.band || v.Basis != tt.basis || v.Open != tt.open {
				t.Errorf("is %s, %s, open %t", v.Band, v.Basis, v.Open)
			}
			if len(v.PerSource) != 1 || v.PerSource[0].Low != v.Low || v.PerSource[0].High != v.High ||
				v.PerSource[0].Open != v.Open {
				t.Errorf("its one source is %+v", v.PerSource)
			}
		})
	}
}

// With equal weights the sum is the exact interval of all posts together.
func TestJoinIsExactForEqualWeights(t *testing.T) {
	v := volumeOf(answered("hackernews", month(4)), answered("github", month(0)), answered("stackoverflow", month(26)))
	low, high := measure.Interval(30, proposal.CoverageConfidence)
	if v.Low > low || v.Low < low-0.1 || v.High < high || v.High > high+0.1 {
		t.Errorf("%v to %v, the exact interval is %v to %v", v.Low, v.High, low, high)
	}
}

// Every source is where it belongs, in the run's lists and in the volume's.
func TestJoinNamesSources(t *testing.T) {
	candidates := proposal.Candidates{Candidates: []proposal.Candidate{
		{Ref: "brand", Class: proposal.ClassDistinctive},
		{Ref: "handle", Class: proposal.ClassHandle, Platforms: []string{"twitter"}},
		{Ref: "lost", Class: proposal.ClassCommon, Platforms: []string{"reddit"}},
		{Ref: "bluesky", Class: proposal.ClassHandle, Platforms: []string{"firehose"}},
	}}
	counts := []proposal.Counts{
		{
			Source:   "twitter",
			State:    proposal.SourceSpent,
			Requests: 2,
			Counts:   map[string]proposal.Count{"brand": {Posts: 3, Window: proposal.Week}},
		},
		{
			Source:   "hackernews",
			State:    proposal.SourceAnswered,
			Requests: 4,
			Counts:   map[string]proposal.Count{"brand": month(12), "handle": month(99)},
		},
		{Source: "reddit", State: proposal.SourceFailed, Reason: "answered 503", Requests: 1},
		{Source: "podcasts", State: proposal.SourceUnmeasured, Reason: "its credentials are not configured"},
		{
			Source:   "bluesky",
			State:    proposal.SourceAnswered,
			Requests: 1,
			Counts:   map[string]proposal.Count{"brand": month(1), "bluesky": month(2)},
		},
	}
	asked := []string{"youtube", "dev", "firehose", "hackernews", "reddit", "podcasts", "twitter", "bluesky"}
	got := measure.Join(candidates, counts, nil, asked, at)
	for name, both := range map[string][2][]string{
		"answered":           {got.Sources, {"bluesky", "hackernews", "twitter"}},
		"failed":             {got.Failed, {"reddit", "twitter", "youtube"}},
		"unmeasured":         {got.Unmeasured, {"dev", "podcasts"}},
		"reasons":            {slices.Sorted(maps.Keys(got.Reasons)), {"dev", "podcasts", "reddit", "twitter", "youtube"}},
		"brand unverified":   {got.Volumes["brand"].UnverifiedSources, {"reddit", "youtube"}},
		"brand unmeasured":   {got.Volumes["brand"].UnmeasuredSources, {"dev", "podcasts"}},
		"handle unverified":  {got.Volumes["handle"].UnverifiedSources, {"twitter"}},
		"handle unmeasured":  {got.Volumes["handle"].UnmeasuredSources, {}},
		"lost unverified":    {got.Volumes["lost"].UnverifiedSources, {"reddit"}},
		"bluesky unverified": {got.Volumes["bluesky"].UnverifiedSources, {}},
	} {
		if !slices.Equal(both[0], both[1]) {
			t.Errorf("%s: %v, not %v", name, both[0], both[1])
		}
	}
	if got.Reasons["reddit"] != "answered 503" || got.Reasons["twitter"] == "" || got.Reasons["youtube"] == "" {
		t.Errorf("reasons: %v", got.Reasons)
	}
	if got.Requests != 8 || !got.At.Equal(at) {
		t.Errorf("%d requests at %v", got.Requests, got.At)
	}
	brand, handle, lost := got.Volumes["brand"], got.Volumes["handle"], got.Volumes["lost"]
	if brand.Window != proposal.Week || len(brand.PerSource) != 3 || brand.PerSource[0].Source != "bluesky" {
		t.Errorf("brand: %+v", brand)
	}
	for name, v := range map[string]proposal.Volume{"handle": handle, "lost": lost} {
		if v.Basis != proposal.BasisPrior || v.High <= v.Low || len(v.PerSource) != 0 {
			t.Errorf("%s, that nobody counted: %+v", name, v)
		}
	}
	backwards := slices.Clone(counts)
	slices.Reverse(backwards)
	slices.Reverse(asked)
	if again := measure.Join(candidates, backwards, nil, asked, at); !reflect.DeepEqual(again, got) {
		t.Errorf("another order of answers gives another outcome: %+v", again)
	}
}

// What is tracked already goes by what came in.
func TestAnalog(t *testing.T) {
	for _, tt := range []struct {
		name      string
		analog    measure.Analog
		low, high float64
		sources   int
	}{
		{"two sources", measure.Analog{
			Posts:   map[string]int64{"reddit": 20, "twitter": 10},
			Sources: []string{"reddit", "news"},
		}, 21.5, 40.7, 3},
		{"since a week", measure.Analog{Posts: map[string]int64{"reddit": 20}, Window: proposal.Week}, 56.8, 124.6, 1},
		{"nothing came", measure.Analog{}, 0, 3, 0},
		{"nothing came in a day", measure.Analog{Window: proposal.Day}, 0, 89.9, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			counts := []proposal.Counts{answered("hackernews", month(500))}
			v := measure.Join(one(proposal.ClassDistinctive), counts, map[string]measure.Analog{"brand": tt.analog}, nil, at).
				Volumes["brand"]
			if v.Basis != proposal.BasisAnalog || math.Abs(v.Low-tt.low) > 0.11 || math.Abs(v.High-tt.high) > 0.11 ||
				len(v.PerSource) != tt.sources {
				t.Errorf("%+v", v)
			}
		})
	}
}

func TestPrior(t *testing.T) {
	for class, band := range map[proposal.Class]proposal.Band{
		proposal.ClassDistinctive: proposal.BandQuiet,
		proposal.ClassDomain:      proposal.BandQuiet,
		proposal.ClassHandle:      proposal.BandQuiet,
		proposal.ClassPhrase:      proposal.BandStandard,
		proposal.ClassCommon:      proposal.BandHigh,
		"another":                 proposal.BandStandard,
	} {
		v := measure.Prior(class)
		if v.Band != band || v.Basis != proposal.BasisPrior || v.Low >= v.High || v.Window != proposal.Month ||
			v.PerSource == nil || v.UnverifiedSources == nil || v.UnmeasuredSources == nil {
			t.Errorf("%s: %+v", class, v)
		}
	}
}

func TestBand(t *testing.T) {
	for _, tt := range []struct {
		low, high float64
		open      bool
		want      proposal.Band
	}{
		{0, 60, false, proposal.BandQuiet}, {0, 60.2, false, proposal.BandStandard}, {200, 400, false, proposal.BandStandard},
		{200, 400.2, false, proposal.BandHigh}, {2000, 3000, false, proposal.BandHigh},
		{2000, 3000.2, false, proposal.BandTopEnd},
		{0, 3, true, proposal.BandTopEnd},
	} {
		if got := measure.Band(tt.low, tt.high, tt.open); got != tt.want {
			t.Errorf("%v to %v, open %t: %s", tt.low, tt.high, tt.open, got)
		}
	}
}

// The range of a sum has the truth as often as it says, and is no wider than it must: less than the sum of the ends,
// whatever windows and factors come together.
func TestJoinCovers(t *testing.T) {
	type part struct {
		source string
		window proposal.Window
		mean   float64 // of posts in the window
	}
	for _, tt := range []struct {
		name   string
		parts  []part
		atMost float64 // of the width that the sum of the ends has
	}{
		{"two of a month", []part{{"hackernews", proposal.Month, 6}, {"github", proposal.Month, 14}}, 0.8},
		{"a month and a week", []part{{"hackernews", proposal.Month, 30}, {"reddit", proposal.Week, 25}}, 0.95},
		{"all windows", []part{{"hackernews", proposal.Month, 40}, {"reddit", proposal.Week, 30},
			{"twitter", proposal.Day, 20}}, 1},
		{"ten, mostly of nothing",
			[]part{{"hackernews", proposal.Month, 2}, {"github", proposal.Month, 0.5}, {"reddit", proposal.Month, 1},
				{"bluesky", proposal.Month, 0.3}, {"twitter", proposal.Week, 0.5}, {"youtube", proposal.Month, 0.2},
				{"medium", proposal.Month, 0.4},
				{"podcasts", proposal.Month, 0.2}, {"news", proposal.Month, 0.5}, {"stackoverflow", proposal.Month, 0.1}}, 0.6},
		{"ten of some", []part{{"hackernews", proposal.Month, 22}, {"github", proposal.Month, 15},
			{"reddit", proposal.Month, 31},
			{"bluesky", proposal.Month, 18}, {"twitter", proposal.Week, 12}, {"youtube", proposal.Month, 10},
			{"medium", proposal.Month, 4},
			{"podcasts", proposal.Month, 12}, {"news", proposal.Week, 15}, {"stackoverflow", proposal.Month, 9}}, 0.6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, 4))
			const draws = 1_000
			held, width, ends := 0, 0.0, 0.0
			truth := 0.0
			for _, p := range tt.parts {
				factor, _ := measure.Coverage(p.source)
				truth += p.mean * 30 / p.window.Days() * factor
			}
			for range draws {
				var counts []proposal.Counts
				for _, p := range tt.parts {
					counts = append(counts, answered(p.source, proposal.Count{Posts: poisson(random, p.mean), Window: p.window}))
				}
				v := volumeOf(counts...)
				if v.Low <= truth && truth <= v.High {
					held++
				}
				width += v.High - v.Low
				for _, s := range v.PerSource {
					ends += s.High - s.Low
				}
			}
			covered(t, held, draws)
			if width > tt.atMost*ends {
				t.Errorf("is %.2f as wide as the sum of the ends", width/ends)
			}
			t.Logf("true %.0f: covered %.3f, %.2f of the naive width, %.2f of the truth", truth, float64(held)/draws, width/ends,
				width/draws/truth)
		})
	}
}

// A number that the platform told, corrected by a page: the range has the number of posts that really match.
func TestCorrectedCountCovers(t *testing.T) {
	for _, tt := range []struct {
		mean, share float64
		read        int
	}{{900, 0.95, 100}, {900, 0.5, 100}, {900, 0.05, 100}, {900, 0.005, 100}, {300, 1, 100}, {2000, 0.8, 50}} {
		random := rand.New(rand.NewPCG(5, 6))
		const draws = 1_000
		held, width := 0, 0.0
		for range draws {
			told := poisson(random, tt.mean)
			matched := binomial(random, tt.read, tt.share)
			posts := int64(math.Round(float64(told) * float64(matched) / float64(tt.read)))
			v := volumeOf(answered("github",
				proposal.Count{Posts: posts, Window: proposal.Month, Told: told, Read: tt.read, Matched: matched}))
			if truth := tt.mean * tt.share; v.Low <= truth && truth <= v.High {
				held++
			}
			width += v.High - v.Low
		}
		covered(t, held, draws)
		t.Logf("%v told, %v of them match: covered %.3f, %.2f of the truth wide", tt.mean, tt.share, float64(held)/draws,
			width/draws/(tt.mean*tt.share))
	}
}
