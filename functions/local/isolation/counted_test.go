package isolation_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/archive"
	"earshot/functions/discovery/asks"
	"earshot/functions/local/deployment"
	"earshot/functions/members/invitecleanup"
	"earshot/functions/purge"
	"earshot/functions/setupstages/sweep"
	"earshot/shared/embedded/sqliteidentity"
	"earshot/shared/member"
	"earshot/shared/worldtest"
)

// as is who makes the asks of an agency: each of its workspaces in another way, and the last for the agency itself.
func (a *agency) as(o asks.Operation, i int) (token, org string, can bool) {
	of := a.tenants[i]
	switch {
	case o.Agency:
		return a.master, "", i == 2
	case i == 0:
		return a.master, of.ID, true
	case i == 1:
		return of.keys[o.Scope], "", true
	}
	return of.keys["admin"], of.ID, true
}

// everything are all asks of an agency, by each of its workspaces. Requests that change something have an
// Idempotency-Key, the same for the same of either agency.
func (a *agency) everything(t testing.TB, all map[string]asks.Operation, asked []asks.Ask) (requests []request) {
	for i, of := range a.tenants {
		for n, one := range asked {
			o := all[one.Operation]
			token, org, can := a.as(o, i)
			if !can {
				continue
			}
			r := to(o, of.own(t, one))
			r.token, r.org = token, org
			if o.Mutates() {
				r.once = fmt.Sprint("request ", n)
			}
			requests = append(requests, r)
		}
	}
	return requests
}

// busy is whatever an agency can do, and what comes of it.
func (b *bench) busy(t testing.TB, a *agency, requests []request) {
	t.Helper()
	done := 0
	for _, r := range requests {
		if b.send(t, r).status < 300 {
			done++
		}
	}
	if done < len(requests)*9/10 {
		t.Errorf("of %d requests that the other agency can make, %d were done", len(requests), done)
	}
	b.work(t)
	must(t, deployment.Schedules(b.Parts, b.Store)[purge.Group].Run(t.Context(), nil))
}

// Whatever one agency does, what the other one's requests answer is the same to the last byte: lists, counts, what is
// left of the hour, the ids of what it makes; and a request that the one made before, with the same Idempotency-Key, is
// the other's own.
func (w world) nothingIsCounted(t *testing.T, all map[string]asks.Operation, asked []asks.Ask) {
	here, there := twins(t, w.folder)
	before := here.rows(t, w.a)
	here.busy(t, w.b, w.b.everything(t, all, asked))
	same(t, "what the agency has while the other is busy", before, here.rows(t, w.a))

	others, now := here.rows(t, w.b), worldtest.Now
	// both sends requests to both, a moment apart so that what is made has an order, and holds the answers to each other.
	both := func(when string, requests []request) (answers []answer) {
		t.Helper()
		for _, r := range requests {
			now = now.Add(time.Millisecond)
			here.clock.Freeze(now)
			there.clock.Freeze(now)
			what := fmt.Sprint(when, " ", r.method, " ", r.target, " ", r.body)
			one, other := here.send(t, r), there.send(t, r)
			w.equal(t, what, one, "", other, "")
			w.silent(t, what, w.b, r, one)
			answers = append(answers, one)
			if strings.Contains(r.target, "/mentions/export") { // of which an hour has five
				for _, b := range []*bench{here, there} {
					w.more(t, b)
				}
			}
		}
		return answers
	}
	requests := w.a.everything(t, all, asked)
	lists := slices.DeleteFunc(slices.Clone(requests), func(r request) bool { return r.method != http.MethodGet })
	for i, a := range both("first", requests) {
		if a.status >= 300 || a.header.Get("Idempotent-Replayed") != "" {
			t.Errorf("%s %s %s: %d %s", requests[i].method, requests[i].target, requests[i].body, a.status, a.body)
		}
	}
	both("again", lists)
	same(t, "what the other agency has", others, here.rows(t, w.b))
	one, other := here.mailsSince(t, worldtest.Now), there.mailsSince(t, worldtest.Now)
	if !slices.Equal(one, other) || len(one) < len(w.a.tenants) {
		t.Errorf("the mails are\n%q\nand\n%q", one, other)
	}

	for _, b := range []*bench{here, there} {
		b.clock.Freeze(now.Add(3 * time.Hour))
		b.work(t)
		for _, name := range []string{archive.Group, invitecleanup.Group, purge.Group, sweep.Group} {
			must(t, deployment.Schedules(b.Parts, b.Store)[name].Run(t.Context(), nil))
		}
		for i, email := range []string{asks.SharedAddress, asks.QueuedAddress} {
			b.clock.Freeze(now.Add(3*time.Hour + time.Duration(i)*time.Millisecond))
			account, _, err := b.people.SignUp(t.Context(), email, "")
			must(t, err)
			_, err = deployment.Arrived(b.Parts)(t.Context(), account)
			must(t, err)
		}
	}
	now = now.Add(4 * time.Hour)
	both("once the people have come", lists)
	here.letIn(t, slices.Concat(w.a.tenants, w.b.tenants), asks.SharedAddress, asks.QueuedAddress)
	there.letIn(t, slices.Concat(w.a.tenants, w.b.tenants), asks.SharedAddress, asks.QueuedAddress)
}

// more gives the workspaces' exports of the hour back.
func (w world) more(t testing.TB, b *bench) {
	t.Helper()
	for _, of := range w.a.tenants {
		must(t, b.Store.ReturnExport(t.Context(), of.ID, b.clock.Now().Truncate(time.Hour)))
	}
}

// mailsSince are the mails that were sent after a moment, the last first.
func (b *bench) mailsSince(t testing.TB, moment time.Time) (mails []string) {
	t.Helper()
	sent, err := b.mails.List(t.Context(), 1000)
	must(t, err)
	for _, m := range sent {
		if m.At.After(moment) {
			mails = append(mails, fmt.Sprint(m.At, m.Message))
		}
	}
	return mails
}

// letIn holds the workspaces to have people as members, and the directory to know it.
func (b *bench) letIn(t testing.TB, tenants []*tenant, emails ...string) {
	t.Helper()
	people, err := b.people.List(t.Context(), 1000)
	must(t, err)
	for _, of := range tenants {
		members, due, err := b.Store.Members(t.Context(), of.ID)
		must(t, err)
		for _, email := range emails {
			at := slices.IndexFunc(people, func(p sqliteidentity.Person) bool { return p.Email == email })
			is := slices.ContainsFunc(members, func(m member.Member) bool { return m.Email == email })
			if !is || !slices.Contains(people[at].Groups, of.ID) || len(due) > 0 {
				t.Errorf("%s has %+v, and %s is in %v", of.Name, members, email, people[at].Groups)
			}
		}
	}
}
