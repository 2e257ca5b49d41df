package agent_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/agent"
)

// full has every key of the form.
const full = `{"keywords":[{"ref":"brand","route":"anchored","exactMatch":true,"caseSensitive":true,"additionalTerms":["pipeline","deploys","staging"],
"additionalTermsLogic":"any","excludeWords":["festival"],"wildcardExcludeWords":["jack*"],"excludeAuthors":["bot"],"platforms":["hackernews","reddit"],
"context":"Lantern deploys; posts that name it.","explanation":"You see your name beside your field.","reasons":[{"basis":"rule","ref":"K2","text":"It is a word."},
{"basis":"guide","ref":"anchors","text":"So it is done."},{"basis":"judgement","ref":"fit","text":"It fits."}],"confidence":0.75,"selectedByDefault":true,
"optionGroup":"names","approvals":[{"setting":"excludeWords","terms":["festival"],"approval":"cleanup","reason":"brand"}]}],
"options":[{"id":"o1","keywordRef":"brand","label":"Wider","description":"More posts.","explanation":"You see more.","additionalTerms":["lamp"],"selectedByDefault":false}],
"feeds":[{"ref":"feed_brand","name":"Brand","purpose":"brand","keywordRefs":["brand"]}]}`

// small has no more than what is needed.
const small = `{"keywords":[{"ref":"handle_1","route":"handle_variant","explanation":"You see it.","confidence":0}],"feeds":[]}`

func TestParse(t *testing.T) {
	candidates := evidence().Candidates
	got, err := agent.Parse(full, candidates)
	want := proposal.Decisions{
		Keywords: []proposal.Decision{{
			Ref:                  "brand",
			Route:                proposal.Anchored,
			ExactMatch:           true,
			CaseSensitive:        true,
			AdditionalTerms:      []string{"pipeline", "deploys", "staging"},
			AdditionalTermsLogic: keyword.Any,
			ExcludeWords:         []string{"festival"},
			WildcardExcludeWords: []string{"jack*"},
			ExcludeAuthors:       []string{"bot"},
			Platforms:            []string{"hackernews", "reddit"},
			Context:              "Lantern deploys; posts that name it.",
			Explanation:          "You see your name beside your field.",
			Reasons: []proposal.Reason{{Basis: "rule", Ref: "K2", Text: "It is a word."},
				{Basis: "guide", Ref: "anchors", Text: "So it is done."},
				{Basis: "judgement", Ref: "fit", Text: "It fits."}},
			Confidence:        0.75,
			SelectedByDefault: true,
			OptionGroup:       "names",
			Approvals: []proposal.Approval{{
				Setting:  "excludeWords",
				Terms:    []string{"festival"},
				Approval: "cleanup",
				Reason:   "brand",
			}},
		}},
		Options: []proposal.OptionDecision{{
			ID:              "o1",
			KeywordRef:      "brand",
			Label:           "Wider",
			Description:     "More posts.",
			Explanation:     "You see more.",
			AdditionalTerms: []string{"lamp"},
		}},
		Feeds: []proposal.FeedDecision{{Ref: "feed_brand", Name: "Brand", Purpose: "brand", KeywordRefs: []string{"brand"}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = agent.Parse(small, candidates)
	want = proposal.Decisions{
		Keywords: []proposal.Decision{{
			Ref:                  "handle_1",
			Route:                proposal.HandleVariant,
			ExactMatch:           true,
			AdditionalTerms:      []string{},
			AdditionalTermsLogic: keyword.Any,
			ExcludeWords:         []string{},
			WildcardExcludeWords: []string{},
			ExcludeAuthors:       []string{},
			Platforms:            []string{"twitter"},
			Context:              "The account of Lantern.",
			Explanation:          "You see it.",
			Reasons:              []proposal.Reason{},
			Approvals:            []proposal.Approval{},
		}},
		Options: []proposal.OptionDecision{}, Feeds: []proposal.FeedDecision{},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, all := range []string{"null", "[]"} {
		got, err := agent.Parse(strings.Replace(small, `"route"`, `"platforms":`+all+`,"route"`, 1), candidates)
		if err != nil || got.Keywords[0].Platforms != nil {
			t.Errorf("platforms %s: %+v, %v", all, got, err)
		}
	}
}

// Each edit of full is refused, at its place.
func TestParseRefuses(t *testing.T) {
	long := strings.Repeat("x", 601)
	for name, c := range map[string]struct{ old, new, place string }{
		"unknown key of the whole": {`{"keywords"`, `{"totals":{},"keywords"`, ""},
		"unknown key of a keyword": {`"route"`, `"volume":{},"route"`, "keywords[0]"},
		"unknown key of a reason": {`"text":"It is a word."`, `"text":"It is a word.","figure":5`,
			"keywords[0].reasons[0]"},
		"unknown key of an approval": {`"setting"`, `"when":"now","setting"`, "keywords[0].approvals[0]"},
		"unknown key of an option":   {`"id"`, `"projectedMonthly":5,"id"`, "options[0]"},
		"unknown key of a feed":      {`"purpose"`, `"visible":true,"purpose"`, "feeds[0]"},
		"a key in another case":      {`"route"`, `"Route"`, "keywords[0]"},
		"a key twice":                {`"route"`, `"ref":"brand","route"`, "keywords[0].ref"},
		"a key twice, further down":  {`"basis":"rule"`, `"basis":"rule","basis":"rule"`, "keywords[0].reasons[0].basis"},
		"trailing data":              {`"keywordRefs":["brand"]}]}`, `"keywordRefs":["brand"]}]} 1`, ""},
		"unknown ref":                {`"ref":"brand"`, `"ref":"nobody"`, "keywords[0].ref"},
		"empty ref":                  {`"ref":"brand"`, `"ref":""`, "keywords[0].ref"},
		"ref in another case":        {`"ref":"brand"`, `"ref":"Brand"`, "keywords[0].ref"},
		"ref twice": {`"keywords":[{`,
			`"keywords":[{"ref":"brand","route":"bare","explanation":"You.","confidence":1},{`, "keywords[1].ref"},
		"null":                 {`"ref":"brand"`, `"ref":null`, "keywords[0].ref"},
		"null list":            {`"excludeWords":["festival"]`, `"excludeWords":null`, "keywords[0].excludeWords"},
		"null in a list":       {`["festival"]`, `[null]`, "keywords[0].excludeWords[0]"},
		"null in platforms":    {`["hackernews","reddit"]`, `[null]`, "keywords[0].platforms[0]"},
		"number for a text":    {`"ref":"brand"`, `"ref":1`, "keywords[0].ref"},
		"text for a number":    {`0.75`, `"0.75"`, "keywords[0].confidence"},
		"text for a boolean":   {`"exactMatch":true`, `"exactMatch":"true"`, "keywords[0].exactMatch"},
		"text for a list":      {`["festival"]`, `"festival"`, "keywords[0].excludeWords"},
		"object for a list":    {`["bot"]`, `{}`, "keywords[0].excludeAuthors"},
		"confidence over 1":    {`0.75`, `1.01`, "keywords[0].confidence"},
		"confidence under 0":   {`0.75`, `-0.01`, "keywords[0].confidence"},
		"confidence over all":  {`0.75`, `1e999`, "keywords[0].confidence"},
		"no number":            {`0.75`, `NaN`, ""},
		"unknown route":        {`"anchored"`, `"magic"`, "keywords[0].route"},
		"unknown logic":        {`"any"`, `"some"`, "keywords[0].additionalTermsLogic"},
		"unknown platform":     {`"reddit"]`, `"myspace"]`, "keywords[0].platforms[1]"},
		"platform twice":       {`"reddit"]`, `"hackernews"]`, "keywords[0].platforms[1]"},
		"unknown basis":        {`"basis":"rule"`, `"basis":"faith"`, "keywords[0].reasons[0].basis"},
		"a measurement":        {`"basis":"rule"`, `"basis":"measurement"`, "keywords[0].reasons[0].basis"},
		"unknown rule":         {`"ref":"K2"`, `"ref":"K99"`, "keywords[0].reasons[0].ref"},
		"reason without a ref": {`"ref":"fit",`, ``, "keywords[0].reasons[2].ref"},
		"reason without text":  {`,"text":"It fits."`, ``, "keywords[0].reasons[2].text"},
		"unknown setting": {`"setting":"excludeWords"`, `"setting":"keyword"`,
			"keywords[0].approvals[0].setting"},
		"unknown approval":             {`"approval":"cleanup"`, `"approval":"now"`, "keywords[0].approvals[0].approval"},
		"unknown purpose":              {`"purpose":"brand"`, `"purpose":"fun"`, "feeds[0].purpose"},
		"unknown ref of a feed":        {`["brand"]`, `["nobody"]`, "feeds[0].keywordRefs[0]"},
		"ref of a feed twice":          {`["brand"]`, `["brand","brand"]`, "feeds[0].keywordRefs[1]"},
		"unknown ref of an option":     {`"keywordRef":"brand"`, `"keywordRef":"nobody"`, "options[0].keywordRef"},
		"a feed's name as a reference": {`"ref":"feed_brand"`, `"ref":"a b"`, "feeds[0].ref"},
		"blank explanation":            {`"You see your name beside your field."`, `" "`, "keywords[0].explanation"},
		"long explanation": {`"You see your name beside your field."`, `"` + long + `"`,
			"keywords[0].explanation"},
		"line break":        {`"It fits."`, `"It\nfits."`, "keywords[0].reasons[2].text"},
		"control character": {`"Brand"`, `"Br\u0000and"`, "feeds[0].name"},
		"turned writing":    {`"Brand"`, `"Br\u202eand"`, "feeds[0].name"},
		"long term":         {`"festival"],"wild`, `"` + long[:101] + `"],"wild`, "keywords[0].excludeWords[0]"},
		"empty term":        {`"bot"`, `""`, "keywords[0].excludeAuthors[0]"},
		"too many terms":    {`"bot"`, `"bot"` + strings.Repeat(`,"bot"`, 100), "keywords[0].excludeAuthors"},
		"no keywords":       {full[len(`{`) : strings.Index(full, `"options"`)-2], `"keywords":[]`, "keywords"},
		"no explanation":    {`"explanation":"You see your name beside your field.",`, ``, "keywords[0]"},
		"half a surrogate":  {`"Brand"`, `"\ud800"`, ""},
		"no UTF-8":          {`"Brand"`, "\"\xff\"", ""},
	} {
		text := strings.Replace(full, c.old, c.new, 1)
		if text == full {
			t.Fatalf("%s: nothing is edited", name)
		}
		_, err := agent.Parse(text, evidence().Candidates)
		if !errors.Is(err, agent.ErrForm) || !strings.Contains(err.Error(), ": "+c.place) ||
			strings.Contains(err.Error(), "nobody") {
			t.Errorf("%s: %v, want it at %q", name, err, c.place)
		}
	}
}

func TestParseBounds(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "blank": "  ", "array": "[]", "text": `"a"`, "number": "1", "null": "null",
		"unfinished": full[:len(full)-1],
		"no feeds":   `{"keywords":[]}`, "large": small + strings.Repeat(" ", 64<<10),
		"deep": strings.Repeat(`{"keywords":[`, 4000), "deep arrays": strings.Repeat("[", 60_000),
	} {
		if _, err := agent.Parse(text, evidence().Candidates); !errors.Is(err, agent.ErrForm) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Unknown keys are refused wherever they stand.
func TestUnknownKeysAtEveryDepth(t *testing.T) {
	for at := range len(full) {
		if full[at] != '{' {
			continue
		}
		text := full[:at+1] + `"x":1,` + full[at+1:]
		if _, err := agent.Parse(text, evidence().Candidates); !errors.Is(err, agent.ErrForm) {
			t.Errorf("at %d: %v", at, err)
		}
	}
}

// rewritten reads what Parse answered again.
func rewritten(t interface{ Fatalf(string, ...any) }, d proposal.Decisions) {
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatalf("%v", err)
	}
	again, err := agent.Parse(string(text), evidence().Candidates)
	if err != nil || !reflect.DeepEqual(again, d) {
		t.Fatalf("%+v, %v, want %+v", again, err, d)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{full, small, minimal, bare, "{}", `{"keywords":[{}],"feeds":[{}]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := agent.Parse(text, evidence().Candidates)
		if err != nil {
			if !errors.Is(err, agent.ErrForm) || len(err.Error()) > 300 {
				t.Fatal(err)
			}
			return
		}
		rewritten(t, d)
	})
}

// Whatever decisions are drawn, those that are of the form come through as they are.
func TestDecisionsComeThrough(t *testing.T) {
	candidates := evidence().Candidates
	refs := make([]string, len(candidates.Candidates))
	for i, c := range candidates.Candidates {
		refs[i] = c.Ref
	}
	word := rapid.StringMatching(`[\pL\pN][\pL\pN "<>&'-]{0,30}[\pL\pN]`)
	words := rapid.SliceOfN(word, 0, 4)
	rapid.Check(t, func(t *rapid.T) {
		d := proposal.Decisions{
			Keywords: []proposal.Decision{},
			Options:  []proposal.OptionDecision{},
			Feeds:    []proposal.FeedDecision{},
		}
		for _, ref := range rapid.SliceOfNDistinct(rapid.SampledFrom(refs), 1, -1, rapid.ID).Draw(t, "refs") {
			k := proposal.Decision{
				Ref:                  ref,
				Route:                rapid.SampledFrom(proposal.Routes()).Draw(t, "route"),
				ExactMatch:           rapid.Bool().Draw(t, "exact"),
				CaseSensitive:        rapid.Bool().Draw(t, "cased"),
				AdditionalTerms:      words.Draw(t, "terms"),
				AdditionalTermsLogic: keyword.All,
				ExcludeWords:         words.Draw(t, "words"),
				WildcardExcludeWords: words.Draw(t, "wild"),
				ExcludeAuthors:       words.Draw(t, "authors"),
				Context:              word.Draw(t, "context"),
				Explanation:          word.Draw(t, "explanation"),
				Reasons:              []proposal.Reason{},
				Confidence:           rapid.Float64Range(0, 1).Draw(t, "confidence"),
				SelectedByDefault:    rapid.Bool().Draw(t, "selected"),
				Approvals:            []proposal.Approval{},
			}
			if rapid.Bool().Draw(t, "narrowed") {
				k.Platforms = rapid.SliceOfNDistinct(rapid.SampledFrom(keyword.Platforms()), 1, 5, rapid.ID).Draw(t, "platforms")
			}
			for _, s := range rapid.SliceOfNDistinct(rapid.SampledFrom(proposal.Settings()), 0, 3, rapid.ID).Draw(t, "settings") {
				k.Approvals = append(k.Approvals,
					proposal.Approval{Setting: s, Terms: words.Draw(t, "meant"), Approval: proposal.InCleanup})
			}
			d.Keywords = append(d.Keywords, k)
		}
		d.Feeds = append(d.Feeds,
			proposal.FeedDecision{Ref: "f", Name: word.Draw(t, "name"), Purpose: proposal.ByTag, KeywordRefs: []string{refs[0]}})
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		got, err := agent.Parse(string(text), candidates)
		if err != nil || !reflect.DeepEqual(got, d) {
			t.Fatalf("%+v, %v", got, err)
		}
		rewritten(t, got)
	})
}
