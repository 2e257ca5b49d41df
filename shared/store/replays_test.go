package store_test

import (
	"net/http"
	"testing"

	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A request whose lease is over does not overwrite the response of the request that claimed the key after it.
func TestKeep_LeaseOver(t *testing.T) {
	w := worldtest.NewWorld(t)
	claim := func(owner string) workspace.Claim {
		claim := claimOf(w, owner)
		claim.Now = w.Clock.Now()
		return claim
	}
	begin := func(c workspace.Claim) *workspace.Kept {
		t.Helper()
		kept, err := w.Store.Begin(t.Context(), c)
		worldtest.Must(t, err)
		return kept
	}
	slow := claim("slow")
	if kept := begin(slow); kept != nil {
		t.Fatalf("Begin(%s) = %+v, want nil", slow.Owner, kept)
	}
	w.Clock.Freeze(w.Clock.Now().Add(slow.Lease))
	next := claim("next")
	if kept := begin(next); kept != nil {
		t.Fatalf("Begin(%s) after the lease = %+v, want nil", next.Owner, kept)
	}
	answer := func(body string) workspace.StoredAnswer {
		return workspace.StoredAnswer{Status: http.StatusCreated, Body: []byte(body)}
	}
	worldtest.Must(t, w.Store.Keep(t.Context(), next, answer("next")))
	if err := w.Store.Keep(t.Context(), slow, answer("slow")); err == nil {
		t.Error("Keep after the lease = nil, want an error")
	}
	kept := begin(claim("repeat"))
	if kept == nil || kept.Answer == nil || string(kept.Answer.Body) != "next" {
		t.Errorf("Begin of a repeat = %+v, want the response of the request that held the claim", kept)
	}
}
