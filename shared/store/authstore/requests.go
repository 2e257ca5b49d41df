package authstore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"earshot/shared/grant"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// A Request is an authorization request of a client that was found good, until a person decides. It belongs to the one
// browser that has the secret of Browser.
type Request struct {
	ClientID    string
	ClientName  string
	RedirectURI string
	State       string // the client's
	Challenge   string // PKCE, S256
	Resource    string // one of grant.Resources
	Scope       workspace.Scope
	Browser     [sha256.Size]byte
	Verifier    string // of the sign-in, by which the directory knows who began it
	AccountID   string // the person's, once signed in
	Email       string
	ExpiresAt   time.Time

	Decided bool   // the person approved or denied; a decided request has no person any more
	Sealed  []byte // of the code that the person approved: see grant.Code; nil if they denied
}

// PutRequest stores a request by its secret.
func (s *Store) PutRequest(ctx context.Context, secret string, r Request) error {
	item := keyed(requestKey(secret), r.ExpiresAt)
	for name, text := range map[string]string{"client": r.ClientID, "name": r.ClientName, "redirect": r.RedirectURI,
		"state": r.State, "challenge": r.Challenge, "resource": r.Resource, "verifier": r.Verifier,
		"account": r.AccountID, "email": r.Email} {
		rows.Set(item, name, text)
	}
	item["scope"], item["browser"] = int64(r.Scope), r.Browser[:]
	if err := s.Table.Put(ctx, table.Put{Table: rows.CountersTable, Item: item}); err != nil {
		return fmt.Errorf("store an authorization request: %w", err)
	}
	return nil
}

// Request reads a request, also one that has been decided. Returns store.ErrNotFound if there is none, or if it is too
// old.
func (s *Store) Request(ctx context.Context, secret string) (Request, error) {
	item, err := s.Get(ctx, rows.CountersTable, requestKey(secret))
	if err != nil {
		return Request{}, err
	}
	browser := rows.Bytes(item, "browser")
	if !s.good(item) || len(browser) != sha256.Size {
		return Request{}, store.ErrNotFound
	}
	return Request{
		ClientID:    rows.Text(item, "client"),
		ClientName:  rows.Text(item, "name"),
		RedirectURI: rows.Text(item, "redirect"),
		State:       rows.Text(item, "state"),
		Challenge:   rows.Text(item, "challenge"),
		Resource:    rows.Text(item, "resource"),
		Scope:       workspace.Scope(rows.Integer(item, "scope")),
		Browser:     [sha256.Size]byte(browser),
		Verifier:    rows.Text(item, "verifier"),
		AccountID:   rows.Text(item, "account"),
		Email:       rows.Text(item, "email"),
		ExpiresAt:   untilOf(item),
		Decided:     rows.Boolean(item, attrDecided),
		Sealed:      rows.Bytes(item, attrSealed),
	}, nil
}

// Attributes of a decided request. It names no workspace, so that a workspace that is deleted leaves nothing.
const attrDecided, attrSealed = "decided", "sealed"

// SignIn stores who the person of a request is, once. Returns store.ErrNotFound if the request is gone or has a person.
func (s *Store) SignIn(ctx context.Context, secret, accountID, email string) error {
	done, err := s.WriteOnce(ctx, "store who signed in", table.Update{
		Table: rows.CountersTable, Key: requestKey(secret), If: table.All(s.undecided(), table.Missing("account")),
		Set: map[string]any{"account": accountID, "email": email},
	})
	if err == nil && !done {
		err = store.ErrNotFound
	}
	return err
}

// SignOut removes the person of a request, for another one who has the new verifier of the sign-in. Returns
// store.ErrNotFound if the request is gone or has been decided.
func (s *Store) SignOut(ctx context.Context, secret, verifier string) error {
	done, err := s.WriteOnce(ctx, "remove who signed in", table.Update{
		Table: rows.CountersTable, Key: requestKey(secret), If: s.undecided(),
		Set: map[string]any{"verifier": verifier}, Remove: []string{"account", "email"},
	})
	if err == nil && !done {
		err = store.ErrNotFound
	}
	return err
}

// Deny ends a request. Returns store.ErrNotFound if it is gone or has been decided.
func (s *Store) Deny(ctx context.Context, secret string) error {
	done, err := s.WriteOnce(ctx, "end an authorization request", s.ending(secret, nil))
	if err == nil && !done {
		err = store.ErrNotFound
	}
	return err
}

// Approve ends a request and stores what it grants, with the code for the client, once. Returns store.ErrNotFound if
// the request is gone or has been decided, or if the workspace or the member is gone.
func (s *Store) Approve(ctx context.Context, secret string, g grant.Grant, code grant.Code, token grant.Token) error {
	item := fromGrant(g, code.ExpiresAt)
	digest := token.Digest()
	item[attrCode], item[attrRedirect], item[attrChallenge] = digest[:], code.RedirectURI, code.Challenge
	err := s.Table.Transact(ctx, table.Transaction{Writes: append([]table.Write{
		s.ending(secret, code.Sealed), table.Put{Table: rows.CoreTable, Item: item, If: table.Absent()},
	}, seated(g.WorkspaceID, g.MemberID)...)})
	var canceled *table.Canceled
	switch {
	case errors.As(err, &canceled) && canceled.Has(table.ReasonCondition):
		return store.ErrNotFound
	case err != nil:
		return fmt.Errorf("store a grant: %w", err)
	}
	return nil
}

// seated returns the checks that a workspace and its member exist.
func seated(orgID, memberID string) []table.Write {
	return []table.Write{
		table.Check{Table: rows.CoreTable, Key: rows.OwnerKey(orgID), If: table.Present()},
		table.Check{Table: rows.CoreTable, Key: rows.MemberKey(orgID, memberID), If: table.Present()},
	}
}

func (s *Store) undecided() table.Condition {
	return table.All(table.More(goodUntil, rows.FromMoment(s.Clock.Now())), table.Missing(attrDecided))
}

// ending returns the write that decides a request, so that a decision that is sent again finds the first. The person,
// and what only the sign-in needed, are removed.
func (s *Store) ending(secret string, sealed []byte) table.Update {
	set := map[string]any{attrDecided: true}
	if len(sealed) > 0 {
		set[attrSealed] = sealed
	}
	return table.Update{
		Table: rows.CountersTable, Key: requestKey(secret), If: s.undecided(), Set: set,
		Remove: []string{"account", "email", "verifier", "challenge"},
	}
}

func requestKey(secret string) table.Key {
	return digestKey(rows.PartitionRequest, secret, rows.SortRequest)
}
