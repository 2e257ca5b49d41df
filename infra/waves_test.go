package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// widestAntichain returns how many of the ids can be worked on at the same moment at most, when each waits for others:
// the size of the largest set in which none waits for another. By Dilworth's theorem that is the number of ids less a
// largest matching of pairs in which the second waits for the first.
func widestAntichain(ids []string, waits func(id string) map[string]bool) int {
	after := map[string][]string{} // by id: which of the others wait for it
	for _, id := range ids {
		for _, other := range ids {
			if waits(other)[id] {
				after[id] = append(after[id], other)
			}
		}
	}
	matched := map[string]string{} // by the second of a pair: the first
	var augment func(id string, tried map[string]bool) bool
	augment = func(id string, tried map[string]bool) bool {
		for _, other := range after[id] {
			if tried[other] {
				continue
			}
			tried[other] = true
			if matched[other] == "" || augment(matched[other], tried) {
				matched[other] = id
				return true
			}
		}
		return false
	}
	width := len(ids)
	for _, id := range ids {
		if augment(id, map[string]bool{}) {
			width--
		}
	}
	return width
}

func TestWidestAntichain(t *testing.T) {
	for _, test := range []struct {
		name  string
		waits map[string]map[string]bool
		want  int
	}{
		{"nobody waits", nil, 4},
		{"a chain", map[string]map[string]bool{
			"b": {"a": true},
			"c": {"a": true, "b": true},
			"d": {"a": true, "b": true, "c": true},
		}, 1},
		{"two waves", map[string]map[string]bool{"c": {"a": true, "b": true}, "d": {"a": true, "b": true}}, 2},
		{"one waits for all", map[string]map[string]bool{"d": {"a": true, "b": true, "c": true}}, 3},
	} {
		got := widestAntichain([]string{"a", "b", "c", "d"}, func(id string) map[string]bool { return test.waits[id] })
		if got != test.want {
			t.Errorf("%s: widestAntichain() = %d, want %d", test.name, got, test.want)
		}
	}
}

// earlier returns what is made or updated before a resource of the template, by logical ids.
func (t template) earlier(id string) map[string]bool {
	found := map[string]bool{}
	var from func(id string)
	from = func(id string) {
		for _, other := range t.waits[id] {
			if !found[other] {
				found[other] = true
				from(other)
			}
		}
	}
	from(id)
	return found
}

func TestCanaries_FiveAtOnce(t *testing.T) {
	made := deployments["prod"]
	moved := 0
	for _, in := range []template{made.data, made.service} { // one after the other
		stacks := map[string]template{"": in} // with those within it, by their prefixes
		for id, within := range in.nested {
			stacks[id+"/"] = *within
		}
		var aliases []string
		for prefix, each := range stacks {
			for _, alias := range each.of("AWS::Lambda::Alias") {
				if alias.UpdatePolicy["CodeDeployLambdaAliasUpdate"] != nil {
					aliases = append(aliases, prefix+alias.id)
				}
			}
		}
		slices.Sort(aliases)
		// An alias of a stack within another waits for what that stack waits for.
		earlier := func(id string) map[string]bool {
			stack, own, within := strings.Cut(id, "/")
			before := in.earlier(stack)
			for waited := range maps.Clone(before) {
				if inner := in.nested[waited]; inner != nil {
					for id := range inner.Resources {
						before[waited+"/"+id] = true
					}
				}
			}
			if within {
				for other := range in.nested[stack].earlier(own) {
					before[stack+"/"+other] = true
				}
			}
			return before
		}
		if got := widestAntichain(aliases, earlier); got > 5 {
			t.Errorf("CodeDeploy may move %d aliases at the same time, want 5 at most", got)
		}
		moved += len(aliases)
	}
	if moved != len(Manifest()) {
		t.Errorf("CodeDeploy moves %d aliases, want %d", moved, len(Manifest()))
	}
}

// What takes messages is moved before what sends them, unless they are in the same wave.
func TestCanaries_Order(t *testing.T) {
	made := deployments["prod"].service
	alias := func(name string) string { return made.at(t, "Service/"+name+"/Live").id }
	for _, test := range []struct{ first, later string }{
		{"ingest", "collect"}, {"exports", "mentions"}, {"scan", "setup"}, {"invitations", "agency"},
		{"setupstages-candidates", "setup"}, {"setupstages-validate", "setup"},
	} {
		if !made.earlier(alias(test.later))[alias(test.first)] {
			t.Errorf("%s may be moved before %s", test.later, test.first)
		}
	}
}

func TestWaves(t *testing.T) {
	var lambdas []lambda
	for _, function := range Manifest() {
		lambdas = append(lambdas, lambda{Function: function})
	}
	made := waves(lambdas)
	if want := (len(lambdas) + 4) / 5; len(made) != want {
		t.Errorf("%d waves, want %d", len(made), want)
	}
	turns := []string{}
	for _, wave := range made {
		for _, each := range wave {
			turns = append(turns, fmt.Sprintf("%s %d", each.Group, each.turn()))
		}
	}
	if !slices.IsSorted(turns) {
		t.Errorf("the functions' turns are %q, want them in order", turns)
	}
}
