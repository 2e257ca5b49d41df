// Package chosensignin implements the port signin for laptops, demos and tests: a page lets anyone be whoever they
// choose. Codes are in memory.
//
// Only mains and tests import it. It never runs in a Lambda.
package chosensignin

import (
	"context"
	"crypto/rand"
	"net/url"
	"sync"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
	"earshot/shared/port/signin"
)

// codeGood is how long a code is good.
const codeGood = time.Minute

// Pages are where people choose who they are.
type Pages struct {
	page  string
	clock clock.Clock

	mu    sync.Mutex
	codes map[string]choice
}

type choice struct {
	account identity.Account
	state   string
	until   time.Time
}

// New makes the adapter. page is the URL of the page, which calls Choose.
func New(page string, now clock.Clock) *Pages {
	return &Pages{page: page, clock: now, codes: map[string]choice{}}
}

// URL returns the page for an attempt.
func (p *Pages) URL(_ context.Context, attempt signin.Attempt) (string, error) {
	return p.page + "?" + url.Values{"return_to": {attempt.ReturnTo}, "state": {attempt.State}}.Encode(), nil
}

// SignOut returns no page: the page asks each time.
func (p *Pages) SignOut(context.Context, string) (string, error) { return "", nil }

// Choose makes the code by which the attempt with a state learns of an account.
func (p *Pages) Choose(account identity.Account, state string) (code string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock.Now()
	for code, made := range p.codes {
		if !now.Before(made.until) {
			delete(p.codes, code)
		}
	}
	code = rand.Text()
	p.codes[code] = choice{account, state, now.Add(codeGood)}
	return code
}

// Person returns who was chosen.
func (p *Pages) Person(_ context.Context, attempt signin.Attempt, code string) (identity.Account, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	made, known := p.codes[code]
	if !known || made.state != attempt.State || !p.clock.Now().Before(made.until) {
		return identity.Account{}, signin.ErrRefused
	}
	delete(p.codes, code)
	return made.account, nil
}
