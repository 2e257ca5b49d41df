package operate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"earshot/infra/exit"
	"earshot/shared/keyword"
	"earshot/shared/member"
	"earshot/shared/name"
	"earshot/shared/store"
	"earshot/shared/workspace"
)

type workspaceCommands struct {
	Create createWorkspace `cmd:"" help:"Make a workspace and its first key, with the scope admin."`
	List   listWorkspaces  `cmd:"" help:"List all workspaces, oldest first."`
	Plan   setPlan         `cmd:"" help:"Put a workspace on another plan. This ends a wish for an upgrade."`
	Flag   setFlag         `cmd:"" help:"Switch a beta on or off for a workspace."`
	Delete deleteWorkspace `cmd:"" help:"Delete a workspace and its keys, for good."`

	Restore restoreWorkspace `cmd:"" help:"Put mentions back that were lost, from a table that was restored from a backup."`
}

type createWorkspace struct {
	Name   string `required:"" help:"Its name, 1 to 100 characters."`
	Plan   string `default:"free_trial" enum:"free_trial,pro,scale,enterprise,agents" help:"free_trial, pro, scale, enterprise or agents."`
	Agency string `help:"The agency that it belongs to, by its id." placeholder:"agc_…"`
	Owner  string `help:"The address of the person who owns it: an admin whom nobody can remove." placeholder:"ADDRESS"`
	Expiry string `default:"never" enum:"30d,90d,1y,never" help:"How long the key is good: 30d, 90d, 1y or never."`
}

// made is what a creation made, as JSON.
type made struct {
	Workspace string `json:"workspace,omitempty"`
	Agency    string `json:"agency,omitempty"`
	Key       string `json:"key,omitempty"`
	Token     string `json:"token"`
	ExpiresAt string `json:"expiresAt,omitempty"`
}

// Run makes the workspace first. After a kill it can be listed, and a key can be made anew.
func (c createWorkspace) Run(o *operator) error {
	called, err := named(c.Name, name.FaultOfQuoted)
	if err != nil {
		return err
	}
	if c.Owner != "" && !member.ValidEmail(c.Owner) {
		return exit.Misused("%q is not a mail address", c.Owner)
	}
	now := o.clock.Now().UTC().Truncate(time.Millisecond)
	w := workspace.Workspace{
		ID:        workspace.NewID(workspace.PrefixWorkspace, now),
		Name:      called,
		Plan:      workspace.Plan(c.Plan),
		AgencyID:  c.Agency,
		CreatedAt: now,
	}
	if err := o.room(c.Agency); err != nil {
		return err
	}
	if err := o.store.CreateWorkspace(o, w); errors.Is(err, store.ErrNotFound) {
		return noAgency(c.Agency)
	} else if err != nil {
		return err
	}
	if c.Owner != "" {
		owner := member.Member{Email: c.Owner, Role: member.Admin, Superadmin: true}
		if _, err := o.store.AddMember(o, w.ID, owner); err != nil {
			return fmt.Errorf("the workspace %s was made, without its owner and a key: %w", w.ID, err)
		}
	}
	key, token, err := o.newKey(
		workspace.Key{Name: "First key", Scope: workspace.Admin, Workspace: &w}, workspace.Expiry(c.Expiry),
	)
	if err != nil {
		return fmt.Errorf("the workspace %s was made, without a key: key create --owner %[1]s makes one: %w", w.ID, err)
	}
	return o.print.said(
		made{Workspace: w.ID, Agency: w.AgencyID, Key: key.ID, Token: token, ExpiresAt: moment(key.ExpiresAt)},
		"workspace  "+w.ID, "key        "+token, "The key is shown this once. It is for "+o.where+".",
	)
}

// room reports whether an agency has room for another workspace. It informs the operator and locks nothing: two
// creations in one instant may pass it.
func (o *operator) room(agencyID string) error {
	if agencyID == "" {
		return nil
	}
	agency, err := o.store.Agency(o, agencyID)
	if errors.Is(err, store.ErrNotFound) {
		return noAgency(agencyID)
	}
	if err != nil {
		return err
	}
	has, err := o.store.AgencyPlaces(o, agencyID)
	if err != nil {
		return err
	}
	if has >= agency.WorkspaceLimit {
		return exit.Failing(exit.Refused, "the agency %s has %d workspaces, as many as it has room for", agencyID, has)
	}
	return nil
}

type listWorkspaces struct{}

// Run lists page by page, so a deployment of any size is listed.
func (listWorkspaces) Run(o *operator) error {
	type entry struct {
		ID        string   `json:"id"`
		Name      string   `json:"name"`
		Plan      string   `json:"plan"`
		Agency    string   `json:"agency,omitempty"`
		Flags     []string `json:"flags"`
		CreatedAt string   `json:"createdAt"`
	}
	const page = 500
	entries, rows := []entry{}, [][]string{}
	for after := ""; ; {
		some, err := o.store.Workspaces(o, after, page)
		if err != nil {
			return err
		}
		for _, w := range some {
			entries = append(
				entries,
				entry{w.ID, w.Name, string(w.Plan), w.AgencyID, append([]string{}, w.Flags...), moment(w.CreatedAt)},
			)
			rows = append(
				rows,
				[]string{w.ID, string(w.Plan), w.AgencyID, moment(w.CreatedAt), strings.Join(w.Flags, ","), w.Name},
			)
		}
		if len(some) < page {
			break
		}
		after = some[len(some)-1].ID
	}
	return o.print.rows(
		entries, "There is no workspace.", []string{"WORKSPACE", "PLAN", "AGENCY", "CREATED", "FLAGS", "NAME"}, rows,
	)
}

type setPlan struct {
	Workspace string `arg:"" help:"Its id." placeholder:"org_…"`
	Plan      string `arg:"" enum:"free_trial,pro,scale,enterprise,agents" help:"free_trial, pro, scale, enterprise or agents."`
}

// Run changes the plan. This ends a wish for another plan. On a plan without keywords, nobody may pause or delete the
// keywords that are left, and what they collect would use up the month's mentions. So it pauses them, after the change:
// a run that died may be repeated.
func (c setPlan) Run(o *operator) error {
	var before workspace.Plan
	if err := o.change(
		c.Workspace, func(w *workspace.Workspace) { before, w.Plan = w.Plan, workspace.Plan(c.Plan) },
	); err != nil {
		return err
	}
	told := fmt.Sprintf("%s is on the plan %s now; it was on %s.", c.Workspace, c.Plan, before)
	if workspace.Plan(c.Plan).Limits().Keywords == 0 {
		paused, err := o.pauseKeywords(c.Workspace)
		if err != nil {
			return fmt.Errorf("the plan is changed, and not all keywords are paused; run it again: %w", err)
		}
		if paused > 0 {
			told += fmt.Sprintf(" The plan includes no keywords: %d were paused.", paused)
		}
	} else if before.Limits().Keywords == 0 {
		// Which ones their people had paused before is not known, so none is resumed.
		all, err := o.store.Keywords(o, c.Workspace)
		if err != nil {
			return fmt.Errorf("the plan is changed, and its keywords cannot be read: %w", err)
		}
		if len(all) > 0 {
			told += fmt.Sprintf(" Its %d keywords stay paused until its people resume them.", len(all))
		}
	}
	return o.print.said(map[string]string{"workspace": c.Workspace, "plan": c.Plan, "before": string(before)}, told)
}

// pauseKeywords pauses all keywords of a workspace and returns how many were not.
func (o *operator) pauseKeywords(orgID string) (paused int, err error) {
	all, err := o.store.Keywords(o, orgID)
	if err != nil {
		return 0, err
	}
	for _, k := range all {
		if k.Paused {
			continue
		}
		_, err := o.store.ChangeKeyword(o, orgID, k.ID, func(k *keyword.Keyword) error { k.Paused = true; return nil })
		switch {
		case errors.Is(err, store.ErrNotFound):
			continue // it was deleted meanwhile
		case err != nil:
			return paused, err
		}
		paused++
	}
	return paused, nil
}

type setFlag struct {
	Workspace string `arg:"" help:"Its id." placeholder:"org_…"`
	Flag      string `arg:"" enum:"setup_onboarding" help:"setup_onboarding."`
	State     string `arg:"" enum:"on,off" help:"on or off."`
}

func (c setFlag) Run(o *operator) error {
	err := o.change(c.Workspace, func(w *workspace.Workspace) {
		w.Flags = slices.DeleteFunc(w.Flags, func(flag string) bool { return flag == c.Flag })
		if c.State == "on" {
			w.Flags = append(w.Flags, c.Flag)
		}
	})
	if err != nil {
		return err
	}
	return o.print.said(
		map[string]string{"workspace": c.Workspace, "flag": c.Flag, "state": c.State},
		c.Flag+" is "+c.State+" for "+c.Workspace+".",
	)
}

func (o *operator) change(id string, change func(*workspace.Workspace)) error {
	err := o.store.ChangeWorkspace(o, id, func(w *workspace.Workspace) error { change(w); return nil })
	if errors.Is(err, store.ErrNotFound) {
		return noWorkspace(id)
	}
	return err
}

func noWorkspace(id string) error {
	return exit.Failing(exit.Refused, "there is no workspace %s: workspace list shows them", id)
}

type deleteWorkspace struct {
	Workspace string `arg:"" help:"Its id." placeholder:"org_…"`
	Yes       bool   `help:"Delete it, and everything that it has. Nothing brings it back."`
}

// Run deletes the workspace and its keys. The purge, which runs in the deployment, removes everything else.
func (c deleteWorkspace) Run(o *operator) error {
	w, err := o.store.Workspace(o, c.Workspace)
	if errors.Is(err, store.ErrNotFound) {
		return noWorkspace(c.Workspace)
	}
	if err != nil {
		return err
	}
	if w.AgencyID != "" {
		agency, err := o.store.Agency(o, w.AgencyID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if err == nil && agency.AnchorID == w.ID {
			return exit.Failing(
				exit.Refused,
				"%s is the own workspace of the agency %s, which cannot be deleted",
				w.ID,
				agency.ID,
			)
		}
	}
	if !c.Yes {
		return exit.Failing(
			exit.Refused, "%s (%s) would be deleted with everything that it has, for good: send --yes to delete it", w.ID,
			printable(w.Name),
		)
	}
	if err := o.store.DeleteWorkspace(o, w.ID); err != nil {
		return err
	}
	return o.print.said(
		map[string]string{"deleted": w.ID, "name": w.Name},
		w.ID+" is deleted: its keys answer 401 from now on.",
		"What else it has, and its group with the identity provider, is purged in the background: by the deployment, or by the workbench "+
			"while it runs.",
	)
}

type listUpgrades struct{}

// Run lists the workspaces' wishes for another plan; workspace plan grants one.
func (listUpgrades) Run(o *operator) error {
	type entry struct {
		Workspace string `json:"workspace"`
		Plan      string `json:"plan"`
		Key       string `json:"key"`
		WishedAt  string `json:"wishedAt"`
	}
	wishes, err := o.store.UpgradeWishes(o)
	if err != nil {
		return err
	}
	entries, rows := []entry{}, [][]string{}
	for _, wish := range wishes {
		entries = append(entries, entry{wish.WorkspaceID, string(wish.Plan), wish.KeyID, moment(wish.WishedAt)})
		rows = append(rows, []string{wish.WorkspaceID, string(wish.Plan), wish.KeyID, moment(wish.WishedAt)})
	}
	return o.print.rows(
		entries, "Nobody wishes for another plan.", []string{"WORKSPACE", "WISHES FOR", "BY THE KEY", "AT"}, rows,
	)
}

// named is a name as it is stored; fault tells what is wrong with it besides its length.
func named(text string, fault func(string) name.Fault) (string, error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || utf8.RuneCountInString(trimmed) > 100 || !utf8.ValidString(trimmed) {
		return "", exit.Misused("a name has 1 to 100 characters of valid text")
	}
	if wrong := fault(trimmed); wrong != "" {
		return "", exit.Misused("this is not a name: %s", wrong)
	}
	return trimmed, nil
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
