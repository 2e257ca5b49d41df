package filters_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"earshot/functions/discovery"
	"earshot/functions/filters"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/keyword"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

const global, adding, removing = "/api/v2/filters/global", "/api/v2/filters/global/add", "/api/v2/filters/global/remove"

type desk struct{ worldtest.Desk }

func newDesk(t testing.TB) desk {
	t.Helper()
	return desk{worldtest.NewDesk(t, discovery.OpenAPI(), func(api *web.API, w *worldtest.World) {
		filters.Register(api, filters.Options{Store: w.Store})
	})}
}

func (d desk) ok(t testing.TB, answer worldtest.Answer) (f filters.GlobalFilters) {
	t.Helper()
	answer.OK(t, &f)
	return f
}

// version is how often what the workspace listens for was changed.
func (d desk) version(t testing.TB) int64 {
	t.Helper()
	listeners, err := d.Store.Listeners(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range listeners {
		if l.WorkspaceID == d.Main.ID {
			return l.Version
		}
	}
	return 0
}

func body(list string, values ...string) string {
	text, err := json.Marshal(map[string]any{"list": list, "values": values})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func TestDoors(t *testing.T) {
	d := newDesk(t)
	got := d.Doors(t, filters.Group, d.World)
	want := []string{"addGlobalFilters", "getGlobalFilters", "removeGlobalFilters", "updateGlobalFilters"}
	if !slices.Equal(got, want) {
		t.Errorf("the operations are %v", got)
	}
}

func TestReadReplaceAddRemove(t *testing.T) {
	d := newDesk(t)
	f := d.ok(t, d.As(d.Read).Get(t, global))
	if len(f.NegativeKeywords)+len(f.NegativeAuthors)+len(f.NegativeSubreddits)+len(f.PositiveSubreddits)+
		len(f.NegativeRepos) != 0 || f.UpdatedAt.Value != nil {
		t.Errorf("%+v", f)
	}
	f = d.ok(t, d.Patch(t, global,
		`{"negativeKeywords":[" power grid ","Power  Grid","storm"],"negativeRepos":["tern-ops/mirror","tern-ops"]}`))
	if fmt.Sprint(f.NegativeKeywords, f.NegativeRepos,
		f.NegativeAuthors) != "[power grid storm] [tern-ops/mirror tern-ops] []" ||
		string(f.UpdatedAt.OrZero()) != "2026-11-20T10:15:00.000Z" {
		t.Errorf("%+v", f)
	}
	f = d.ok(t, d.Patch(t, global, `{"negativeKeywords":[],"negativeAuthors":["@dealsbot"]}`))
	if fmt.Sprint(f.NegativeKeywords, f.NegativeRepos, f.NegativeAuthors) != "[] [tern-ops/mirror tern-ops] [@dealsbot]" {
		t.Errorf("%+v", f)
	}
	f = d.ok(t, d.Post(t, adding, body("negativeAuthors", "DEALSBOT", "u/other", "other")))
	if fmt.Sprint(f.NegativeAuthors) != "[@dealsbot u/other]" {
		t.Errorf("%+v", f)
	}
	f = d.ok(t, d.Post(t, removing, body("negativeAuthors", "dealsbot", "nobody")))
	if fmt.Sprint(f.NegativeAuthors) != "[u/other]" {
		t.Errorf("%+v", f)
	}
	if read := d.ok(t, d.Get(t, global)); fmt.Sprint(read.NegativeAuthors,
		read.NegativeRepos) != fmt.Sprint(f.NegativeAuthors, f.NegativeRepos) ||
		fmt.Sprint(read.NegativeAuthors) != "[u/other]" {
		t.Errorf("it reads %+v", read)
	}
	// What holds is what the matcher is given.
	kept, err := d.Store.Filters(t.Context(), d.Main.ID)
	if err != nil || fmt.Sprint(kept.NegativeAuthors, kept.NegativeRepos) != "[u/other] [tern-ops/mirror tern-ops]" {
		t.Errorf("%+v %v", kept, err)
	}
	if other, err := d.Store.Filters(t.Context(), d.Other.ID); err != nil || len(other.NegativeAuthors) != 0 {
		t.Errorf("another workspace has %+v, %v", other, err)
	}
}

func TestETag(t *testing.T) {
	d := newDesk(t)
	first := d.Get(t, global)
	if again := d.Get(t, global, "If-None-Match", first.Header.Get("ETag")); again.Status != http.StatusNotModified {
		t.Errorf("%d", again.Status)
	}
	d.ok(t, d.Post(t, adding, body("negativeKeywords", "storm")))
	if again := d.Get(t, global, "If-None-Match", first.Header.Get("ETag")); again.Status != 200 {
		t.Errorf("%d", again.Status)
	}
}

// To add a case, write two ways to write one value of a list, or a value that is another.
func TestValuesOfOneMeaning(t *testing.T) {
	for _, c := range []struct {
		list, value, other string
		same               bool
	}{
		{"negativeKeywords", "Power Grid", "power\u00a0 grid", true},
		{"negativeKeywords", "Straße", "STRASSE", true},
		{"negativeKeywords", "cafe\u0301", "CAFÉ", true},
		{"negativeKeywords", "o’reilly", "O'Reilly", true},
		{"negativeKeywords", "storm", "storms", false},
		{"negativeAuthors", "@Quiet", " quiet", true},
		{"negativeAuthors", "u/quiet", "@QUIET", true},
		{"negativeAuthors", "quiet", "quiet_", false},
		{"negativeSubreddits", "r/Golang", "golang", true},
		{"negativeSubreddits", "/r/golang/", "GoLang", true},
		{"positiveSubreddits", "r/golang", "golang_", false},
		{"negativeRepos", "Tern-Ops/Bridge", "tern-ops/bridge", true},
		{"negativeRepos", "tern-ops", "tern-ops/bridge", false},
	} {
		d := newDesk(t)
		d.ok(t, d.Post(t, adding, body(c.list, c.value)))
		before := d.version(t)
		d.ok(t, d.Post(t, adding, body(c.list, c.other)))
		if (d.version(t) == before) != c.same {
			t.Errorf("%s: %q and %q are the same: %v", c.list, c.value, c.other, !c.same)
		}
		if c.same {
			d.ok(t, d.Post(t, removing, body(c.list, c.other)))
			if d.version(t) != before+1 {
				t.Errorf("%s: %q does not remove %q", c.list, c.other, c.value)
			}
		}
	}
}

func TestFaults(t *testing.T) {
	d := newDesk(t)
	long := strings.Repeat("é", 101)
	for _, c := range []struct{ target, body, want string }{
		{adding, `{}`, "[list required values required]"},
		{adding, body("negativeWords", "a"), "[list enum]"},
		{adding, `{"list":"negativeKeywords","values":[]}`, "[values min_items]"},
		{adding, `{"list":"negativeKeywords","values":null}`, "[values type]"},
		{adding, `{"list":"negativeKeywords","values":["a",1,null],"more":1}`,
			"[more unknown values[1] type values[2] type]"},
		{adding, body("negativeKeywords", "", " \t", "ok", long, "\u200b\u200d", "a\x00b", "a\nb", strings.Repeat("é", 100)),
			"[values[0] min_length values[1] pattern values[3] max_length values[4] min_length values[5] pattern values[6] pattern]"},
		{adding, body("negativeAuthors", "@", "u/", "ok", "\u2066"),
			"[values[0] min_length values[1] min_length values[3] min_length]"},
		{adding, body("negativeSubreddits", "r/a/b", "r/", "ok", "a b", "r/né", "https://reddit.com/r/golang"),
			"[values[0] format values[1] min_length values[3] format values[4] format values[5] format]"},
		{adding, body("negativeRepos", "a/b/c", "/", "ok", "a//b", "a b", "github.com/a/b", "a/b.c_d-e"),
			"[values[0] format values[1] min_length values[3] format values[4] format values[5] format]"},
		{removing, body("positiveSubreddits", "a/b"), "[values[0] format]"},
		{global, `{"negativeRepos":["a","b/c","d","e/f/g"],"negativeKeywords":[" "],"x":[]}`,
			"[negativeKeywords[0] min_length negativeRepos[3] format x unknown]"},
		{global, `{"negativeRepos":null}`, "[negativeRepos type]"},
		{global, `{"updatedAt":null}`, "[updatedAt unknown]"},
		{global, `[]`, "[body type]"},
		{global, `{"negativeKeywords":` + many(501) + `}`, "[negativeKeywords max_items]"},
		{adding, `{"list":"negativeKeywords","values":` + many(101) + `}`, "[values max_items]"},
	} {
		method := http.MethodPost
		if c.target == global {
			method = http.MethodPatch
		}
		answer := d.Do(t, worldtest.Request{
			Method: method,
			Target: c.target,
			Body:   c.body,
			Header: []string{"Content-Type", "application/json"},
		})
		var got []string
		for _, detail := range answer.Is(t, 400, "VALIDATION_ERROR").Details {
			got = append(got, detail.Path+" "+detail.Code)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s %.80s: %v, want %s", c.target, c.body, got, c.want)
		}
	}
	if d.version(t) != 0 {
		t.Error("a refused change was made")
	}
}

// many writes a list of n values.
func many(n int) string {
	values := make([]string, n)
	for i := range values {
		values[i] = fmt.Sprintf(`"word %d"`, i)
	}
	return "[" + strings.Join(values, ",") + "]"
}

// A list holds 500 values, and not one more.
func TestFullList(t *testing.T) {
	d := newDesk(t)
	d.ok(t, d.Patch(t, global, `{"negativeKeywords":`+many(499)+`}`))
	d.Post(t, adding, body("negativeKeywords", "one", "two")).Is(t, 400, "INVALID_INPUT")
	if f := d.ok(t, d.Post(t, adding, body("negativeKeywords", "one", "ONE", "word 3"))); len(f.NegativeKeywords) != 500 {
		t.Errorf("%d", len(f.NegativeKeywords))
	}
	d.Post(t, adding, body("negativeKeywords", "two")).Is(t, 400, "INVALID_INPUT")
	before := d.version(t)
	if f := d.ok(t, d.Post(t, adding, body("negativeKeywords", "one"))); len(f.NegativeKeywords) != 500 ||
		d.version(t) != before {
		t.Errorf("%d values, %d changes", len(f.NegativeKeywords), d.version(t)-before)
	}
}

// As much as the bounds allow can be kept, as long as it is text of a few bytes a character; more is refused, not failed.
func TestLargestFilters(t *testing.T) {
	d := newDesk(t)
	largest := func(character string) string {
		values := make([]string, 500)
		for i := range values {
			values[i] = fmt.Sprintf("%03d", i) + strings.Repeat(character, 97)
		}
		text, err := json.Marshal(values)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	plain := largest("x")
	d.ok(t, d.Patch(t, global,
		`{"negativeKeywords":`+plain+`,"negativeAuthors":`+plain+`,"negativeSubreddits":`+plain+`,"positiveSubreddits":`+
			plain+
			`,"negativeRepos":`+plain+`}`))
	d.Patch(t, global, `{"negativeKeywords":`+largest("𝛑")+`,"negativeAuthors":`+largest("𝛑")+`}`).
		Is(t, 400, "INVALID_INPUT")
}

// What changes nothing makes nobody compile anything, nor writes.
func TestNoChange(t *testing.T) {
	d := newDesk(t)
	all := `{"negativeKeywords":["storm"],"negativeAuthors":["@a"],"positiveSubreddits":["golang"]}`
	d.ok(t, d.Patch(t, global, all))
	before := d.version(t)
	d.ok(t, d.Patch(t, global, all))
	d.ok(t, d.Patch(t, global, `{}`))
	d.ok(t, d.Post(t, adding, body("negativeKeywords", "Storm")))
	d.ok(t, d.Post(t, removing, body("negativeKeywords", "snow")))
	if d.version(t) != before || before != 1 {
		t.Errorf("%d, then %d changes", before, d.version(t))
	}
}

// Of however many who add at once, none is lost.
func TestAddsAtOnce(t *testing.T) {
	d := newDesk(t)
	faulttest.AtOnce(20, func(n int) {
		if answer := d.Post(t, adding, body("negativeKeywords", fmt.Sprint("word ", n), "shared")); answer.Status != 200 {
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
		if answer := d.Post(t, removing, body("negativeKeywords", "shared")); answer.Status != 200 {
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
	})
	f := d.ok(t, d.Get(t, global))
	if len(f.NegativeKeywords) != 20 {
		t.Errorf("%d: %v", len(f.NegativeKeywords), f.NegativeKeywords)
	}
}

// A crash after the write, and the repeat that the client sends.
func TestCrash(t *testing.T) {
	d := newDesk(t)
	for _, target := range []string{adding, removing} {
		d.CrashOnce("transact")
		d.Post(t, target, body("negativeKeywords", "storm"), "Idempotency-Key", target).Is(t, 500, "INTERNAL_ERROR")
		f := d.ok(t, d.Post(t, target, body("negativeKeywords", "storm"), "Idempotency-Key", target))
		if (len(f.NegativeKeywords) == 1) != (target == adding) {
			t.Errorf("%s: %v", target, f.NegativeKeywords)
		}
	}
	if d.version(t) != 2 {
		t.Errorf("%d changes", d.version(t))
	}
}

// What was stored in another way is read all the same.
func TestStoredByOthers(t *testing.T) {
	d := newDesk(t)
	if err := d.Store.PutFilters(t.Context(), d.Main.ID, keyword.Filters{NegativeRepos: []string{"a/b"}}); err != nil {
		t.Fatal(err)
	}
	if f := d.ok(t, d.Get(t, global)); fmt.Sprint(f.NegativeRepos) != "[a/b]" || f.NegativeKeywords == nil {
		t.Errorf("%+v", f)
	}
	// More than a list holds can be made less, and what is there is there.
	over := make([]string, 502)
	for i := range over {
		over[i] = fmt.Sprint("word ", i)
	}
	if err := d.Store.PutFilters(t.Context(), d.Main.ID, keyword.Filters{NegativeKeywords: over}); err != nil {
		t.Fatal(err)
	}
	d.ok(t, d.Post(t, adding, body("negativeKeywords", "word 7")))
	d.ok(t, d.Post(t, removing, body("negativeKeywords", "word 7")))
	d.Post(t, adding, body("negativeKeywords", "word 7")).Is(t, 400, "INVALID_INPUT")
}
