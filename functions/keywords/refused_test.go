package keywords_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/worldtest"
)

// faultsOf are the places and codes of a refusal.
func faultsOf(t testing.TB, answer worldtest.Answer) string {
	t.Helper()
	var got []string
	for _, detail := range answer.Is(t, 400, "VALIDATION_ERROR").Details {
		got = append(got, detail.Path+" "+detail.Code)
	}
	return fmt.Sprint(got)
}

func TestWhatIsNotTaken(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	k := made(t, c, `{"keyword":"northwind"}`)
	long, longest := strings.Repeat("ü", 101), strings.Repeat("ü", 100)
	hundred := strings.TrimSuffix(strings.Repeat(`"a",`, 101), ",")
	for _, one := range []struct{ body, want string }{
		{`{"keyword":""}`, "[keyword min_length]"},
		{`{"keyword":" \t "}`, "[keyword min_length]"},
		{`{"keyword":null}`, "[keyword type]"},
		{`{"keyword":7}`, "[keyword type]"},
		{`{"keyword":"` + long + `"}`, "[keyword max_length]"},
		{`{"keyword":"a\u0000b"}`, "[keyword control_characters]"},
		{`{"keyword":"a\nb"}`, "[keyword control_characters]"},
		{`{"keyword":"\u200b\u00ad"}`, "[keyword format]"},
		{`{"keyword":"+"}`, "[keyword operator]"},
		{`{"keyword":" - "}`, "[keyword operator]"},
		{`{"keyword":"\""}`, "[keyword operator]"},
		{`{"keyword":"\"\u00ad\""}`, "[keyword operator]"},
		{`{"keyword":"-cartoon"}`, "[keyword operator]"},
		{`{"keyword":"AND"}`, "[keyword operator]"},
		{`{"keyword":"x","additionalTerms":["+"],"excludeWords":["\""]}`,
			"[additionalTerms[0] operator excludeWords[0] operator]"},
		{`{"keyword":"x","context":"` + strings.Repeat("ü", 201) + `"}`, "[context max_length]"},
		{`{"keyword":"x","context":null}`, "[context type]"},
		{`{"keyword":"x","context":"a\u0007"}`, "[context control_characters]"},
		{`{"keyword":"x","additionalTerms":["ok"," ","` + long + `",5,null,"\u00ad","a AND b","a\u0001"]}`,
			"[additionalTerms[1] min_length additionalTerms[2] max_length additionalTerms[3] type additionalTerms[4] type additionalTerms[5] format additionalTerms[6] operator additionalTerms[7] control_characters]"},
		{`{"keyword":"x","excludeWords":["-a"],"wildcardExcludeWords":["*","a*b","*a"],"excludeAuthors":["@","u/"," "]}`,
			"[excludeAuthors[0] format excludeAuthors[1] format excludeAuthors[2] min_length excludeWords[0] operator wildcardExcludeWords[0] format wildcardExcludeWords[1] operator wildcardExcludeWords[2] operator]"},
		{`{"keyword":"x","excludeWords":[` + hundred + `]}`, "[excludeWords max_items]"},
		{`{"keyword":"x","excludeWords":null,"tag":"brand","additionalTermsLogic":"some","exactMatch":1,"paused":"no"}`,
			"[additionalTermsLogic enum exactMatch type excludeWords type paused type tag enum]"},
		{`{"keyword":"x","tag":7}`, "[tag type]"},
		{`{"keyword":"x","tag":""}`, "[tag enum]"},
		{`{"keyword":"x","platforms":[]}`, "[platforms min_items]"},
		{`{"keyword":"x","platforms":["reddit","Reddit","reddit",1,null]}`,
			"[platforms[1] enum platforms[2] unique platforms[3] type platforms[4] type]"},
		{`{"keyword":"x","platforms":"reddit"}`, "[platforms type]"},
		{`{"keyword":"x","platforms":{}}`, "[platforms type]"},
		{`{"keyword":"x","nonsense":1,"volume":{}}`, "[nonsense unknown volume unknown]"},
		{`[]`, "[body type]"},
	} {
		if got := faultsOf(t, c.Post(t, all, one.body)); got != one.want {
			t.Errorf("POST %.120s\ngot  %s\nwant %s", one.body, got, one.want)
		}
		if got := faultsOf(t, c.Patch(t, keywordPath(k.ID), one.body)); got != one.want {
			t.Errorf("PATCH %.120s\ngot  %s\nwant %s", one.body, got, one.want)
		}
	}
	if got := faultsOf(t, c.Post(t, all, `{}`)); got != "[keyword required]" {
		t.Error(got)
	}
	for target, want := range map[string]string{all + "/0": "[path.id minimum]", all + "/x": "[path.id type]",
		all + "/9007199254740992": "[path.id maximum]",
		all + "/1?x=1":            "[query.x unknown]"} {
		if got := faultsOf(t, c.Get(t, target)); got != want {
			t.Errorf("%s: %s", target, got)
		}
	}
	for body, want := range map[string]string{`{}`: "[paused required]", `{"paused":null}`: "[paused type]",
		`{"paused":1}`: "[paused type]", `{"paused":true,"x":1}`: "[x unknown]"} {
		if got := faultsOf(t, c.Post(t, keywordPath(k.ID)+"/pause", body)); got != want {
			t.Errorf("%s: %s", body, got)
		}
	}
	if got := faultsOf(t, c.Patch(t, keywordPath(k.ID), `{}`, "If-Match", "7")); got != "[header.If-Match format]" {
		t.Error(got)
	}
	// The bounds themselves are taken.
	most := `["` + longest + `"` + strings.Repeat(`,"`+longest[2:]+`"`, 99) + `]`
	body := `{"keyword":" ` + longest + ` ","context":"` + strings.Repeat("ü", 200) + `","additionalTerms":` + most +
		`,"excludeWords":` + most + `}`
	if k := made(t, c, body); len(k.AdditionalTerms) != 2 || len(k.ExcludeWords) != 2 {
		t.Errorf("%d terms", len(k.AdditionalTerms))
	}
}

type operatorProblem struct {
	Error struct {
		Code         string
		Suggestion   *string
		Alternatives []string
		ExcludeWords []string
	}
}

func TestOperatorSyntax(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	k := made(t, c, `{"keyword":"northwind"}`)
	for _, one := range []struct{ text, want string }{
		{`"acme cloud" -cartoon`, `"acme cloud" [] [cartoon]`},
		{`acme OR "acme inc"`, `"acme" [acme inc] []`},
		{`+acme`, `"acme" [] []`},
		{`ac*me`, `"acme" [] []`},
	} {
		text, _ := json.Marshal(one.text)
		for _, answer := range []worldtest.Answer{
			c.Post(t, all, fmt.Sprintf(`{"keyword":%s}`, text)),
			c.Patch(t, keywordPath(k.ID), fmt.Sprintf(`{"keyword":%s,"paused":true}`, text)),
		} {
			answer.Is(t, 400, "KEYWORD_OPERATOR_SYNTAX")
			var told operatorProblem
			answer.JSON(t, &told)
			e := told.Error
			if e.Suggestion == nil || e.Alternatives == nil || e.ExcludeWords == nil {
				t.Fatalf("%s", answer.Body)
			}
			if got := fmt.Sprintf("%q %v %v", *e.Suggestion, e.Alternatives, e.ExcludeWords); got != one.want {
				t.Errorf("%s: %s, want %s", one.text, got, one.want)
			}
		}
	}
	for _, text := range []string{"e-mail", "C++", "AT&T", "rock'n'roll", "O'Reilly", "rock and roll", "acme*", "Notion - docs"} {
		made(t, c, fmt.Sprintf(`{"keyword":%q}`, text))
	}
	// A keyword of before, which has some, can be changed otherwise.
	if err := w.Store.RestoreKeyword(t.Context(), w.Main.ID, keyword.Keyword{ID: 900, Text: `"old"`, ExactMatch: true}); err != nil {
		t.Fatal(err)
	}
	c.Patch(t, keywordPath(900), `{"keyword":"\"old\"","context":"kept"}`).OK(t, nil)
	plus := keyword.Keyword{ID: 901, Text: "+", ExactMatch: true}
	if err := w.Store.RestoreKeyword(t.Context(), w.Main.ID, plus); err != nil {
		t.Fatal(err)
	}
	c.Patch(t, keywordPath(901), `{"keyword":"+","context":"kept"}`).OK(t, nil)
	c.Patch(t, keywordPath(901), `{"keyword":"-","context":"lost"}`).Is(t, 400, "VALIDATION_ERROR")
	c.Get(t, keywordPath(k.ID)).OK(t, &k)
	if k.Paused || k.Keyword != "northwind" {
		t.Error("a refused change was made")
	}
}

// Whatever is written of operators, it is taken, nothing would be left of it, or what is suggested instead is taken.
func TestOperatorSyntax_SuggestionIsTaken(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	k := made(t, c, `{"keyword":"northwind"}`)
	pieces := rapid.SampledFrom([]string{"acme", "a", "Ü", "AND", "OR", "NOT", "-", "+", "–", "*", "\"", "“", "”", "'",
		"’", "(", ")", ",", ";", "|", "~", " ", " ",
		"\u00a0", "\u00ad", "\u200b", "\ufe0f", "\u0301", "@", "5", "."})
	rapid.Check(t, func(r *rapid.T) {
		text, _ := json.Marshal(strings.Join(rapid.SliceOfN(pieces, 1, 12).Draw(r, "pieces"), ""))
		body := fmt.Sprintf(`{"keyword":%s}`, text)
		w.Clock.Freeze(w.Clock.Now().Add(time.Hour)) // another window of requests
		for way, send := range map[string]func(body string) worldtest.Answer{
			"POST":  func(body string) worldtest.Answer { return c.Post(t, all, body) },
			"PATCH": func(body string) worldtest.Answer { return c.Patch(t, keywordPath(k.ID), body) },
		} {
			answer := send(body)
			var told operatorProblem
			answer.JSON(t, &told)
			switch told.Error.Code {
			case "VALIDATION_ERROR", "":
				continue
			case "ITEM_EXISTS", "KEYWORD_LIMIT_EXCEEDED": // the text is sound
				continue
			case "KEYWORD_OPERATOR_SYNTAX":
			default:
				r.Fatalf("%s %s = %d %s", way, body, answer.Status, answer.Body)
			}
			for _, offered := range append(told.Error.Alternatives, *told.Error.Suggestion) {
				text, _ := json.Marshal(offered)
				var again operatorProblem
				answer := send(fmt.Sprintf(`{"keyword":%s}`, text))
				answer.JSON(t, &again)
				if code := again.Error.Code; code == "VALIDATION_ERROR" || code == "KEYWORD_OPERATOR_SYNTAX" {
					r.Fatalf("%s %s offers %s, which is %s", way, body, text, answer.Body)
				}
			}
		}
	})
}

func TestItemExists(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	made(t, c, `{"keyword":"Straße  Acme"}`)
	other := made(t, c, `{"keyword":"other"}`)
	for _, text := range []string{"Straße  Acme", "STRASSE ACME", "strasse acme", " straße\u00a0acme"} {
		body := fmt.Sprintf(`{"keyword":%q}`, text)
		c.Post(t, all, body).Is(t, 400, "ITEM_EXISTS")
		c.Patch(t, keywordPath(other.ID), body).Is(t, 400, "ITEM_EXISTS")
	}
	c.Patch(t, keywordPath(other.ID), `{"keyword":"OTHER"}`).OK(t, &other)
	if other.Keyword != "OTHER" {
		t.Errorf("%+v", other)
	}
	// A text is free again when its keyword has another or is gone.
	c.Patch(t, keywordPath(other.ID), `{"keyword":"third"}`).OK(t, nil)
	next := made(t, c, `{"keyword":"other"}`)
	c.Delete(t, keywordPath(next.ID)).OK(t, nil)
	made(t, c, `{"keyword":"Other"}`)
	made(t, c.As(w.OtherKey), `{"keyword":"other"}`)
}
