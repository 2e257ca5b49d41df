package authstore_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/grant"
	"earshot/shared/member"
	"earshot/shared/store"
	"earshot/shared/store/authstore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

const verifier = "a-verifier-of-at-least-forty-three-characters-0"

// desk is a world with a member and an authorization request.
type desk struct {
	*worldtest.World
	t      *testing.T
	member member.Member
}

func newDesk(t *testing.T) desk {
	w := worldtest.NewWorld(t)
	m, err := w.Store.AddMember(t.Context(), w.Main.ID,
		member.Member{Email: "quiet@northwind.example", Role: member.Ordinary})
	worldtest.Must(t, err)
	_, err = w.Store.AddMember(t.Context(), w.Main.ID, member.Member{Email: "admin@northwind.example", Role: member.Admin})
	worldtest.Must(t, err)
	return desk{w, t, m}
}

func (d desk) grant() grant.Grant {
	return grant.Grant{
		ID: grant.NewID(d.Clock.Now()), WorkspaceID: d.Main.ID, MemberID: d.member.ID, ClientID: "https://client.example/id",
		Scope: workspace.Write, Resource: grant.ResourceMCP, CreatedAt: d.Clock.Now(),
	}
}

// approve stores a request, and approves it with a grant.
func (d desk) approve(secret string, g grant.Grant) (grant.Token, error) {
	worldtest.Must(d.t, d.Store.PutRequest(d.t.Context(), secret,
		authstore.Request{ExpiresAt: d.Clock.Now().Add(time.Minute)}))
	code := grant.NewToken(grant.AuthorizationCode, g)
	return code, d.Store.Approve(d.t.Context(), secret, g, grant.Code{
		RedirectURI: "https://client.example/back",
		Challenge:   grant.Challenge(verifier),
		ExpiresAt:   d.Clock.Now().Add(grant.CodeGood),
	}, code)
}

func (d desk) code() grant.Token {
	code, err := d.approve("request", d.grant())
	worldtest.Must(d.t, err)
	return code
}

func (d desk) exchange(code grant.Token) (authstore.Tokens, error) {
	return d.Store.Exchange(d.t.Context(), code, func(grant.Grant, grant.Code) error { return nil })
}

func (d desk) refresh(token grant.Token) (authstore.Tokens, error) {
	return d.Store.Refresh(d.t.Context(), token, func(grant.Grant) error { return nil })
}

// granted reports whether the store lists a grant of the workspace.
func (d desk) granted(id string) bool {
	d.t.Helper()
	listed, err := d.Store.Grants(d.t.Context(), d.Main.ID)
	worldtest.Must(d.t, err)
	return slices.ContainsFunc(listed, func(g grant.Grant) bool { return g.ID == id })
}

func (d desk) want(what string, err, want error) {
	d.t.Helper()
	if !errors.Is(err, want) {
		d.t.Errorf("%s = %v, want %v", what, err, want)
	}
}

func TestExchange_Twice(t *testing.T) {
	d := newDesk(t)
	code := d.code()
	first, err := d.exchange(code)
	d.want("Exchange", err, nil)
	_, err = d.exchange(code)
	d.want("Exchange again", err, authstore.ErrReused)
	_, err = d.refresh(first.Refresh)
	d.want("Refresh after reuse of the code", err, store.ErrNotFound)
}

func TestExchange_Late(t *testing.T) {
	d := newDesk(t)
	code := d.code()
	d.Clock.Freeze(worldtest.Now.Add(grant.CodeGood))
	_, err := d.exchange(code)
	d.want("Exchange", err, store.ErrNotFound)
}

func TestExchange_MemberRemoved(t *testing.T) {
	d := newDesk(t)
	code := d.code()
	worldtest.Must(t, d.Store.RemoveMember(t.Context(), d.Main.ID, d.member.ID, ""))
	_, err := d.exchange(code)
	d.want("Exchange", err, store.ErrNotFound)
	_, err = d.approve("another", d.grant())
	d.want("Approve", err, store.ErrNotFound)
}

func TestExchange_RefusedSpendsNothing(t *testing.T) {
	d := newDesk(t)
	code, refused := d.code(), errors.New("refused")
	_, err := d.Store.Exchange(t.Context(), code, func(grant.Grant, grant.Code) error { return refused })
	d.want("Exchange", err, refused)
	_, err = d.exchange(code)
	d.want("Exchange after a refusal", err, nil)
}

func TestApprove_Twice(t *testing.T) {
	d := newDesk(t)
	d.code()
	g := d.grant()
	err := d.Store.Approve(t.Context(), "request", g, grant.Code{}, grant.NewToken(grant.AuthorizationCode, g))
	d.want("Approve again", err, store.ErrNotFound)
}

// Of many that spend a code or a refresh token at the same moment, one gets tokens, and then nobody has any.
func TestTokens_SpentAtOnce(t *testing.T) {
	d := newDesk(t)
	for name, spend := range map[string]func() func() (authstore.Tokens, error){
		"code": func() func() (authstore.Tokens, error) {
			code := d.code()
			return func() (authstore.Tokens, error) { return d.exchange(code) }
		},
		"refresh": func() func() (authstore.Tokens, error) {
			first, err := d.exchange(d.code())
			worldtest.Must(t, err)
			return func() (authstore.Tokens, error) { return d.refresh(first.Refresh) }
		},
	} {
		try := spend()
		var mutex sync.Mutex
		var won []authstore.Tokens
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				tokens, err := try()
				mutex.Lock()
				defer mutex.Unlock()
				if err == nil {
					won = append(won, tokens)
				} else if !errors.Is(err, authstore.ErrReused) && !errors.Is(err, store.ErrNotFound) {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		group.Wait()
		if len(won) != 1 {
			t.Fatalf("%s: %d got tokens, want 1", name, len(won))
		}
		_, err := d.refresh(won[0].Refresh)
		d.want(name+": the winner's refresh", err, store.ErrNotFound)
	}
}

func TestRefresh_OldToken(t *testing.T) {
	d := newDesk(t)
	first, err := d.exchange(d.code())
	worldtest.Must(t, err)
	second, err := d.refresh(first.Refresh)
	d.want("Refresh", err, nil)
	forged := first.Refresh.Next()
	_, err = d.refresh(grant.NewToken(grant.RefreshToken, first.Grant))
	d.want("Refresh with a token of no family", err, store.ErrNotFound)
	if !d.granted(first.Grant.ID) {
		t.Error("the grant is gone after a guess")
	}
	_, err = d.refresh(forged)
	d.want("Refresh with an old token", err, authstore.ErrReused)
	_, err = d.refresh(second.Refresh)
	d.want("Refresh after reuse", err, store.ErrNotFound)
}

// A table that loses its responses makes no reuse of one use.
func TestRefresh_LostResponse(t *testing.T) {
	d := newDesk(t)
	tokens, err := d.exchange(d.code())
	worldtest.Must(t, err)
	worldtest.Must(t, d.Faults.Add(fault.Fault{Port: fault.TablePort, Operation: "transact", Fault: fault.Lost, Times: 1}))
	_, err = d.refresh(tokens.Refresh)
	d.want("Refresh", err, nil)
}

func TestRevoke(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct {
		name   string
		token  func(authstore.Tokens) grant.Token
		client string
		ends   bool
	}{
		{"access token", func(s authstore.Tokens) grant.Token { return s.Access }, "", true},
		{"refresh token", func(s authstore.Tokens) grant.Token { return s.Refresh }, "https://client.example/id", true},
		{"another client's", func(s authstore.Tokens) grant.Token { return s.Refresh }, "https://other.example/id", false},
		{"a guess", func(s authstore.Tokens) grant.Token { return grant.NewToken(grant.AccessToken, s.Grant) }, "", false},
	} {
		tokens, err := d.exchange(d.code())
		worldtest.Must(t, err)
		worldtest.Must(t, d.Store.Revoke(t.Context(), c.token(tokens), c.client))
		if ended := !d.granted(tokens.Grant.ID); ended != c.ends {
			t.Errorf("Revoke(%s) ended the grant: %v, want %v", c.name, ended, c.ends)
		}
	}
}

func TestGrants_ListsExchanged(t *testing.T) {
	d := newDesk(t)
	tokens, err := d.exchange(d.code())
	worldtest.Must(t, err)
	d.code()
	listed, err := d.Store.Grants(t.Context(), d.Main.ID)
	if err != nil || len(listed) != 1 || listed[0].ID != tokens.Grant.ID {
		t.Errorf("Grants = %v, %v, want the exchanged one", listed, err)
	}
	worldtest.Must(t, d.Store.RemoveMember(t.Context(), d.Main.ID, d.member.ID, ""))
	if listed, err = d.Store.Grants(t.Context(), d.Main.ID); err != nil || len(listed) != 0 {
		t.Errorf("Grants after the member left = %v, %v, want none", listed, err)
	}
}
