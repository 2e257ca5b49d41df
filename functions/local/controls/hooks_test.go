package controls_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"earshot/functions/local/controls"
	"earshot/shared/delivery"
	"earshot/shared/outbound"
	"earshot/shared/outbound/webhook"
	"earshot/shared/port/clock"
)

type received struct {
	Requests []struct {
		At       string
		Status   int
		Headers  map[string]string
		Body     string
		Verified bool
	}
}

// A receiver keeps what comes, and answers as it is told to: the next requests, in turn.
func TestHooks(t *testing.T) {
	d := newDesk(t)
	served := httptest.NewServer(d.handler)
	defer served.Close()
	server := served.URL
	list := func(name string) (got received) {
		t.Helper()
		if err := json.Unmarshal(d.do("GET", "/_local/hooks/"+name, nil).Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	sender := webhook.New(outbound.New(outbound.Options{
		Own:   server + controls.Prefix + "/hooks/",
		Whole: 2 * time.Second,
	}), clock.System{})
	post := func(name string) delivery.Outcome {
		t.Helper()
		out, err := sender.Post(t.Context(), server+controls.Prefix+"/hooks/"+name,
			delivery.Message{ID: "evt_1", Body: []byte(`{"n":1}`)})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if out := post("signed"); !out.OK() || out.Response != "200\n" {
		t.Errorf("%+v", out)
	}
	for _, next := range []string{`{"status":503,"times":2,"retryAfter":"60"}`, `{"reset":true}`, `{"status":204,"delayMs":5}`} {
		if got := d.post("/_local/hooks/plain/responses", next); got.Code != 200 {
			t.Fatal(got.Body)
		}
	}
	var got []string
	for range 5 {
		out := post("plain")
		got = append(got, fmt.Sprint(out.Status, " ", out.RetryAfter, " ", out.Reason))
	}
	want := "503 1m0s The webhook answered 503.|503 1m0s The webhook answered 503.|0 0s The webhook broke off the connection.|204 0s |200 0s "
	if strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
	if got := list("plain").Requests; len(got) != 5 || got[0].Status != 503 || got[2].Status != 0 || got[0].Verified ||
		got[4].Headers["webhook-id"] != "evt_1" || got[4].Body != `{"n":1}` {
		t.Errorf("%+v", got)
	}
	d.post("/_local/hooks/plain/responses", `{"status":500,"times":9}`)
	if got := d.do("DELETE", "/_local/hooks/plain/responses", nil); got.Code != 200 || !post("plain").OK() ||
		len(list("plain").Requests) != 6 {
		t.Errorf("%d: %v", got.Code, list("plain"))
	}
	if got := list("signed").Requests; len(got) != 1 || !got[0].Verified {
		t.Errorf("%+v", got)
	}
	if got := d.do("DELETE", "/_local/hooks/signed", nil); got.Code != 200 || len(list("signed").Requests) != 0 {
		t.Errorf("%d: %v", got.Code, list("signed"))
	}
	for _, bad := range []string{`{"status":99}`, `{"status":200,"times":0}`, `{"status":200,"delayMs":60001}`,
		`{"status":200,"retryAfter":"a\nb"}`, `{"nonsense":1}`} {
		d.post("/_local/hooks/plain/responses", bad).is(t, 400, "VALIDATION_ERROR")
	}
	d.post("/_local/hooks/Not-A-Name", "{}").is(t, 404, "NOT_FOUND")
	// Another address of this machine is none that may be called.
	if out, err := sender.Post(t.Context(), server+controls.Prefix+"/outbox", delivery.Message{}); err != nil ||
		out.OK() || out.Status != 0 {
		t.Errorf("%+v %v", out, err)
	}
}
