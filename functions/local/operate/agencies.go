package main

import (
	"fmt"
	"strconv"
	"time"

	"earshot/shared/workspace"
)

type agencyCommands struct {
	Create createAgency `cmd:"" help:"Make an agency, its own workspace and its first master key."`
	List   listAgencies `cmd:"" help:"List all agencies, oldest first."`
}

type createAgency struct {
	Name   string `required:"" help:"Its name, 1 to 100 characters."`
	Plan   string `default:"scale" enum:"free_trial,pro,scale,enterprise" help:"The plan of its own workspace."`
	Limit  int    `default:"25" help:"How many workspaces it has room for, 1 to 10000."`
	Expiry string `default:"never" enum:"30d,90d,1y,never" help:"How long the master key is good: 30d, 90d, 1y or never."`
}

// Run makes the agency first, then the workspace that it names as its anchor, then the key: whatever is missing when it is killed
// can be seen, and a key can be made anew.
func (c createAgency) Run(o *operator) error {
	name, err := named(c.Name)
	if err != nil {
		return err
	}
	if c.Limit < 1 || c.Limit > 10_000 {
		return fmt.Errorf("an agency has room for 1 to 10000 workspaces, not %d", c.Limit)
	}
	now := o.clock.Now().UTC().Truncate(time.Millisecond)
	agency := workspace.Agency{ID: workspace.NewID(workspace.PrefixAgency, now), Name: name, AnchorID: workspace.NewID(workspace.PrefixWorkspace, now),
		Active: true, WorkspaceLimit: c.Limit, CreatedAt: now}
	if err := o.store.CreateAgency(o, agency); err != nil {
		return err
	}
	anchor := workspace.Workspace{ID: agency.AnchorID, Name: name, AgencyID: agency.ID, Plan: workspace.Plan(c.Plan), CreatedAt: now}
	if err := o.store.CreateWorkspace(o, anchor); err != nil {
		return fmt.Errorf("the agency %s was made, without its own workspace: it is of no use; make another: %w", agency.ID, err)
	}
	key, token, err := o.newKey(workspace.Key{Name: "First master key", Scope: workspace.Admin, Agency: &agency}, workspace.Expiry(c.Expiry))
	if err != nil {
		return fmt.Errorf("the agency %s was made, without a key: key create --owner %[1]s makes one: %w", agency.ID, err)
	}
	return o.print.said(made{Workspace: anchor.ID, Agency: agency.ID, Key: key.ID, Token: token, ExpiresAt: moment(key.ExpiresAt)},
		"agency      "+agency.ID, "workspace   "+anchor.ID+"  its own, which cannot be deleted", "master key  "+token,
		"The key is shown this once. It is for "+o.where+", and names a workspace in each request.")
}

type listAgencies struct{}

func (listAgencies) Run(o *operator) error {
	type entry struct {
		ID         string `json:"id"`
		Name       string `json:"name"`
		Active     bool   `json:"active"`
		Anchor     string `json:"anchor"`
		Workspaces int    `json:"workspaces"`
		Limit      int    `json:"limit"`
		CreatedAt  string `json:"createdAt"`
	}
	agencies, err := o.store.Agencies(o)
	if err != nil {
		return err
	}
	entries, rows := []entry{}, [][]string{}
	for _, agency := range agencies {
		has, err := o.store.AgencyWorkspaces(o, agency.ID)
		if err != nil {
			return err
		}
		entries = append(entries, entry{agency.ID, agency.Name, agency.Active, agency.AnchorID, len(has), agency.WorkspaceLimit, moment(agency.CreatedAt)})
		rows = append(rows, []string{agency.ID, agency.AnchorID, strconv.Itoa(len(has)) + " of " + strconv.Itoa(agency.WorkspaceLimit),
			strconv.FormatBool(agency.Active), moment(agency.CreatedAt), agency.Name})
	}
	return o.print.rows(entries, "There is no agency.", []string{"AGENCY", "ITS OWN WORKSPACE", "WORKSPACES", "ACTIVE", "CREATED", "NAME"}, rows)
}
