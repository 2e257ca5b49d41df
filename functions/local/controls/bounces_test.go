package controls_test

import (
	"testing"

	"earshot/shared/port/mail"
	"earshot/shared/worldtest"
)

func TestBounce(t *testing.T) {
	d := newDesk(t)
	send := func(to, workspace string) {
		t.Helper()
		worldtest.Must(t, d.Outbox().Send(t.Context(), mail.Message{To: to, Subject: "x", Text: "x", Workspace: workspace}))
	}
	send("a@northwind.example", d.Main.ID)
	send("a@northwind.example", "") // an invitation
	send("b@northwind.example", "")
	d.post("/_local/bounces", `{"to":"A@northwind.example","kind":"permanent"}`).ok(t, nil)
	if want := "permanent " + d.Main.ID + " a@northwind.example"; len(d.ticks.bounced) != 1 || d.ticks.bounced[0] != want {
		t.Errorf("reported are %q, want %q", d.ticks.bounced, want)
	}
	d.post("/_local/bounces", `{"to":"b@northwind.example","kind":"permanent"}`).is(t, 404, "NOT_FOUND")
	d.post("/_local/bounces", `{"to":"a@northwind.example","kind":"loud"}`).is(t, 400, "VALIDATION_ERROR")
}
