package setup_test

import (
	"testing"

	"earshot/shared/proposal"
)

// A person who edits a profile has seen that its page told little, and a proposal does not say so again.
func TestProfile_EditTakesNotice(t *testing.T) {
	d := newDesk(t)
	id := d.begin(t)
	p := proposal.Profile{Company: "Northwind", Language: "english", Notice: proposal.NoticeSoon}
	if err := d.Store.ScanDone(t.Context(), d.Main.ID, id, &p, ""); err != nil {
		t.Fatal(err)
	}
	d.Client.Patch(t, "/api/v2/setup/drafts/"+id, `{"profile":{"company":"Northwind"}}`).OK(t, nil)
	found, err := d.Store.Draft(t.Context(), d.Main.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	if found.Profile.Notice != "" || found.ProfileRevision != 2 {
		t.Errorf("notice %q, revision %d, want none and 2", found.Profile.Notice, found.ProfileRevision)
	}
}
