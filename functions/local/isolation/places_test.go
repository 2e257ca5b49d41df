package isolation_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"earshot/functions/discovery"
	"earshot/functions/discovery/asks"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// named are kinds of what need not be there to be named: nothing is refused where it is another's, and nothing is told of it.
var named = map[kind]bool{"author": true, "profile": true, "text": true, "wording": true, "account": true,
	"address": true, "person": true,
	"domain": true, "cleanup": true, "unusedCursor": true}

// anew are those of them that a workspace can only name while it has them not.
var anew = map[kind]bool{"text": true, "wording": true, "account": true, "address": true, "person": true}

// own is the ask as a workspace makes it of what it has.
func (of *tenant) own(t testing.TB, a asks.Ask) asks.Ask {
	return a.With(func(_ int, k kind) string {
		if anew[k] {
			return of.unlike(t, k)
		}
		return of.ids[k]
	})
}

// to is the request that an ask without placeholders is.
func to(o asks.Operation, a asks.Ask) request {
	return request{method: o.Method, target: a.Target(o), body: a.Body}
}

// operations are all of the document by their ids.
func operations(t testing.TB) map[string]asks.Operation {
	t.Helper()
	described, err := asks.Operations(discovery.OpenAPI())
	must(t, err)
	all := map[string]asks.Operation{}
	for _, o := range described {
		all[o.ID] = o
	}
	return all
}

// unlike is an id of the same form as the tenant's that is nobody's.
func (of *tenant) unlike(t testing.TB, k kind) string {
	t.Helper()
	id, has := of.ids[k]
	if !has {
		t.Fatalf("%s has no %s", of.Name, k)
	}
	of.drawn++
	for _, name := range []string{of.Name, strings.ToLower(of.Name)} {
		if strings.Contains(id, name) {
			return strings.ReplaceAll(id, name, fmt.Sprintf("nobody%d%03d", of.number, of.drawn))
		}
	}
	begins, rest := id[:1], id[1:]
	if at := strings.LastIndex(id, "_"); at > 0 && !strings.HasSuffix(strings.ToLower(string(k)), "cursor") {
		begins, rest = id[:at+1], id[at+1:]
	}
	switch {
	case regexp.MustCompile(`^\d+$`).MatchString(rest): // numbers of tenants begin with 1 to 6
		return strings.TrimRight(begins, "123456") + strconv.Itoa(9000+of.drawn%1000)
	case workspace.ValidID(begins, id):
		return workspace.NewID(begins, worldtest.Now)
	}
	letters := []byte(rest)
	rand.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
	return begins + string(letters)
}
