package controls_test

import (
	"fmt"
	"testing"
	"time"

	"earshot/shared/port/mail"
)

func TestOutbox(t *testing.T) {
	d := newDesk(t)
	type sent struct {
		To, Subject, Text, HTML, SentAt string
		Headers                         map[string]string
	}
	var shown struct{ Mails []sent }
	d.do("GET", "/_local/outbox", nil).ok(t, &shown)
	if shown.Mails == nil || len(shown.Mails) != 0 {
		t.Fatalf("%+v", shown)
	}
	d.Clock.Freeze(time.Date(2026, 11, 20, 9, 0, 0, 1_500_000, time.UTC))
	for i, html := range []string{"", "<p>\"&\u2028 é"} {
		message := mail.Message{To: "quietharbor@northwind.example", Subject: fmt.Sprint(i), Text: "line\nline", HTML: html}
		if html != "" {
			message.Unsubscribe = "https://earshot.example/u?token=t"
		}
		if err := d.Outbox().Send(t.Context(), message); err != nil {
			t.Fatal(err)
		}
	}
	d.do("GET", "/_local/outbox", nil).ok(t, &shown)
	want := []sent{
		{"quietharbor@northwind.example", "1", "line\nline", "<p>\"&\u2028 é", "2026-11-20T09:00:00.001Z", map[string]string{
			"List-Unsubscribe": "<https://earshot.example/u?token=t>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
		}},
		{"quietharbor@northwind.example", "0", "line\nline", "", "2026-11-20T09:00:00.001Z", map[string]string{}},
	}
	if fmt.Sprint(shown.Mails) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", shown.Mails, want)
	}
	d.do("DELETE", "/_local/outbox?all=1", nil).is(t, 400, "VALIDATION_ERROR")
	d.do("DELETE", "/_local/outbox", nil).ok(t, &shown)
	if shown.Mails == nil || len(shown.Mails) != 0 {
		t.Errorf("%+v", shown)
	}
	d.do("GET", "/_local/outbox", nil).ok(t, &shown)
	if len(shown.Mails) != 0 {
		t.Errorf("%+v", shown)
	}
	d.do("GET", "/_local/outbox?limit=1", nil).is(t, 400, "VALIDATION_ERROR")
	if _, err := d.Outbox().List(t.Context(), 1); err != nil {
		t.Error(err)
	}
}
