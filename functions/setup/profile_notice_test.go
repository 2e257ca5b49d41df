package setup_test

import (
	"encoding/json"
	"strings"
	"testing"

	"earshot/functions/discovery"
	"earshot/shared/proposal"
	"earshot/shared/worldtest"
)

// The document lists the codes of the warnings of all notices.
func TestDocument_ListsNotices(t *testing.T) {
	var document struct {
		Paths map[string]map[string]struct{ Description string }
	}
	worldtest.Must(t, json.Unmarshal(discovery.OpenAPI(), &document))
	text := document.Paths["/api/v2/setup/proposals/{id}"]["get"].Description
	for _, notice := range proposal.Notices() {
		if !strings.Contains(text, "`"+notice.Warning()+"`") {
			t.Errorf("getSetupProposal has no %s in %q", notice.Warning(), text)
		}
	}
}

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
