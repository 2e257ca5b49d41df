package operate

import (
	"errors"
	"strings"
	"time"

	"earshot/infra/exit"
	"earshot/shared/name"
	"earshot/shared/store"
	"earshot/shared/store/workspacestore"
	"earshot/shared/workspace"
)

type keyCommands struct {
	Create createKey `cmd:"" help:"Make a key of a workspace, or a master key of an agency."`
	List   listKeys  `cmd:"" help:"List the keys of a workspace or an agency, newest first."`
	Revoke revokeKey `cmd:"" help:"End a key at once."`
}

type createKey struct {
	Owner  string `required:"" help:"A workspace or an agency, by its id." placeholder:"org_…|agc_…"`
	Name   string `default:"Made by the operator" help:"Its name, 1 to 100 characters."`
	Scope  string `default:"admin" enum:"read,write,admin" help:"read, write or admin."`
	Expiry string `default:"never" enum:"30d,90d,1y,never" help:"How long it is good: 30d, 90d, 1y or never."`
}

func (c createKey) Run(o *operator) error {
	called, err := named(c.Name, name.FaultOf)
	if err != nil {
		return err
	}
	scope, err := workspace.ParseScope(c.Scope)
	if err != nil {
		return err
	}
	key := workspace.Key{Name: called, Scope: scope, Workspace: &workspace.Workspace{ID: c.Owner}}
	answer := made{Workspace: c.Owner}
	if strings.HasPrefix(c.Owner, workspace.PrefixAgency) {
		key.Workspace, key.Agency = nil, &workspace.Agency{ID: c.Owner}
		answer = made{Agency: c.Owner}
	}
	created, token, err := o.newKey(key, workspace.Expiry(c.Expiry))
	if err != nil {
		return err
	}
	answer.Key, answer.Token, answer.ExpiresAt = created.ID, token, moment(created.ExpiresAt)
	return o.print.said(answer, "key  "+token, "It is shown this once. It is for "+o.where+".")
}

// newKey makes a key and returns its token.
func (o *operator) newKey(key workspace.Key, expiry workspace.Expiry) (workspace.Key, string, error) {
	now := o.clock.Now().UTC().Truncate(time.Millisecond)
	token := workspace.NewToken(now)
	key.ID, key.Digest, key.CreatedAt, key.ExpiresAt = token.KeyID, token.Digest(), now, expiry.End(now)
	err := o.store.CreateKey(o, key)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return key, "", exit.Failing(
			exit.Refused,
			"there is no such workspace or agency: workspace list and agency list show them",
		)
	case errors.Is(err, workspacestore.ErrTooManyKeys):
		return key, "", exit.Failing(exit.Refused, "it has %d keys, as many as it can have: revoke one", workspacestore.MaxKeys)
	}
	return key, token.Reveal(), err
}

type listKeys struct {
	Owner string `arg:"" help:"A workspace or an agency, by its id." placeholder:"org_…|agc_…"`
}

func (c listKeys) Run(o *operator) error {
	type entry struct {
		ID        string `json:"id"`
		Name      string `json:"name"`
		Scope     string `json:"scope"`
		CreatedAt string `json:"createdAt"`
		ExpiresAt string `json:"expiresAt,omitempty"`
		Expired   bool   `json:"expired"`
	}
	keys, err := o.store.Keys(o, c.Owner)
	if errors.Is(err, store.ErrNotFound) {
		return exit.Failing(exit.Refused, "there is no such workspace or agency: workspace list and agency list show them")
	}
	if err != nil {
		return err
	}
	entries, rows := []entry{}, [][]string{}
	for _, key := range keys {
		ends := "never"
		if !key.ExpiresAt.IsZero() {
			ends = moment(key.ExpiresAt)
		}
		if key.Expired(o.clock.Now()) {
			ends += " (expired)"
		}
		entries = append(
			entries,
			entry{
				key.ID, key.Name, key.Scope.String(), moment(key.CreatedAt), moment(key.ExpiresAt),
				key.Expired(o.clock.Now()),
			},
		)
		rows = append(rows, []string{key.ID, key.Scope.String(), moment(key.CreatedAt), ends, key.Name})
	}
	return o.print.rows(entries, "It has no keys.", []string{"KEY", "SCOPE", "CREATED", "ENDS", "NAME"}, rows)
}

type revokeKey struct {
	Key string `arg:"" help:"Its id, which its token has in it." placeholder:"key_…"`
}

// Run takes the id only, because a token that is typed into a shell stays in its history.
func (c revokeKey) Run(o *operator) error {
	if !workspace.ValidID(workspace.PrefixKey, c.Key) {
		return exit.Misused(
			"name the key by its id, key_… : 26 letters and digits follow; its token is not needed and better not written down",
		)
	}
	unknown := exit.Failing(exit.Refused, "there is no key %s, or not any more", c.Key)
	key, _, err := o.store.Credentials(o, c.Key, "")
	if err != nil {
		return err
	}
	if key == nil {
		return unknown
	}
	owner := ""
	if key.Master() {
		owner = key.Agency.ID
	} else {
		owner = key.Workspace.ID
	}
	if err := o.store.RevokeKey(o, owner, c.Key); errors.Is(err, store.ErrNotFound) {
		return unknown
	} else if err != nil {
		return err
	}
	return o.print.said(
		map[string]string{"revoked": c.Key, "owner": owner},
		c.Key+" of "+owner+" is revoked: it answers 401 from now on.",
	)
}
