// Package demo makes what the workbench starts with: an agency with three workspaces, their keys and keywords, and
// posts written for it. Every name in it is made up. It is stored once. Later starts find it again, without doubles,
// also after a start that was killed midway.
//
// The keys are kept in full in demo.json of the data folder, because they open a laptop and nothing else.
//
// Only the programs under functions/local and the tools import it.
package demo

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"earshot/shared/store"
	"earshot/shared/store/allstores"
	"earshot/shared/store/listenstore"
	"earshot/shared/workspace"
)

// A Demo is the content of demo.json.
type Demo struct {
	BaseURL    string            `json:"baseUrl"`
	Keys       Keys              `json:"keys"`
	Workspaces map[string]string `json:"workspaces"` // ids by name
}

// Keys are the demo's API keys as a client sends them.
type Keys struct {
	Read           string `json:"read"`           // of northwind
	Write          string `json:"write"`          // of northwind
	Admin          string `json:"admin"`          // of northwind
	OtherWorkspace string `json:"otherWorkspace"` // admin, of harbour
	AgencyMaster   string `json:"agencyMaster"`   // admin, of the agency of all three
	AgentsPlan     string `json:"agentsPlan"`     // admin, of robots
}

// The workspaces. They all belong to the demo's agency, whose own workspace is harbour.
const (
	northwind = "northwind"
	harbour   = "harbour"
	robots    = "robots"
)

// inOrder lists the workspaces in the order of their making: the agency's own first.
var inOrder = []string{harbour, northwind, robots}

var plans = map[string]workspace.Plan{northwind: workspace.Pro, harbour: workspace.Scale, robots: workspace.Agents}

// Prepare reads the data folder's demo, or makes a new one, and stores what is missing of it. baseURL is for a new
// one: see ServedAt.
func Prepare(ctx context.Context, stored *allstores.Store, now time.Time, folder, baseURL string) (Demo, error) {
	demo, err := keep(folder, now, baseURL)
	if err != nil {
		return Demo{}, err
	}
	if err := demo.fill(ctx, stored, now); err != nil {
		return Demo{}, fmt.Errorf("fill in the demo: %w", err)
	}
	return demo, nil
}

// draw makes a new demo.
func draw(now time.Time) Demo {
	token := func() string { return workspace.NewToken(now).Reveal() }
	demo := Demo{
		Keys: Keys{
			Read:           token(),
			Write:          token(),
			Admin:          token(),
			OtherWorkspace: token(),
			AgencyMaster:   token(),
			AgentsPlan:     token(),
		},
		Workspaces: map[string]string{},
	}
	for name := range plans {
		demo.Workspaces[name] = workspace.NewID(workspace.PrefixWorkspace, now)
	}
	return demo
}

// agency follows from its anchor, so demo.json need not name it and every start means the same agency.
func (d Demo) agency(now time.Time) workspace.Agency {
	anchor := d.Workspaces[harbour]
	return workspace.Agency{
		ID:             workspace.PrefixAgency + strings.TrimPrefix(anchor, workspace.PrefixWorkspace),
		Name:           "Harbour Agency",
		AnchorID:       anchor,
		Active:         true,
		WorkspaceLimit: workspace.DefaultWorkspaceLimit,
		CreatedAt:      now,
	}
}

// fill stores the demo. The master key comes last: if it exists, everything does.
func (d Demo) fill(ctx context.Context, stored *allstores.Store, now time.Time) error {
	agency := d.agency(now)
	master, _ := workspace.ParseToken(d.Keys.AgencyMaster) // check has seen it
	found, _, err := stored.Credentials(ctx, master.KeyID, "")
	if err != nil || found != nil {
		return err
	}
	if err := there(stored.CreateAgency(ctx, agency)); err != nil {
		return err
	}
	for after, name := range inOrder {
		id := d.Workspaces[name]
		if err := there(stored.CreateWorkspace(ctx, workspace.Workspace{
			ID: id, Name: strings.ToUpper(name[:1]) + name[1:], AgencyID: agency.ID, Plan: plans[name],
			CreatedAt: now.Add(time.Duration(after) * time.Millisecond),
		})); err != nil {
			return err
		}
		if err := listen(ctx, stored, name, id, now); err != nil {
			return err
		}
		mentions, err := posts(name, now)
		if err != nil {
			return err
		}
		for _, m := range mentions {
			if err := stored.PutMention(ctx, id, m); err != nil {
				return err
			}
		}
	}
	if err := there(stored.RestoreDraft(ctx, d.Workspaces[northwind], draft(now))); err != nil {
		return err
	}
	own := func(name string) *workspace.Workspace { return &workspace.Workspace{ID: d.Workspaces[name]} }
	for _, key := range []struct {
		token string
		key   workspace.Key
	}{
		{d.Keys.Read, workspace.Key{Name: "Demo, read", Scope: workspace.Read, Workspace: own(northwind)}},
		{d.Keys.Write, workspace.Key{Name: "Demo, write", Scope: workspace.Write, Workspace: own(northwind)}},
		{d.Keys.Admin, workspace.Key{Name: "Demo, admin", Scope: workspace.Admin, Workspace: own(northwind)}},
		{d.Keys.OtherWorkspace, workspace.Key{Name: "Demo", Scope: workspace.Admin, Workspace: own(harbour)}},
		{d.Keys.AgentsPlan, workspace.Key{Name: "Demo", Scope: workspace.Admin, Workspace: own(robots)}},
		{d.Keys.AgencyMaster, workspace.Key{Name: "Demo, master", Scope: workspace.Admin, Agency: &agency}},
	} {
		token, _ := workspace.ParseToken(key.token)
		key.key.ID, key.key.Digest, key.key.CreatedAt = token.KeyID, token.Digest(), now
		if err := stored.CreateKey(ctx, key.key); err != nil {
			return fmt.Errorf("key %s: %w", key.key.Name, err)
		}
	}
	return nil
}

// there accepts what an earlier start has made.
func there(err error) error {
	if errors.Is(err, store.ErrConflict) || errors.Is(err, listenstore.ErrKeywordTaken) {
		return nil
	}
	return err
}
