package web

import (
	"context"
	"net/http"
	"strings"

	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Caller is the sender of a request: a key, and the workspace that it acts in.
type Caller struct {
	Key workspace.Key
	// Workspace is the key's own or, for a master key, the one that the header names. For an operation on an agency it
	// is the anchor workspace, of which only ID and AgencyID are filled in.
	Workspace workspace.Workspace
}

// CallerOf returns the caller of the request that runs under the context.
func CallerOf(ctx context.Context) Caller { return recordOf(ctx).caller }

// headerOrganization names the workspace that a master key acts in.
const headerOrganization = "x-earshot-organization-id"

// upgradeCommand mints a link to the upgrade page (contract, section 1).
const upgradeCommand = "earshot upgrade"

// admit lets a caller in or returns why not. The order is the contract's: key, scope, workspace, plan gate, rate limit,
// feature flag. The Agents plan's wall alone comes right after the key. The description has every operation outside
// that plan respond with UPGRADE_REQUIRED, so neither a larger scope nor another header nor a master key is named as
// the remedy. admit costs one read and one write.
func (api *API) admit(r *http.Request, op *Operation, record *record) error {
	ctx := r.Context()
	verified, err := api.verified(r, op, record)
	if err != nil {
		return err
	}
	key := verified.key
	record.caller.Key, record.token = key, verified.token
	_, header := organization(r.Header)
	acting, refused := actingIn(key, verified.named, op, header)
	switch {
	case acting.Plan == workspace.Agents && !op.Agents:
		return UpgradeRequired(ctx, "The Agents plan does not include this operation.")
	case !key.Scope.Allows(op.needs()) && verified.granted:
		return api.short(record, op.needs())
	case !key.Scope.Allows(op.needs()):
		return problem.New(problem.Forbidden,
			"This operation needs the scope %s, and this key has %s. Use a key with that scope.", op.needs(), key.Scope)
	case refused != nil:
		return refused
	}
	record.caller.Workspace = acting
	if err := api.limit(ctx, acting.ID, record); err != nil {
		return err
	}
	if op.Flag != "" && !acting.Enabled(op.Flag) {
		return problem.New(
			problem.FeatureDisabled,
			"This operation is a beta that is off for this workspace. Ask the operator to turn it on.",
		)
	}
	return nil
}

// actingIn returns the workspace that a key acts in, and why the key may not act there. An ordinary key's own workspace
// is returned in any case.
func actingIn(
	key workspace.Key, named *workspace.Workspace, op *Operation, header string,
) (workspace.Workspace, error) {
	if !key.Master() {
		switch {
		case op.Agency:
			return *key.Workspace, problem.New(problem.MasterKeyRequired,
				"This key belongs to a workspace. Use the agency's master key for agency operations.")
		case header != "" && header != key.Workspace.ID:
			return *key.Workspace, problem.New(
				problem.ForbiddenOrganization,
				"This key does not belong to the workspace in %s. Leave the header out or name the key's own.",
				headerOrganization,
			)
		}
		return *key.Workspace, nil
	}
	none := workspace.Workspace{}
	switch {
	case !key.Agency.Active:
		return none, problem.New(
			problem.AgencyInactive, "The agency of this key is not active. Ask the operator to activate it.",
		)
	case header == "" && !op.Agency:
		return none, problem.New(problem.OrganizationRequired,
			"The request names no workspace. Send %s with a master key.", headerOrganization)
	case header != "" && (named == nil || named.AgencyID != key.Agency.ID):
		return none, problem.New(problem.ForbiddenOrganization,
			"The workspace in %s is not in this key's agency. GET /api/v2/agency/workspaces lists its workspaces.",
			headerOrganization)
	case op.Agency:
		return workspace.Workspace{ID: key.Agency.AnchorID, AgencyID: key.Agency.ID}, nil
	}
	return *named, nil
}

// bearer reads the token of RFC 6750: one Authorization header, the scheme in any case, one token.
func bearer(header http.Header) (text string, ok bool) {
	values := header.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, text, ok := strings.Cut(values[0], " ")
	return text, ok && strings.EqualFold(scheme, "Bearer")
}

// organization reads the header that names a workspace. It returns the id, and the header's text as given. A text that
// can be no id gives the empty id, which no workspace of an agency has.
func organization(header http.Header) (id, given string) {
	values := header.Values(headerOrganization)
	if len(values) == 0 {
		return "", ""
	}
	given = strings.TrimSpace(strings.Join(values, ","))
	if given == "" {
		return "", ""
	}
	return given, given
}
