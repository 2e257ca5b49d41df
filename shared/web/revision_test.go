package web_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A note is something that has revisions, and a number beside it that changes by itself.
type note struct {
	Text string `json:"text"`
	Seen int64  `json:"seen"`
}

type noteInput struct {
	Body struct {
		Text string `json:"text"`
	}
}

type drawn struct {
	Secret string `json:"secret"`
	Number int    `json:"number"`
}

// newNotes is an API of one note, which an operation reads and another changes, and of one that answers a secret.
func newNotes(t *testing.T) (*worldtest.World, worldtest.Client) {
	t.Helper()
	w := worldtest.NewWorld(t)
	revision, kept, number := int64(1), note{Text: "first"}, 0
	register := func(api *web.API) {
		web.Register(api, web.Operation{ID: "getNote", Method: "GET", Path: "/api/v2/note", Group: "notes", ETag: true},
			func(ctx context.Context, _ *struct{}) (*note, error) {
				kept.Seen++
				web.Revision(ctx, revision)
				answer := kept
				answer.Seen /= 2 // every second read sees another number
				return &answer, nil
			})
		web.Register(api, web.Operation{
			ID:      "updateNote",
			Method:  "PATCH",
			Path:    "/api/v2/note",
			Group:   "notes",
			Scope:   workspace.Write,
			ETag:    true,
			IfMatch: true,
		},
			func(ctx context.Context, in *noteInput) (*note, error) {
				if !web.Expects(ctx, revision) {
					return nil, problem.New(problem.InvalidInput, "It is another now.")
				}
				revision++
				kept.Text = in.Body.Text
				web.Revision(ctx, revision)
				return &kept, nil
			})
		web.Register(api, web.Operation{
			ID:     "drawSecret",
			Method: "POST",
			Path:   "/api/v2/secrets",
			Group:  "notes",
			Scope:  workspace.Write,
			Secret: true,
		},
			func(ctx context.Context, _ *struct{}) (*drawn, error) {
				number++
				return &drawn{Secret: "hidden-" + web.Repeated(ctx), Number: number}, nil
			})
	}
	described := web.New(web.Options{Document: true})
	register(described)
	openAPI, err := described.OpenAPI("Notes.", map[string]string{"notes": "Notes."})
	if err != nil {
		t.Fatal(err)
	}
	return w, worldtest.Serve(t, w, openAPI, register)
}

const atNote = "/api/v2/note"

// A change is made to the version that the client has seen, whatever else of its answer has changed by itself.
func TestIfMatch(t *testing.T) {
	_, c := newNotes(t)
	tag := func(answer worldtest.Answer) string { t.Helper(); answer.OK(t, nil); return answer.Header.Get("ETag") }
	first, other := tag(c.Get(t, atNote)), tag(c.Get(t, atNote))
	if first == other || !strings.HasPrefix(first, `"1.`) || !strings.HasPrefix(other, `"1.`) {
		t.Fatalf("%s, then %s", first, other)
	}
	body := `{"text":"x"}`
	second := tag(c.Patch(t, atNote, body, "If-Match", first))
	if !strings.HasPrefix(second, `"2.`) {
		t.Errorf("changed, it is %s", second)
	}
	for _, stale := range []string{first, other, `"nobody's"`, `"2"`, `""`, "W/" + second, `"1.x", W/"2.x"`} {
		c.Patch(t, atNote, body, "If-Match", stale).Is(t, 400, "INVALID_INPUT")
	}
	for i, good := range []string{second, "*", ` "x.y" , "4.other" `, ""} {
		header := []string{"If-Match", good}
		if good == "" {
			header = nil
		}
		if got := tag(c.Patch(t, atNote, body, header...)); got[1] != "3456"[i] {
			t.Errorf("with %s it is %s", good, got)
		}
	}
	for _, malformed := range []string{"2", `"2`, `"a" "b"`, `*, "a"`, `w/"a"`, `"a b"`, ","} {
		told := c.Patch(t, atNote, `{"text":7}`, "If-Match", malformed).Is(t, 400, "VALIDATION_ERROR")
		if len(told.Details) != 2 || told.Details[0].Path != "header.If-Match" && told.Details[1].Path != "header.If-Match" {
			t.Errorf("%s: %+v", malformed, told.Details)
		}
	}
	answer := c.Patch(t, atNote, body, "If-None-Match", "*")
	if answer.OK(t, nil); answer.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", answer.Header)
	}
	// A read goes by the whole of the answer.
	c.Get(t, atNote)
	now := c.Get(t, atNote)
	if again := c.Get(t, atNote, "If-None-Match", now.Header.Get("ETag")); again.Status != 304 &&
		again.Header.Get("ETag") == now.Header.Get("ETag") {
		t.Errorf("%d", again.Status)
	}
}

// An answer that is given again has the ETag that it had, so that a client may go on from it.
func TestReplay_ETag(t *testing.T) {
	_, c := newNotes(t)
	patch := func(text string, header ...string) worldtest.Answer {
		t.Helper()
		answer := c.Patch(t, atNote, `{"text":"`+text+`"}`, header...)
		answer.OK(t, nil)
		return answer
	}
	first := patch("x", "Idempotency-Key", "k")
	again := patch("x", "Idempotency-Key", "k")
	if tag := again.Header.Get("ETag"); tag != first.Header.Get("ETag") || !strings.HasPrefix(tag, `"2.`) ||
		again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%v, then %v", first.Header, again.Header)
	}
	third := patch("y", "If-Match", again.Header.Get("ETag"))
	// What is left of the answer is the newer one's: the first is kept as it was.
	if tag := patch("x", "Idempotency-Key", "k").Header.Get("ETag"); tag == third.Header.Get("ETag") ||
		tag != first.Header.Get("ETag") {
		t.Errorf("replayed after a change: %s", tag)
	}
	c.Patch(t, atNote, `{"text":"z"}`, "If-Match", first.Header.Get("ETag"), "Idempotency-Key", "l").
		Is(t, 400, "INVALID_INPUT")
	if tag := c.Patch(t, atNote, `{"text":"z"}`, "If-Match", first.Header.Get("ETag"), "Idempotency-Key",
		"l").Header.Get("ETag"); tag != "" {
		t.Errorf("a refusal has the ETag %s", tag)
	}
	// Further conditions make it another request.
	patch("v", "If-Match", `"a"`, "If-Match", "\"4.x\", \"3.x\"", "Idempotency-Key", "m")
	c.Patch(t, atNote, `{"text":"v"}`, "If-Match", `"a"`, "Idempotency-Key", "m").Is(t, 422, "IDEMPOTENCY_KEY_REUSED")
}

// An answer that holds a secret is given again to who sends the same token, and is nowhere to be read.
func TestReplay_SecretsSealed(t *testing.T) {
	w, c := newNotes(t)
	var first, again, other drawn
	c.Post(t, "/api/v2/secrets", "", "Idempotency-Key", "k").OK(t, &first)
	replayed := c.Post(t, "/api/v2/secrets", "", "Idempotency-Key", "k")
	if replayed.OK(t, &again); first != again || replayed.Header.Get("Idempotent-Replayed") != "true" ||
		len(first.Secret) < 20 {
		t.Errorf("%+v, then %+v", first, again)
	}
	c.As(w.Admin).Post(t, "/api/v2/secrets", "", "Idempotency-Key", "k").OK(t, &other)
	if other.Number == first.Number || other.Secret == first.Secret {
		t.Errorf("another key is given %+v", other)
	}
	page, err := w.Table.Query(t.Context(),
		table.Query{Table: rows.CountersTable, Partition: w.Main.ID, Prefix: "answer#"})
	if err != nil || len(page.Items) != 2 {
		t.Fatalf("%d answers are kept, %v", len(page.Items), err)
	}
	for _, item := range page.Items {
		if body, _ := item["body"].([]byte); len(body) == 0 || bytes.Contains(body, []byte("hidden")) {
			t.Errorf("what is kept: %q", body)
		}
	}
}
