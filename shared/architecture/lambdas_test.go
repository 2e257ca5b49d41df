package architecture_test

import (
	"slices"
	"strings"
	"testing"
)

// Groups of packages that a Lambda may have nothing to do with. Each entry stands for the package and those below it.
var (
	setups = []string{"earshot/shared/proposal", "earshot/shared/store/setupstore", "earshot/shared/store/purgestore"}
	people = []string{"earshot/shared/store/peoplestore"}
	// directory lets people in. A request about mentions needs none of these packages.
	directory = []string{"earshot/shared/member", "earshot/shared/port/identity", "earshot/shared/store/peoplestore"}
	mentions  = []string{"earshot/shared/store/mentionstore", "earshot/shared/store/listenstore", "earshot/shared/match",
		"earshot/shared/judge", "earshot/shared/filter", "earshot/shared/feed"}
	judging = []string{"earshot/shared/judge"}
	// matching tries keywords on posts. Whoever only stores keywords needs none of it.
	matching = []string{"earshot/shared/match", "earshot/shared/post", "earshot/shared/listening", "earshot/shared/keyword/suggest",
		"earshot/shared/store/suggestionstore"}
	mails = []string{"earshot/shared/port/mail", "earshot/shared/feed/notice"}
)

// unlinked states for each Lambda, by its folder below functions/, which of our packages its binary must not have. A
// package that a binary need not have makes it larger and slower to start, and lets a mistake reach further.
var unlinked = map[string][]string{
	"agency":    slices.Concat(setups, mentions),
	"archive":   slices.Concat(setups, directory, judging, mails, []string{"earshot/shared/match"}),
	"collect":   slices.Concat(setups, people, judging),
	"discovery": {"earshot/shared/store", "earshot/shared/member", "earshot/shared/match", "earshot/shared/judge"},
	"exports":   slices.Concat(setups, people, judging, []string{"earshot/shared/store/listenstore"}),
	"feedback":  slices.Concat(setups, directory, judging, mails, matching),
	"feeds":     slices.Concat(setups, directory, judging, matching),
	"filters":   slices.Concat(setups, directory, judging, mails, []string{"earshot/shared/store/mentionstore", "earshot/shared/filter"}),
	"ingest":    slices.Concat(setups, people),
	"keywords": slices.Concat(setups, directory, judging, mails, matching, []string{"earshot/shared/store/mentionstore",
		"earshot/shared/mention", "earshot/shared/filter"}),
	"keywords/suggestions":   slices.Concat(setups, directory, judging, mails, []string{"earshot/shared/listening"}),
	"members":                slices.Concat(setups, mentions),
	"members/accountcreated": slices.Concat(setups, mentions),
	"members/invitations":    slices.Concat(setups, mentions),
	"members/invitecleanup":  slices.Concat(setups, mentions),
	"mentions":               slices.Concat(setups, people, judging),
	"organization":           slices.Concat(setups, directory, mails, matching, []string{"earshot/shared/judge/relevance"}),
	"purge": slices.Concat(judging, mentions, mails, []string{"earshot/shared/proposal", "earshot/shared/member",
		"earshot/shared/store/peoplestore", "earshot/shared/store/setupstore"}),
	"setup":                  slices.Concat(people, judging),
	"setupstages/agent":      people,
	"setupstages/candidates": people,
	"setupstages/measure":    people,
	"setupstages/sample":     people,
	"setupstages/scan":       slices.Concat(people, judging),
	"setupstages/sweep":      people,
	"setupstages/validate":   people,
}

func TestLambdas_LinkWhatTheyUse(t *testing.T) {
	graph := list(t)
	seen := map[string]bool{}
	for _, p := range graph.ours {
		folder, isMain := strings.CutSuffix(strings.TrimPrefix(p.ImportPath, "earshot/functions/"), "/lambda")
		if !isMain || p.Name != "main" {
			continue
		}
		seen[folder] = true
		forbidden, stated := unlinked[folder]
		if !stated {
			t.Errorf("unlinked has no row for functions/%s: state which of our packages it must not link", folder)
		}
		for dep := range graph.reached(p) {
			for _, prefix := range forbidden {
				if below(prefix, dep) {
					t.Errorf("functions/%s links %s", folder, dep)
				}
			}
		}
	}
	for folder := range unlinked {
		if !seen[folder] {
			t.Errorf("unlinked has a row for functions/%s, which is not there", folder)
		}
	}
}

// The joined stores are for programs that need every one of them.
func TestLambdas_LinkNoJoinedStores(t *testing.T) {
	graph := list(t)
	for _, p := range graph.ours {
		if strings.HasSuffix(p.ImportPath, "/lambda") && graph.reached(p)["earshot/shared/store/allstores"] {
			t.Errorf("%s links earshot/shared/store/allstores: compose the stores that it uses", p.ImportPath)
		}
	}
}
