package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"earshot/functions/local/folder"
	"earshot/functions/local/settings"
	"earshot/functions/local/tables"
	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/workspace"
)

// A home is what a client has of its own: an agency, its workspace, and their keys.
type home struct {
	workspace, agency          string
	read, write, admin, master string // tokens
	keyword                    string // that the client's posts are found by
	keywordID                  int64
	keys                       map[string]string // names of the keys that it began with, to their scopes
}

// prepare makes a home for each client in a folder that no workbench serves yet, as the operator's command would: an
// hour lets a workspace make 500 requests, so a soak needs many.
func prepare(ctx context.Context, data string, clients int) (homes []home, err error) {
	if err := folder.Make(data); err != nil {
		return nil, err
	}
	now := clock.System{}
	opened, err := tables.Open(ctx, settings.Settings{Data: data}, func(string) string { return "" }, now)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	stored := allstores.New(table.Retrying(opened), now)
	for n := range clients {
		h, err := settle(ctx, stored, n, now.Now().UTC().Truncate(time.Millisecond))
		if err != nil {
			return nil, fmt.Errorf("make the home of client %d: %w", n, err)
		}
		homes = append(homes, h)
	}
	return homes, nil
}

// roomOfAgency is how many workspaces a client's agency has room for: more than it makes.
const roomOfAgency = 10_000

func settle(ctx context.Context, stored *allstores.Store, n int, now time.Time) (home, error) {
	h := home{keyword: "soak" + word(n), keywordID: 1, keys: map[string]string{}}
	agency := workspace.Agency{
		ID:             workspace.NewID(workspace.PrefixAgency, now),
		Name:           "Agency " + word(n),
		AnchorID:       workspace.NewID(workspace.PrefixWorkspace, now),
		Active:         true,
		WorkspaceLimit: roomOfAgency,
		CreatedAt:      now,
	}
	h.workspace, h.agency = agency.AnchorID, agency.ID
	if err := stored.CreateAgency(ctx, agency); err != nil {
		return home{}, err
	}
	if err := stored.CreateWorkspace(
		ctx,
		workspace.Workspace{ID: h.workspace, Name: "Client " + word(n), AgencyID: agency.ID,
			Plan: workspace.Enterprise, Flags: []string{workspace.FlagSetupOnboarding}, CreatedAt: now},
	); err != nil {
		return home{}, err
	}
	if err := stored.RestoreKeyword(
		ctx,
		h.workspace,
		keyword.Keyword{ID: h.keywordID, Text: h.keyword, ExactMatch: true,
			AdditionalTermsLogic: keyword.Any},
	); err != nil {
		return home{}, err
	}
	for _, made := range []struct {
		token *string
		key   workspace.Key
	}{
		{&h.read, workspace.Key{Scope: workspace.Read, Workspace: &workspace.Workspace{ID: h.workspace}}},
		{&h.write, workspace.Key{Scope: workspace.Write, Workspace: &workspace.Workspace{ID: h.workspace}}},
		{&h.admin, workspace.Key{Scope: workspace.Admin, Workspace: &workspace.Workspace{ID: h.workspace}}},
		{&h.master, workspace.Key{Scope: workspace.Admin, Agency: &agency}},
	} {
		token := workspace.NewToken(now)
		made.key.ID, made.key.Name, made.key.Digest, made.key.CreatedAt = token.KeyID, "First "+made.key.Scope.String(),
			token.Digest(), now
		if err := stored.CreateKey(ctx, made.key); err != nil {
			return home{}, err
		}
		*made.token = token.Reveal()
		if made.key.Agency == nil {
			h.keys[made.key.Name] = made.key.Scope.String()
		}
	}
	return h, nil
}

// word writes a number in letters: a name that no operator of keywords, no stop word and no other name is part of.
func word(n int) string {
	return "q" + strings.NewReplacer("0", "ba", "1", "ce", "2", "di", "3", "fo", "4", "gu", "5", "ha", "6", "ke", "7",
		"li", "8", "mo", "9", "nu").
		Replace(fmt.Sprint(n)) +
		"x"
}
