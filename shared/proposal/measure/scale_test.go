package measure_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/proposal"
	"earshot/shared/proposal/measure"
)

func TestScale(t *testing.T) {
	whole := volumeOf(answered("hackernews", month(300)), answered("medium", month(10)))
	open := volumeOf(answered("hackernews", proposal.Count{Posts: 100, Window: proposal.Day, Capped: true}))
	for _, tt := range []struct {
		name     string
		v        proposal.Volume
		kept, of int
		check    func(v proposal.Volume) bool
	}{
		{"nothing was sampled", whole, 0, 0, func(v proposal.Volume) bool { return reflect.DeepEqual(v, whole) }},
		{"of fewer than nothing", whole, 3, -1, func(v proposal.Volume) bool { return reflect.DeepEqual(v, whole) }},
		{"a third", whole, 10, 30, func(v proposal.Volume) bool {
			return v.Low > 55 && v.Low < 75 && v.High > 150 && v.High < 185 && v.Band == proposal.BandStandard &&
				v.PerSource[0].Count == 100
		}},
		{"none of thirty", whole, 0, 30, func(v proposal.Volume) bool {
			return v.Low == 0 && v.High > 20 && v.High < 65 && v.PerSource[0].Count == 0
		}},
		{"all of thirty", whole, 30, 30,
			func(v proposal.Volume) bool { return v.Low > 250 && v.Low < whole.Low && v.High == whole.High }},
		{"more than all", whole, 40, 30, func(v proposal.Volume) bool { return v.High == whole.High }},
		{"an open end, all kept", open, 30, 30,
			func(v proposal.Volume) bool { return v.Open && v.PerSource[0].Open && v.Band == proposal.BandTopEnd }},
		{"an open end, some kept", open, 1, 60,
			func(v proposal.Volume) bool { return !v.Open && !v.PerSource[0].Open && v.Band == proposal.BandHigh }},
		{"nothing was counted, half kept", volumeOf(answered("github", month(0))), 1, 2, func(v proposal.Volume) bool {
			return v.Low == 0 && v.High > 0 && v.High <= 3 && v.Basis == proposal.BasisSparse
		}},
		{"a prior", measure.Prior(proposal.ClassCommon), 5, 10, func(v proposal.Volume) bool {
			return v.Basis == proposal.BasisPrior && v.Low < 300 && v.High < 3000 && v.High > 800
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if v := measure.Scale(tt.v, tt.kept, tt.of); !tt.check(v) {
				t.Errorf("of %+v\n%d of %d are %+v", tt.v, tt.kept, tt.of, v)
			}
		})
	}
	if before := whole.PerSource[0].Count; before != 300 {
		t.Errorf("scaling changed what it was given: %v", before)
	}
}

func TestPart(t *testing.T) {
	week := func(n int64) proposal.Count { return proposal.Count{Posts: n, Window: proposal.Week} }
	open := proposal.Count{Posts: 500, Window: proposal.Day, Capped: true}
	whole := volumeOf(
		answered("hackernews", month(500)), answered("reddit", month(5)), answered("bluesky", month(40)),
		answered("stackoverflow", week(855)), answered("twitter", open), answered("github", month(0)),
		answered("medium", month(0)),
	)
	for _, sources := range [][]string{
		{"hackernews"}, {"reddit"}, {"bluesky"}, {"stackoverflow"}, {"twitter"}, {"github"}, {"medium"},
		{"reddit", "bluesky"}, {"reddit", "github", "medium"}, {"stackoverflow", "github"}, {"twitter", "reddit"},
		{"hackernews", "reddit", "bluesky", "github", "medium"}, {"github", "medium"},
	} {
		v := measure.Part(whole, func(source string) bool { return slices.Contains(sources, source) })
		low, high, widest := 0.0, 0.0, 0.0
		for _, c := range v.PerSource {
			low, high, widest = low+c.Low, high+c.High, max(widest, c.High-c.Low)
		}
		if len(v.PerSource) != len(sources) || v.Open != slices.Contains(sources, "twitter") ||
			v.Low < low-0.1 || v.High > high+0.1 || v.High-v.Low < widest-0.1 || v.Band != measure.Band(v.Low, v.High, v.Open) {
			t.Errorf("%v: %+v", sources, v)
		}
		if len(sources) == 1 && (v.Low != low || v.High != high) {
			t.Errorf("%v: %v to %v, and the source brings %v to %v", sources, v.Low, v.High, low, high)
		}
	}
	// What counted nothing takes no more than its own upper end away.
	for _, w := range []proposal.Volume{whole, volumeOf(
		answered("hackernews", open), answered("reddit", open), answered("bluesky", open), answered("github", month(0)),
		answered("medium", month(0)),
	)} {
		v := measure.Part(w, func(source string) bool { return source != "github" && source != "medium" })
		if v.Low != w.Low || v.High > w.High || v.High < w.High-6.1 {
			t.Errorf("%v to %v, and %v to %v without what counted nothing", w.Low, w.High, v.Low, v.High)
		}
	}
	if v := measure.Part(whole, func(string) bool { return true }); !reflect.DeepEqual(v, whole) {
		t.Errorf("all of it is %+v", v)
	}
	if v := measure.Part(whole, func(string) bool { return false }); v.Low != 0 || v.High != 0.1 || v.Open ||
		len(whole.PerSource) != 7 {
		t.Errorf("none of it is %+v", v)
	}
}

// The product's range has the mean of what is kept as often as it says, from the two ranges at the same level.
func TestScaleCovers(t *testing.T) {
	for _, tt := range []struct {
		mean  float64
		share float64
		of    int
	}{
		{400, 0.5, 30}, {400, 0.1, 30}, {400, 0.9, 30}, {400, 0.02, 30}, {400, 1, 30},
		{60, 0.5, 30}, {60, 0.1, 60}, {15, 0.5, 15}, {15, 0.9, 15}, {4, 0.5, 4}, {2000, 0.3, 60}, {2000, 0.97, 60},
		{25, 0.3, 10},
	} {
		random := rand.New(rand.NewPCG(7, 8))
		const draws = 1_000
		held, width, naive := 0, 0.0, 0.0
		for range draws {
			v := volumeOf(answered("hackernews", month(poisson(random, tt.mean))))
			kept := binomial(random, tt.of, tt.share)
			scaled := measure.Scale(v, kept, tt.of)
			if truth := tt.mean * tt.share; scaled.Low <= truth && truth <= scaled.High {
				held++
			}
			low, high := measure.Share(kept, tt.of, 0.9)
			width, naive = width+scaled.High-scaled.Low, naive+v.High*high-v.Low*low
		}
		covered(t, held, draws)
		if width > naive {
			t.Errorf("is %.2f as wide as the products of the ends", width/naive)
		}
		t.Logf("mean %4.0f, %.2f kept of %d: covered %.3f, %.2f of the products' width", tt.mean, tt.share, tt.of,
			float64(held)/draws, width/naive)
	}
}

// A range made of the last days also has the number of posts that the whole month around them really had, not only its mean.
func TestJoinCoversTheMonthThatWas(t *testing.T) {
	for _, window := range proposal.Windows() {
		for _, daily := range []float64{0.7, 3, 12} {
			random := rand.New(rand.NewPCG(11, 12))
			const draws = 1_000
			held := 0
			for range draws {
				last := poisson(random, daily*window.Days())
				month := last + poisson(random, daily*(30-window.Days()))
				v := volumeOf(answered("hackernews", proposal.Count{Posts: last, Window: window}))
				if v.Low <= float64(month) && float64(month) <= v.High {
					held++
				}
			}
			covered(t, held, draws)
			t.Logf("%s, %v a day: %.3f", window, daily, float64(held)/draws)
		}
	}
}

// Whatever the sources answered: a range, not below nothing, finite, never a point, in its band, and the same when asked again.
func TestVolumesAreRanges(t *testing.T) {
	classes := []proposal.Class{proposal.ClassDistinctive, proposal.ClassCommon, proposal.ClassPhrase,
		proposal.ClassDomain, proposal.ClassHandle}
	sources := []string{"hackernews", "github", "reddit", "medium", "twitter", "youtube", "dev", "forum"}
	count := rapid.Custom(func(t *rapid.T) proposal.Count {
		c := proposal.Count{
			Posts:  rapid.Int64Range(-2, math.MaxInt64).Draw(t, "posts"),
			Window: rapid.SampledFrom(proposal.Windows()).Draw(t, "window"),
		}
		if rapid.Bool().Draw(t, "small") {
			c.Posts = rapid.Int64Range(0, 2000).Draw(t, "few posts")
		}
		if c.Capped = rapid.Bool().Draw(t, "capped"); c.Capped {
			c.Hours = rapid.Float64Range(0, 24).Draw(t, "hours")
		} else if rapid.Bool().Draw(t, "told") {
			c.Read = rapid.IntRange(1, 200).Draw(t, "read")
			c.Matched = rapid.IntRange(0, c.Read).Draw(t, "matched")
			c.Told = rapid.Int64Range(int64(c.Read), 1e15).Draw(t, "number")
			c.Posts = c.Told / int64(c.Read) * int64(c.Matched)
		}
		return c
	})
	sound := func(t *rapid.T, v proposal.Volume) {
		ranged := func(low, high float64) bool {
			return low >= 0 && high > low && !math.IsInf(high, 0) && !math.IsNaN(high)
		}
		if !ranged(v.Low, v.High) {
			t.Fatalf("%v to %v", v.Low, v.High)
		}
		if v.Band != measure.Band(v.Low, v.High, v.Open) {
			t.Fatalf("%v to %v, open %t, is %s", v.Low, v.High, v.Open, v.Band)
		}
		if v.PerSource == nil || v.UnverifiedSources == nil || v.UnmeasuredSources == nil ||
			!slices.Contains(proposal.Windows(), v.Window) {
			t.Fatalf("is not whole: %+v", v)
		}
		for _, s := range v.PerSource {
			if !ranged(s.Low, s.High) || s.Factor <= 0 || s.Count < 0 {
				t.Fatalf("a source: %+v", s)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		candidates := proposal.Candidates{Candidates: []proposal.Candidate{
			{Ref: "brand", Class: rapid.SampledFrom(classes).Draw(t, "class")}, {Ref: "analog"},
			{Ref: "narrow", Platforms: []string{"reddit_comment"}},
		}}
		var counts []proposal.Counts
		for _, source := range sources {
			c := answered(source, count.Draw(t, source))
			c.State = rapid.SampledFrom([]proposal.SourceState{
				proposal.SourceAnswered, proposal.SourceFailed, proposal.SourceSpent, proposal.SourceUnmeasured,
			}).Draw(t, "state")
			if rapid.Bool().Draw(t, "empty") {
				c.Counts = nil
			}
			counts = append(counts, c)
		}
		analogs := map[string]measure.Analog{
			"analog": {Posts: map[string]int64{"reddit": rapid.Int64Range(-1, 1e12).Draw(t, "came in")}}}
		asked := rapid.SliceOfDistinct(rapid.SampledFrom(append(sources, "youtube", "firehose")), rapid.ID[string]).
			Draw(t, "asked")
		got := measure.Join(candidates, counts, analogs, asked, at)
		if again := measure.Join(candidates, counts, analogs, asked, at); !reflect.DeepEqual(got, again) {
			t.Fatal("asked again, another outcome")
		}
		if len(got.Volumes) != 3 {
			t.Fatalf("%d volumes", len(got.Volumes))
		}
		for _, c := range candidates.Candidates {
			v := got.Volumes[c.Ref]
			sound(t, v)
			of := rapid.IntRange(0, 60).Draw(t, "of")
			kept := rapid.IntRange(0, of).Draw(t, "kept")
			scaled := measure.Scale(v, kept, of)
			sound(t, scaled)
			if scaled.High > v.High || scaled.Low > v.Low || scaled.Basis != v.Basis {
				t.Fatalf("%d of %d of %+v are %+v", kept, of, v, scaled)
			}
			if more := measure.Scale(v, min(kept+1, of), of); more.Low < scaled.Low || more.High < scaled.High {
				t.Fatalf("of %+v\n%d of %d are more than one more: %+v\n%+v", v, kept, of, scaled, more)
			}
		}
	})
}

// One post more in any source never lowers the upper end or the middle; and where all weigh the same, never the lower
// end. (With unequal weights one post that stands for many widens a range more than it moves it.)
func TestVolumeIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := proposal.Count{
			Posts:  rapid.Int64Range(0, 5000).Draw(t, "a"),
			Window: rapid.SampledFrom(proposal.Windows()).Draw(t, "window"),
		}
		b := month(rapid.Int64Range(0, 5000).Draw(t, "b"))
		source := rapid.SampledFrom([]string{"medium", "github"}).Draw(t, "source")
		of := func(posts int64) proposal.Volume {
			a.Posts = posts
			return volumeOf(answered(source, a), answered("hackernews", b))
		}
		less, more := of(a.Posts), of(a.Posts+1)
		equal := source == "github" && a.Window == proposal.Month
		if more.High < less.High || more.Mid() < less.Mid() || equal && more.Low < less.Low {
			t.Fatalf("%+v\nof one more: %+v", less, more)
		}
	})
}
