package cleanup_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/proposal"
	"earshot/shared/proposal/cleanup"
)

// whole has something of every setting.
func whole() proposal.Keyword {
	return proposal.Keyword{
		Keyword:              "acme",
		Tag:                  keyword.Competitor,
		Context:              "Acme, the anvils.",
		AdditionalTerms:      []string{"anvil", "rocket"},
		ExcludeWords:         []string{"coyote", "desert"},
		WildcardExcludeWords: []string{"road*"},
		ExcludeAuthors:       []string{"@beep"},
		Platforms:            []string{"reddit"},
	}
}

func everythingWaits(k proposal.Keyword) proposal.Keyword {
	k.Approval = map[proposal.Setting]proposal.Approves{}
	for _, setting := range proposal.Settings() {
		k.Approval[setting] = proposal.InCleanup
	}
	return k
}

func TestSplit(t *testing.T) {
	if _, waits := cleanup.Split(whole()); waits != nil {
		t.Errorf("nothing waits: %+v", waits)
	}
	own := whole()
	own.Tag = keyword.OwnBrand
	written, waits := cleanup.Split(own)
	if len(written.AdditionalTerms) != 0 || len(waits) != 1 || !slices.Equal(waits[0].Terms, own.AdditionalTerms) {
		t.Errorf("%+v %+v", written, waits)
	}
	_, waits = cleanup.Split(everythingWaits(whole()))
	want := []cleanup.Change{
		{Setting: proposal.SettingTag, Terms: []string{"competitor"}},
		{Setting: proposal.SettingExactMatch, Terms: []string{"false"}},
		{Setting: proposal.SettingAdditionalTerms, Terms: []string{"anvil", "rocket"}, Was: []string{}},
		{Setting: proposal.SettingExcludeWords, Terms: []string{"coyote", "desert"}},
		{Setting: proposal.SettingWildcardExcludeWords, Terms: []string{"road*"}},
		{Setting: proposal.SettingExcludeAuthors, Terms: []string{"@beep"}},
		{Setting: proposal.SettingPlatforms, Terms: []string{"reddit"}},
		{Setting: proposal.SettingContext, Terms: []string{"Acme, the anvils."}},
	}
	if !reflect.DeepEqual(waits, want) {
		t.Errorf("got  %+v\nwant %+v", waits, want)
	}
	none := everythingWaits(proposal.Keyword{Keyword: "acme", ExactMatch: true, Platforms: []string{}})
	if written, waits := cleanup.Split(none); waits != nil || written.Platforms != nil ||
		written.AdditionalTermsLogic != keyword.Any {
		t.Errorf("%+v %+v", written, waits)
	}
}

// What is written and what waits make what is proposed, whichever values wait.
func TestSplitLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := func(name string) []string {
			return rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"one", "two", "three", "four", "five"}), 0, 5, rapid.ID).
				Draw(t, name)
		}
		k := proposal.Keyword{
			Keyword:              "acme",
			Tag:                  rapid.SampledFrom([]keyword.Tag{keyword.OwnBrand, keyword.Competitor}).Draw(t, "tag"),
			ExactMatch:           rapid.Bool().Draw(t, "exact"),
			CaseSensitive:        rapid.Bool().Draw(t, "cased"),
			AdditionalTerms:      words("terms"),
			ExcludeWords:         words("words"),
			WildcardExcludeWords: words("prefixes"),
			ExcludeAuthors:       words("authors"),
			AdditionalTermsLogic: keyword.All,
			Context:              "x",
		}
		if rapid.Bool().Draw(t, "narrowed") {
			k.Platforms = []string{"reddit", "dev"}
		}
		classes := rapid.SampledFrom([]proposal.Approves{proposal.Quietly, proposal.InCleanup})
		for range rapid.IntRange(0, 6).Draw(t, "approvals") {
			k.Approvals = append(k.Approvals,
				proposal.Approval{Setting: rapid.SampledFrom(proposal.Settings()).Draw(t, "setting"),
					Terms: words("of"), Approval: classes.Draw(t, "class")})
		}
		got, waits := cleanup.Split(k)
		for _, change := range waits {
			if state := change.State(got); state != cleanup.Open {
				t.Fatalf("%+v is %d at once", change, state)
			}
		}
		for _, change := range waits {
			change.Apply(&got)
			if state := change.State(got); state != cleanup.InPlace {
				t.Fatalf("%+v is %d once it is written", change, state)
			}
		}
		want := k.Tracked()
		for _, list := range []*[]string{&got.AdditionalTerms, &got.ExcludeWords, &got.WildcardExcludeWords, &got.ExcludeAuthors,
			&want.AdditionalTerms, &want.ExcludeWords, &want.WildcardExcludeWords, &want.ExcludeAuthors} {
			*list = slices.Sorted(slices.Values(*list))
		}
		if !got.Same(want) {
			t.Fatalf("got  %+v\nwant %+v", got, want)
		}
	})
}

func TestState(t *testing.T) {
	_, waits := cleanup.Split(everythingWaits(whole()))
	for what, c := range map[string]struct {
		do   func(*keyword.Keyword)
		want map[proposal.Setting]cleanup.State // that are not Open
	}{
		"as it was made": {func(*keyword.Keyword) {}, nil},
		"exclusions of users stand beside those that wait": {func(k *keyword.Keyword) {
			k.ExcludeWords, k.ExcludeAuthors = []string{"mine", "DESERT"}, []string{"Beep"}
		}, map[proposal.Setting]cleanup.State{proposal.SettingExcludeAuthors: cleanup.InPlace}},
		"all in place": {func(k *keyword.Keyword) {
			k.Tag, k.Context, k.ExactMatch, k.Platforms = keyword.Competitor, "Acme, the anvils.", false, []string{"reddit"}
			k.AdditionalTerms, k.ExcludeWords, k.WildcardExcludeWords = []string{"Rocket", "anvil"},
				[]string{"desert", "coyote"}, []string{"ROAD"}
		}, map[proposal.Setting]cleanup.State{
			proposal.SettingTag:                  cleanup.InPlace,
			proposal.SettingContext:              cleanup.InPlace,
			proposal.SettingExactMatch:           cleanup.InPlace,
			proposal.SettingPlatforms:            cleanup.InPlace,
			proposal.SettingAdditionalTerms:      cleanup.InPlace,
			proposal.SettingExcludeWords:         cleanup.InPlace,
			proposal.SettingWildcardExcludeWords: cleanup.InPlace,
		}},
		"decided otherwise": {func(k *keyword.Keyword) {
			k.Tag, k.Context, k.Platforms, k.AdditionalTerms = keyword.OwnBrand, "Mine.", []string{"dev"}, []string{"mine"}
			k.ExcludeWords = make([]string, keyword.MaxTerms)
		}, map[proposal.Setting]cleanup.State{
			proposal.SettingTag:             cleanup.Overruled,
			proposal.SettingContext:         cleanup.Overruled,
			proposal.SettingPlatforms:       cleanup.Overruled,
			proposal.SettingAdditionalTerms: cleanup.Overruled,
			proposal.SettingExcludeWords:    cleanup.Overruled,
		}},
	} {
		k, _ := cleanup.Split(everythingWaits(whole()))
		c.do(&k)
		for _, change := range waits {
			if got := change.State(k); got != c.want[change.Setting] {
				t.Errorf("%s: %s is %d, want %d", what, change.Setting, got, c.want[change.Setting])
			}
		}
	}
}

func said(body, author string, score mention.Score, feedback int) mention.Mention {
	m := mention.Mention{
		Source:         "hackernews",
		Body:           &body,
		Author:         &author,
		RelevanceScore: &score,
		Relevant:       score.Relevant(),
	}
	if feedback != 0 {
		m.FeedbackRelevant = &feedback
	}
	return m
}

func TestLook(t *testing.T) {
	k := keyword.Keyword{ID: 3, Text: "acme", ExactMatch: true, Paused: true}
	waits := []cleanup.Change{{Setting: proposal.SettingAdditionalTerms, Terms: []string{"anvil"}},
		{Setting: proposal.SettingExcludeWords, Terms: []string{"coyote", "road runner"}},
		{Setting: proposal.SettingExcludeAuthors, Terms: []string{"beep"}},
		{Setting: proposal.SettingTag, Terms: []string{"own_brand"}},
		{Setting: proposal.SettingPlatforms, Terms: []string{"reddit"}}}
	mentions := []mention.Mention{
		said("acme anvil", "a", mention.High, 0), said("acme and its anvil", "a", mention.High, 0),
		said("acme is great", "a", mention.Medium, 0),
		said("acme coyote", "a", mention.Low, 0), said("ACME Road  Runner", "beep", mention.Low, 0),
		said("acme coyote anvil", "b", mention.High, -1),
		said("acme by a bird", "@Beep", mention.Low, 1), said("acmes anvil", "a", mention.Low, 0),
		{Source: "hackernews", Body: ptr("acme, not judged")},
	}
	got := cleanup.Look(k, waits, mentions, true)
	want := []cleanup.Evidence{
		{Mentions: 8, Relevant: 4, NotRelevant: 3, WouldRemove: 5, WouldRemoveRelevant: 2},
		{Mentions: 8, Relevant: 4, NotRelevant: 3, WouldRemove: 3},
		{Mentions: 8, Relevant: 4, NotRelevant: 3, WouldRemove: 2, WouldRemoveRelevant: 1},
		{Mentions: 8, Relevant: 4, NotRelevant: 3},
		{Mentions: 8, Relevant: 4, NotRelevant: 3, WouldRemove: 8, WouldRemoveRelevant: 4},
	}
	recommended := []bool{false, true, false, true, true}
	says := []string{"marked one of those",
		`"coyote" or "road runner". Of the 8 posts that came in for "acme" it would have taken 3 from you, 0 of them relevant.`,
		"marked one", "own brand", "reddit only"}
	recommended[4] = false // it takes what a user marked
	for i, item := range got {
		if item.Evidence != want[i] || item.Recommended != recommended[i] || !strings.Contains(item.Explanation, says[i]) ||
			item.KeywordID != 3 || !item.Ready {
			t.Errorf("%+v, want %+v", item, want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatal(len(got))
	}
	// More relevant than not, though no user said anything.
	lost := cleanup.Look(k, waits[:1],
		[]mention.Mention{said("acme x", "a", mention.High, 0), said("acme y", "a", mention.High, 0),
			said("acme z", "a", mention.Low, 0)}, true)
	if lost[0].Recommended || !strings.Contains(lost[0].Explanation, "You would lose more than you gain.") {
		t.Errorf("%+v", lost)
	}
	unjudged := mention.Mention{Source: "hackernews", Body: ptr("acme w")}
	lost = cleanup.Look(k, waits[:1], []mention.Mention{said("acme x", "a", mention.High, 0), unjudged, unjudged}, true)
	if lost[0].Recommended ||
		lost[0].Evidence != (cleanup.Evidence{Mentions: 3, Relevant: 1, WouldRemove: 3, WouldRemoveRelevant: 1}) {
		t.Errorf("what nobody has judged is no noise: %+v", lost)
	}
	early := cleanup.Look(k, waits, mentions, false)
	for _, item := range early {
		if item.Ready || item.Recommended || item.Evidence != (cleanup.Evidence{}) {
			t.Errorf("%+v", item)
		}
	}
	quiet := cleanup.Look(k, waits[:2], nil, true)
	if !quiet[0].Recommended || !strings.Contains(quiet[1].Explanation, "Nothing has come in") {
		t.Errorf("%+v", quiet)
	}
	// Beside terms of which any is enough, another one lets more in.
	k.AdditionalTerms = []string{"sdk"}
	wider := cleanup.Look(k,
		[]cleanup.Change{{Setting: proposal.SettingAdditionalTerms, Terms: []string{"sdk", "api"}, Was: []string{"sdk"}}},
		mentions, true)
	if len(wider) != 1 || !slices.Equal(wider[0].Terms, []string{"api"}) || wider[0].Evidence.WouldRemove != 0 ||
		!strings.HasPrefix(wider[0].Explanation, "You also get posts") {
		t.Errorf("%+v", wider)
	}
	if decided := cleanup.Look(k, waits[:1], mentions, true); decided != nil {
		t.Errorf("what a user decided otherwise is shown: %+v", decided)
	}
	// What cannot listen proves nothing.
	broken := cleanup.Look(keyword.Keyword{Text: "acme"},
		[]cleanup.Change{{Setting: proposal.SettingExcludeWords, Terms: []string{"\xff"}}}, mentions, true)
	if len(broken) != 1 || broken[0].Recommended {
		t.Errorf("%+v", broken)
	}
}

func ptr[T any](v T) *T { return &v }
