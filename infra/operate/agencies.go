package operate

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"earshot/infra/exit"
	"earshot/shared/name"
	"earshot/shared/store"
	"earshot/shared/workspace"
)

type agencyCommands struct {
	Create     createAgency     `cmd:"" help:"Make an agency, its own workspace and its first master key."`
	List       listAgencies     `cmd:"" help:"List all agencies, oldest first."`
	Billing    setBilling       `cmd:"" help:"Set what mentions beyond a plan cost an agency, so that its workspaces can be flexible."`
	Activate   activateAgency   `cmd:"" help:"Accept an agency's master keys again."`
	Deactivate deactivateAgency `cmd:"" help:"Refuse an agency's master keys until it is activated. Its workspaces' own keys stay valid."`
}

type createAgency struct {
	Name   string `required:"" help:"Its name, 1 to 100 characters."`
	Plan   string `default:"scale" enum:"free_trial,pro,scale,enterprise" help:"The plan of its own workspace."`
	Limit  int    `default:"25" help:"How many workspaces it has room for, 1 to 10000."`
	Expiry string `default:"never" enum:"30d,90d,1y,never" help:"How long the master key is good: 30d, 90d, 1y or never."`
}

// Run makes the agency first, then the workspace that it names as its anchor, then the key. After a kill the missing
// parts can be seen, and a key can be made anew.
func (c createAgency) Run(o *operator) error {
	called, err := named(c.Name, name.FaultOfQuoted)
	if err != nil {
		return err
	}
	if c.Limit < 1 || c.Limit > 10_000 {
		return exit.Misused("an agency has room for 1 to 10000 workspaces, not %d", c.Limit)
	}
	now := o.clock.Now().UTC().Truncate(time.Millisecond)
	agency := workspace.Agency{
		ID:             workspace.NewID(workspace.PrefixAgency, now),
		Name:           called,
		AnchorID:       workspace.NewID(workspace.PrefixWorkspace, now),
		Active:         true,
		WorkspaceLimit: c.Limit,
		CreatedAt:      now,
	}
	if err := o.store.CreateAgency(o, agency); err != nil {
		return err
	}
	anchor := workspace.Workspace{
		ID:        agency.AnchorID,
		Name:      called,
		AgencyID:  agency.ID,
		Plan:      workspace.Plan(c.Plan),
		CreatedAt: now,
	}
	if err := o.store.CreateWorkspace(o, anchor); err != nil {
		return fmt.Errorf(
			"the agency %s was made without its own workspace and cannot be used: make another: %w", agency.ID, err,
		)
	}
	key, token, err := o.newKey(
		workspace.Key{Name: "First master key", Scope: workspace.Admin, Agency: &agency}, workspace.Expiry(c.Expiry),
	)
	if err != nil {
		return fmt.Errorf(
			"the agency %s was made, without a key: key create --owner %[1]s makes one: %w", agency.ID, err,
		)
	}
	return o.print.said(
		made{Workspace: anchor.ID, Agency: agency.ID, Key: key.ID, Token: token, ExpiresAt: moment(key.ExpiresAt)},
		"agency      "+agency.ID, "workspace   "+anchor.ID+"  its own, which cannot be deleted", "master key  "+token,
		"The key is shown this once. It is for "+o.where+", and names a workspace in each request.",
	)
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
		Price      int    `json:"centsPer1000Mentions,omitempty"`
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
		entries = append(
			entries,
			entry{
				agency.ID, agency.Name, agency.Active, agency.AnchorID, len(has), agency.WorkspaceLimit,
				agency.FlexPrice, moment(agency.CreatedAt),
			},
		)
		rows = append(
			rows,
			[]string{agency.ID, agency.AnchorID, strconv.Itoa(len(has)) + " of " + strconv.Itoa(agency.WorkspaceLimit),
				strconv.FormatBool(agency.Active), price(agency.FlexPrice), moment(agency.CreatedAt), agency.Name},
		)
	}
	header := []string{"AGENCY", "ITS OWN WORKSPACE", "WORKSPACES", "ACTIVE", "CENTS/1000", "CREATED", "NAME"}
	return o.print.rows(entries, "There is no agency.", header, rows)
}

// price writes the price of 1,000 mentions beyond a plan's.
func price(cents int) string {
	if cents == 0 {
		return "none"
	}
	return strconv.Itoa(cents)
}

type setBilling struct {
	Agency string `arg:"" help:"Its id." placeholder:"agc_…"`
	Cents  int    `required:"" name:"cents-per-1000-mentions" help:"Their price; 0: nothing is agreed." placeholder:"CENTS"`
}

// Run changes the price for workspaces that are made from now on. A flexible workspace keeps the price that it was
// made at.
func (c setBilling) Run(o *operator) error {
	if c.Cents < 0 || c.Cents > workspace.MaxFlex {
		return exit.Misused("1,000 mentions cost 0 to %d cents, not %d", workspace.MaxFlex, c.Cents)
	}
	if err := o.changeAgency(c.Agency, func(a *workspace.Agency) { a.FlexPrice = c.Cents }); err != nil {
		return err
	}
	line := fmt.Sprintf(
		"1,000 mentions beyond a plan cost %s %d cents, in workspaces that are made from now on.", c.Agency, c.Cents,
	)
	if c.Cents == 0 {
		line = c.Agency + " has no price: no workspace of it can be made flexible."
	}
	return o.print.said(
		map[string]any{"agency": c.Agency, "centsPer1000Mentions": c.Cents},
		line+" Those that are flexible stay as they are.",
	)
}

type activateAgency struct {
	Agency string `arg:"" help:"Its id." placeholder:"agc_…"`
}

func (c activateAgency) Run(o *operator) error {
	if err := o.changeAgency(c.Agency, func(a *workspace.Agency) { a.Active = true }); err != nil {
		return err
	}
	return o.print.said(
		map[string]any{"agency": c.Agency, "active": true}, c.Agency+" is active: its master keys are let in.",
	)
}

type deactivateAgency struct {
	Agency string `arg:"" help:"Its id." placeholder:"agc_…"`
}

func (c deactivateAgency) Run(o *operator) error {
	if err := o.changeAgency(c.Agency, func(a *workspace.Agency) { a.Active = false }); err != nil {
		return err
	}
	return o.print.said(
		map[string]any{"agency": c.Agency, "active": false},
		c.Agency+" is not active: its master keys answer 403 from now on.",
	)
}

func (o *operator) changeAgency(id string, change func(*workspace.Agency)) error {
	err := o.store.ChangeAgency(o, id, func(a *workspace.Agency) error { change(a); return nil })
	if errors.Is(err, store.ErrNotFound) {
		return noAgency(id)
	}
	return err
}

func noAgency(id string) error {
	return exit.Failing(exit.Refused, "there is no agency %s: agency list shows them", id)
}
