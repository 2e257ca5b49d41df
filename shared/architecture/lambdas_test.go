package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Groups of packages that a Lambda may have nothing to do with. Each entry stands for the package and those below it.
var (
	setups = []string{"earshot/shared/proposal", "earshot/shared/store/setupstore", "earshot/shared/store/purgestore"}
	// directory lets people in. A request about mentions needs none of these packages.
	directory = []string{"earshot/shared/member", "earshot/shared/port/identity", "earshot/shared/store/peoplestore"}
	mentions  = []string{"earshot/shared/store/mentionstore", "earshot/shared/store/listenstore", "earshot/shared/match",
		"earshot/shared/judge", "earshot/shared/filter", "earshot/shared/feed"}
	judging = []string{"earshot/shared/judge"}
	// matching tries keywords on posts. Whoever only stores keywords needs none of it.
	matching = []string{"earshot/shared/match", "earshot/shared/post", "earshot/shared/listening",
		"earshot/shared/keyword/suggest",
		"earshot/shared/store/suggestionstore"}
	mails = []string{"earshot/shared/port/mail", "earshot/shared/feed/notice"}
)

// parquet lists the Lambdas that write or read Parquet files. The library adds 11 MB to a binary.
var parquet = []string{"analyticsfiles", "exports"}

// unlinked states for each Lambda, by its folder below functions/, which of our packages its binary must not have. A
// package that a binary need not have makes it larger and slower to start, and lets a mistake reach further.
var unlinked = map[string][]string{
	"agency": slices.Concat(setups, mentions),
	"ai": slices.Concat(setups, directory, judging, mails, []string{"earshot/shared/match", "earshot/shared/listening",
		"earshot/shared/store/mentionstore", "earshot/shared/summary/compose", "earshot/shared/analytics"}),
	"ai/summaries": slices.Concat(setups, directory, judging, mails,
		[]string{"earshot/shared/match", "earshot/shared/listening",
			"earshot/shared/store/listenstore", "earshot/shared/web", "earshot/shared/wizard"}),
	"alerts":         slices.Concat(setups, directory, judging, mails, matching),
	"analytics":      slices.Concat(setups, directory, judging, mails, matching),
	"analyticsfiles": slices.Concat(setups, directory, judging, mails, []string{"earshot/shared/match"}),
	"archive":        slices.Concat(setups, directory, judging, mails, []string{"earshot/shared/match"}),
	"authorize":      slices.Concat(setups, mentions),
	"collect":        slices.Concat(setups, directory, judging),
	"discovery":      {"earshot/shared/store", "earshot/shared/member", "earshot/shared/match", "earshot/shared/judge"},
	"exports":        slices.Concat(setups, directory, judging, []string{"earshot/shared/store/listenstore"}),
	"feedback":       slices.Concat(setups, directory, judging, mails, matching),
	"feeds":          slices.Concat(setups, directory, judging, matching),
	"feeds/bounces": slices.Concat(setups, directory, judging, matching,
		[]string{"earshot/shared/store/mentionstore", "earshot/shared/feed/notice"}),
	"feeds/deliver": slices.Concat(setups, judging, matching),
	"feeds/deliveries": slices.Concat(setups, directory, judging, mails, matching,
		[]string{"earshot/shared/store/listenstore"}),
	"feeds/receivers": slices.Concat(setups, directory, judging, matching, []string{"earshot/shared/store/mentionstore"}),
	"filters": slices.Concat(setups, directory, judging, mails,
		[]string{"earshot/shared/store/mentionstore", "earshot/shared/filter"}),
	"ingest": slices.Concat(setups, directory),
	"keywords": slices.Concat(setups, directory, judging, mails, matching, []string{"earshot/shared/store/mentionstore",
		"earshot/shared/mention", "earshot/shared/filter"}),
	"keywords/backfills": slices.Concat(setups, directory),
	"keywords/preview": slices.Concat(directory, judging, mails, []string{"earshot/shared/listening",
		"earshot/shared/store/setupstore", "earshot/shared/store/purgestore"}),
	"keywords/suggestions":   slices.Concat(setups, directory, judging, mails, []string{"earshot/shared/listening"}),
	"mcp":                    slices.Concat(directory, []string{"earshot/shared/judge/relevance"}),
	"members":                slices.Concat(setups, mentions),
	"members/accountcreated": slices.Concat(setups, mentions),
	"members/invitations":    slices.Concat(setups, mentions),
	"members/invitecleanup":  slices.Concat(setups, mentions),
	"mentions":               slices.Concat(setups, directory, judging),
	"organization":           slices.Concat(setups, directory, mails, matching, []string{"earshot/shared/judge/relevance"}),
	"postshards":             slices.Concat(setups, directory, mails, []string{"earshot/shared/store/listenstore"}),
	"purge": slices.Concat(judging, matching, mails, []string{"earshot/shared/store/mentionstore",
		"earshot/shared/store/listenstore", "earshot/shared/filter", "earshot/shared/proposal", "earshot/shared/member",
		"earshot/shared/store/peoplestore", "earshot/shared/store/setupstore"}),
	"search": slices.Concat(setups, directory, judging, mails, []string{"earshot/shared/store/mentionstore",
		"earshot/shared/store/listenstore", "earshot/shared/listening"}),
	"search/searches":        slices.Concat(directory, mails, []string{"earshot/shared/store/purgestore"}),
	"setup":                  slices.Concat(directory, judging),
	"setupstages/agent":      slices.Concat(directory, mails),
	"setupstages/candidates": slices.Concat(directory, mails),
	"setupstages/measure":    slices.Concat(directory, mails),
	"setupstages/sample":     slices.Concat(directory, mails),
	"setupstages/scan":       slices.Concat(directory, mails, judging),
	"setupstages/sweep":      slices.Concat(directory, mails),
	"setupstages/validate":   slices.Concat(directory, mails),
}

// linked states for each Lambda how many of our packages its binary has at most, itself and its main among them. A bound
// only falls: lower it when its Lambda links fewer.
var linked = map[string]int{
	"agency":                 30,
	"ai":                     33,
	"ai/summaries":           31,
	"alerts":                 37,
	"analytics":              33,
	"analyticsfiles":         26,
	"archive":                22,
	"authorize":              28,
	"collect":                51,
	"discovery":              10,
	"exports":                28,
	"feedback":               25,
	"feeds":                  43,
	"feeds/bounces":          20,
	"feeds/deliver":          54,
	"feeds/deliveries":       25,
	"feeds/receivers":        26,
	"filters":                22,
	"ingest":                 47,
	"keywords":               19,
	"keywords/backfills":     76,
	"keywords/preview":       40,
	"keywords/suggestions":   28,
	"mcp":                    86,
	"members":                23,
	"members/accountcreated": 26,
	"members/invitations":    25,
	"members/invitecleanup":  26,
	"mentions":               32,
	"organization":           36,
	"postshards":             33,
	"purge":                  25,
	"search":                 32,
	"search/searches":        80,
	"setup":                  35,
	"setupstages/agent":      80,
	"setupstages/candidates": 49,
	"setupstages/measure":    78,
	"setupstages/sample":     78,
	"setupstages/scan":       32,
	"setupstages/sweep":      49,
	"setupstages/validate":   49,
}

func TestLambdas_LinkFewPackages(t *testing.T) {
	graph := list(t)
	for folder, count := range graph.lambdas() {
		most, stated := linked[folder]
		if !stated {
			t.Errorf("linked has no row for functions/%s, which links %d of our packages", folder, count)
		} else if count > most {
			t.Errorf("functions/%s links %d of our packages, want at most %d", folder, count, most)
		}
	}
	for folder := range linked {
		if _, there := graph.lambdas()[folder]; !there {
			t.Errorf("linked has a row for functions/%s, which is not there", folder)
		}
	}
}

// lambdas returns the number of our packages that each Lambda links, by the Lambda's folder below functions/.
func (d dependencies) lambdas() map[string]int {
	counts := map[string]int{}
	for _, p := range d.ours {
		folder, isMain := strings.CutSuffix(strings.TrimPrefix(p.ImportPath, "earshot/functions/"), "/lambda")
		if !isMain || p.Name != "main" {
			continue
		}
		counts[folder] = 1
		for dep := range d.reached(p) {
			if below("earshot", dep) {
				counts[folder]++
			}
		}
	}
	return counts
}

func TestLambdas_LinkParquet(t *testing.T) {
	graph := list(t)
	for _, p := range graph.ours {
		folder, isMain := strings.CutSuffix(strings.TrimPrefix(p.ImportPath, "earshot/functions/"), "/lambda")
		if !isMain || p.Name != "main" {
			continue
		}
		links := slices.ContainsFunc(slices.Collect(maps.Keys(graph.reached(p))), func(dep string) bool {
			return below("github.com/parquet-go", dep)
		})
		if want := slices.Contains(parquet, folder); links != want {
			t.Errorf("functions/%s links the Parquet library: %v, want %v", folder, links, want)
		}
	}
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

// toolless lists the options of groups that no tool needs: none exports mentions, sends a mail or posts to a webhook.
var toolless = []string{"mentions.Queue", "mentions.Blob", "feeds.Mail", "feeds.Webhook"}

// A tool says what its operation says, so its group has the same options in both Lambdas.
func TestLambdas_MCPSetsTheOptionsOfGroups(t *testing.T) {
	tools := options(t, "mcp")
	for group, set := range tools {
		if group == "mcp" || group == "web" || group == "slack" || group == "outbound" {
			continue
		}
		folder := group
		if group == "suggestions" {
			folder = "keywords/suggestions"
		}
		for _, option := range options(t, folder)[group] {
			if name := group + "." + option; !slices.Contains(set, option) && !slices.Contains(toolless, name) {
				t.Errorf("functions/mcp/lambda leaves %s out, and functions/%s/lambda sets it", name, folder)
			}
		}
	}
}

// options returns the fields that a Lambda's main sets of each package's Options, by the package's name.
func options(t *testing.T, folder string) map[string][]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../functions/"+folder+"/lambda/main.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	set := map[string][]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		literal, _ := node.(*ast.CompositeLit)
		if literal == nil {
			return true
		}
		of, _ := literal.Type.(*ast.SelectorExpr)
		if of == nil || of.Sel.Name != "Options" {
			return true
		}
		for _, element := range literal.Elts {
			if field, keyed := element.(*ast.KeyValueExpr); keyed {
				pkg := of.X.(*ast.Ident).Name
				set[pkg] = append(set[pkg], field.Key.(*ast.Ident).Name)
			}
		}
		return true
	})
	return set
}
