package authstore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"earshot/shared/grant"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// Attributes of a grant's row: see package rows.
const (
	attrCode    = "code"
	attrSpent   = "spent"
	attrFamily  = "family"
	attrRefresh = "refresh"

	attrRedirect  = "redirect"  // of a code
	attrChallenge = "challenge" // of a code
)

// ErrReused means that a code or a refresh token was used before. The grant and all its tokens have ended.
var ErrReused = errors.New("authstore: a code or a refresh token was used twice")

// Tokens are what a client gets.
type Tokens struct {
	Access, Refresh grant.Token
	Grant           grant.Grant
}

// Unspent reports whether a code is good and nobody has exchanged it.
func (s *Store) Unspent(ctx context.Context, code grant.Token) (bool, error) {
	item, err := s.Get(ctx, rows.CoreTable, rows.GrantKey(code.WorkspaceID, code.GrantID))
	return s.good(item) && opens(code.Digest(), item, attrCode), err
}

// Exchange spends a code and returns the first tokens of its grant. allow returns why the request is refused, which
// spends nothing. Returns allow's error, store.ErrNotFound for a code that is unknown or expired and for a member or a
// workspace that is gone, and ErrReused.
func (s *Store) Exchange(
	ctx context.Context, code grant.Token, allow func(grant.Grant, grant.Code) error,
) (tokens Tokens, err error) {
	first := Tokens{
		Access: grant.NewToken(grant.AccessToken, grantOf(code)), Refresh: grant.NewToken(grant.RefreshToken, grantOf(code)),
	}
	err = s.change(ctx, "exchange a code", code, func(item table.Item, found grant.Grant) (table.Update, error) {
		switch {
		case opens(code.Digest(), item, attrSpent) && own(first, item):
			tokens = Tokens{first.Access, first.Refresh, found}
			return table.Update{}, errDone
		case opens(code.Digest(), item, attrSpent):
			return table.Update{}, ErrReused
		case !opens(code.Digest(), item, attrCode):
			return table.Update{}, store.ErrNotFound
		}
		err := allow(found, grant.Code{RedirectURI: rows.Text(item, attrRedirect), Challenge: rows.Text(item, attrChallenge)})
		if err != nil {
			return table.Update{}, err
		}
		update := s.issue(item, &found, first)
		digest, family := code.Digest(), first.Refresh.FamilyDigest()
		update.If = table.Equal(attrCode, digest[:])
		update.Set[attrSpent], update.Set[attrFamily] = digest[:], family[:]
		update.Remove = []string{attrCode, attrRedirect, attrChallenge}
		tokens = Tokens{first.Access, first.Refresh, found}
		return update, nil
	})
	return tokens, err
}

// Refresh spends a refresh token and returns new tokens of its grant. allow, and the errors, are those of Exchange.
func (s *Store) Refresh(
	ctx context.Context, token grant.Token, allow func(grant.Grant) error,
) (tokens Tokens, err error) {
	next := Tokens{Access: grant.NewToken(grant.AccessToken, grantOf(token)), Refresh: token.Next()}
	err = s.change(ctx, "refresh a token", token, func(item table.Item, found grant.Grant) (table.Update, error) {
		switch {
		case !opens(token.FamilyDigest(), item, attrFamily):
			return table.Update{}, store.ErrNotFound
		case own(next, item):
			tokens = Tokens{next.Access, next.Refresh, found}
			return table.Update{}, errDone
		case !opens(token.Digest(), item, attrRefresh):
			return table.Update{}, ErrReused
		}
		if err := allow(found); err != nil {
			return table.Update{}, err
		}
		update := s.issue(item, &found, next)
		digest := token.Digest()
		update.If = table.Equal(attrRefresh, digest[:])
		tokens = Tokens{next.Access, next.Refresh, found}
		return update, nil
	})
	return tokens, err
}

// errDone ends a change that an earlier attempt has made.
var errDone = errors.New("authstore: done")

// change reads the grant of a token, and writes what to returns in one transaction with the checks that workspace and
// member exist. It repeats both while others write. After ErrReused it ends the grant.
func (s *Store) change(
	ctx context.Context, doing string, token grant.Token, to func(table.Item, grant.Grant) (table.Update, error),
) error {
	key := rows.GrantKey(token.WorkspaceID, token.GrantID)
	var refused error
	err := s.Settle(ctx, doing, func() error {
		refused = nil
		item, err := s.Get(ctx, rows.CoreTable, key)
		if err != nil {
			return err
		}
		if !s.good(item) || rows.Text(item, "member") != token.MemberID {
			return store.ErrNotFound
		}
		update, err := to(item, toGrant(item))
		if err != nil {
			refused = err
			return nil
		}
		update.Table, update.Key = rows.CoreTable, key
		err = s.Table.Transact(ctx, table.Transaction{
			Writes: append([]table.Write{update}, seated(token.WorkspaceID, token.MemberID)...),
		})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && (canceled.Failed(1) || canceled.Failed(2)) {
			return store.ErrNotFound
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case errors.Is(refused, errDone):
		return nil
	case errors.Is(refused, ErrReused):
		return errors.Join(refused, s.EndGrant(ctx, token.WorkspaceID, token.GrantID))
	}
	return refused
}

// issue returns the update that stores new tokens of a grant, and changes the grant as the update does.
func (s *Store) issue(item table.Item, g *grant.Grant, t Tokens) table.Update {
	now := s.Clock.Now().UTC()
	g.UsedAt, g.ExpiresAt = now.Truncate(time.Millisecond), now.Add(grant.RefreshGood)
	refresh := t.Refresh.Digest()
	return table.Update{Set: map[string]any{
		attrRefresh:           refresh[:],
		rows.AttrAccess:       rows.WithAccess(item, now, t.Access.Digest(), now.Add(grant.AccessGood)),
		"usedAt":              rows.FromTime(g.UsedAt),
		goodUntil:             rows.FromMoment(g.ExpiresAt),
		table.ExpiryAttribute: g.ExpiresAt.Unix() + 1,
	}}
}

// own reports whether a row has the refresh token that this call drew: its write happened, and the response was lost.
func own(t Tokens, item table.Item) bool { return opens(t.Refresh.Digest(), item, attrRefresh) }

// opens reports, in constant time, whether a digest is an attribute's.
func opens(digest [sha256.Size]byte, item table.Item, attr string) bool {
	return subtle.ConstantTimeCompare(digest[:], rows.Bytes(item, attr)) == 1
}

// Revoke ends the grant of an access or a refresh token that a client gives back. A token that is unknown, or another
// client's, is no error and ends nothing.
func (s *Store) Revoke(ctx context.Context, token grant.Token, clientID string) error {
	item, err := s.Get(ctx, rows.CoreTable, rows.GrantKey(token.WorkspaceID, token.GrantID))
	if err != nil || item == nil || clientID != "" && rows.Text(item, "client") != clientID {
		return err
	}
	known := token.Kind == grant.RefreshToken && opens(token.FamilyDigest(), item, attrFamily) ||
		token.Kind == grant.AccessToken && s.Clock.Now().Before(rows.AccessUntil(item, token.Digest()))
	if !known {
		return nil
	}
	return s.EndGrant(ctx, token.WorkspaceID, token.GrantID)
}

// EndGrantOnce ends a grant for a named request that a client may repeat: a repeat returns nil. Returns
// store.ErrNotFound if the workspace has no such grant.
func (s *Store) EndGrantOnce(ctx context.Context, orgID, id, request string) error {
	err := s.Table.Transact(ctx, table.Transaction{Writes: append([]table.Write{
		table.Delete{Table: rows.CoreTable, Key: rows.GrantKey(orgID, id), If: table.Present()},
	}, s.Making(orgID, request, id)...)})
	done, err := store.Conditional(err, "end a grant")
	if done || err != nil {
		return err
	}
	if made, err := s.Made(ctx, orgID, request); err != nil || made == id {
		return err
	}
	return store.ErrNotFound
}

// EndGrant deletes a grant. Its tokens are unknown at the next request. A missing grant is no error.
func (s *Store) EndGrant(ctx context.Context, orgID, id string) error {
	err := s.Table.Delete(ctx, table.Delete{Table: rows.CoreTable, Key: rows.GrantKey(orgID, id)})
	if err != nil {
		return fmt.Errorf("end a grant: %w", err)
	}
	return nil
}

// Grants lists a workspace's grants, newest first. It leaves out those whose code was not exchanged yet.
func (s *Store) Grants(ctx context.Context, orgID string) ([]grant.Grant, error) {
	found := []grant.Grant{}
	query := table.Query{Table: rows.CoreTable, Partition: orgID, Prefix: rows.SortGrant, Consistent: true}
	err := s.Each(ctx, query, func(item table.Item) {
		if s.good(item) && item[attrCode] == nil {
			found = append(found, toGrant(item))
		}
	})
	if err != nil {
		return nil, fmt.Errorf("list grants: %w", err)
	}
	slices.SortFunc(found, func(a, b grant.Grant) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(b.ID, a.ID))
	})
	return found, nil
}

func grantOf(t grant.Token) grant.Grant {
	return grant.Grant{ID: t.GrantID, WorkspaceID: t.WorkspaceID, MemberID: t.MemberID}
}

func fromGrant(g grant.Grant, until time.Time) table.Item {
	item := keyed(rows.GrantKey(g.WorkspaceID, g.ID), until)
	item["id"], item["member"], item["account"], item["email"] = g.ID, g.MemberID, g.AccountID, g.Email
	item["client"], item["name"], item["scope"] = g.ClientID, g.ClientName, int64(g.Scope)
	item["resource"], item["createdAt"] = g.Resource, rows.FromTime(g.CreatedAt)
	return item
}

func toGrant(item table.Item) grant.Grant {
	return grant.Grant{
		ID:          rows.Text(item, "id"),
		WorkspaceID: table.KeyOf(item).Partition,
		MemberID:    rows.Text(item, "member"),
		AccountID:   rows.Text(item, "account"),
		Email:       rows.Text(item, "email"),
		ClientID:    rows.Text(item, "client"),
		ClientName:  rows.Text(item, "name"),
		Scope:       workspace.Scope(rows.Integer(item, "scope")),
		Resource:    rows.Text(item, "resource"),
		CreatedAt:   rows.ToTime(rows.Text(item, "createdAt")),
		UsedAt:      rows.ToTime(rows.Text(item, "usedAt")),
		ExpiresAt:   untilOf(item),
	}
}
