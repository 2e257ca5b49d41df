package contract_test

import (
	"net/http"
	"strings"
	"testing"

	"earshot/shared/web/contract"
)

const document = `{"openapi":"3.1.0","paths":{"/things/{id}":{
	"get":{"operationId":"getThing","responses":{"200":{"headers":{"X-A":{},"Idempotent-Replayed":{}},"content":{"application/json":{"schema":{"type":"object","required":["id"]}}}},
		"304":{},"500":{"content":{"application/json":{"schema":{"type":"object"}}}}}},
	"parameters":[]},
	"/things/all":{"delete":{"responses":{"200":{"content":{"text/csv":{}}}}}}}}`

func read(t *testing.T) *contract.Document {
	t.Helper()
	d, err := contract.NewDocument([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func answer(status int, body string, header ...string) contract.Answer {
	a := contract.Answer{
		Status: status,
		Header: http.Header{"Content-Type": {"application/json"}, "X-A": {"a"}},
		Body:   []byte(body),
	}
	for n := 0; n+1 < len(header); n += 2 {
		a.Header.Set(header[n], header[n+1])
	}
	return a
}

// Each way in which an answer can leave the document is told, and nothing else.
func TestCheck_Faults(t *testing.T) {
	d := read(t)
	for name, c := range map[string]struct {
		method, path string
		contract.Answer
		wrong string // empty: nothing
	}{
		"as it should be": {"GET", "/things/1", answer(200, `{"id":1}`), ""},
		"nothing to hold": {"GET", "/things/1", answer(304, ``), ""},
		"a status":        {"GET", "/things/1", answer(404, `{}`), "the document has no 404"},
		"a header":        {"GET", "/things/1", answer(200, `{"id":1}`, "X-A", ""), "without the header X-A"},
		"a schema":        {"GET", "/things/1", answer(200, `{}`), "does not validate"},
		"no JSON":         {"GET", "/things/1", answer(200, `{`), "is not JSON"},
		"a type": {"GET", "/things/1", answer(200, `{"id":1}`, "Content-Type", "text/html; charset=utf-8"),
			"which the document does not name"},
		"another type": {"DELETE", "/things/all", answer(200, `a,b`, "Content-Type", "text/csv"), ""},
		"a literal comes first": {"DELETE", "/things/1", answer(200, `a,b`, "Content-Type", "text/csv"),
			"is not in the document"},
		"a path that is not":    {"GET", "/nothing", answer(200, `{}`), "is not in the document"},
		"and is told so":        {"GET", "/nothing", answer(404, `{}`), ""},
		"HEAD as GET":           {"HEAD", "/things/1", answer(200, ``), ""},
		"HEAD with GET's body":  {"HEAD", "/things/1", answer(200, `{}`), "does not validate"},
		"HEAD without a header": {"HEAD", "/things/1", answer(200, ``, "X-A", ""), "without the header X-A"},
		"HEAD without GET":      {"HEAD", "/things/all", answer(200, ``), "is not in the document"},
		"a method in any case":  {"Get", "/things/1", answer(200, `{"id":1}`), "is not in the document"},
		"an empty variable":     {"GET", "/things/", answer(404, `{}`), ""},
	} {
		faults := d.Faults(c.method, c.path, c.Answer)
		if c.wrong == "" && len(faults) > 0 ||
			c.wrong != "" && (len(faults) != 1 || !strings.Contains(faults[0].Error(), c.wrong)) {
			t.Errorf("%s: %v, want %q", name, faults, c.wrong)
		}
	}
	if operations := d.Operations(); len(operations) != 2 || operations[0].Method != "DELETE" ||
		operations[1].Path != "/things/{id}" {
		t.Errorf("%+v", operations)
	}
	if d.Template("/things/all") != "/things/all" || d.Template("/things/7") != "/things/{id}" || d.Template("/") != "" {
		t.Error("paths are taken for others")
	}
	for _, broken := range []string{"{", `{"paths":3}x`} {
		if _, err := contract.NewDocument([]byte(broken)); err == nil {
			t.Errorf("%s is a document", broken)
		}
	}
}

func TestCheck_AnyResponse(t *testing.T) {
	whole := []string{"Server-Timing", "a", "X-Request-Id", "a", "Cache-Control", "a", "Strict-Transport-Security", "a",
		"X-Content-Type-Options", "a",
		"Access-Control-Allow-Origin", "a", "Access-Control-Expose-Headers", "a"}
	for body, c := range map[string]struct {
		status int
		wrong  string
	}{
		`{}`: {200, ""},
		`{"error":{"code":"NOT_FOUND","message":"No.","status":404}}`:       {404, ""},
		`{"error":{"code":"not_found","message":"No.","status":404}}`:       {404, ""},
		`{"error":{"code":"NOT_FOUND","message":"No.","status":400}}`:       {404, "status or message is off"},
		`{"error":{"code":"NOT_FOUND","message":"","status":404}}`:          {404, "status or message is off"},
		`{"error":{"code":"NOT_FOUND","message":"No.","status":410}}`:       {410, "no such code with this status"},
		`{"error":{"code":"OOPS","message":"No.","status":400}}`:            {400, "no such code with this status"},
		`{"error":{"code":"NOT_FOUND","message":"","status":404},"more":1}`: {404, "not the envelope"},
		`oops`: {500, "not the envelope"},
	} {
		faults := answer(c.status, body, whole...).Faults()
		if c.wrong == "" && len(faults) > 0 ||
			c.wrong != "" && (len(faults) != 1 || !strings.Contains(faults[0].Error(), c.wrong)) {
			t.Errorf("%s: %v, want %q", body, faults, c.wrong)
		}
	}
	if faults := answer(200, `{}`).Faults(); len(faults) != 7 {
		t.Errorf("%v", faults)
	}
	if faults := answer(404, `{"error":{"code":"NOT_FOUND","message":"No.","status":404}}`,
		append(whole, "Content-Type", "text/plain")...).Faults(); len(faults) != 1 {
		t.Errorf("%v", faults)
	}
}
