// Accuracy measures the filter wizard's rules on requests that people could type, each labelled with the filter that
// they would expect, or null. The requests were written and labelled before the rules, and divided into dev and test by
// a fixed seed. Rules were tried on dev only. Requests, labels and rules are by one author, so strangers' requests are
// declined more often.
//
// It prints how many requests of each part got the expected answer, how many were declined though their label has a
// filter, and how many got another filter than the label's. It exits with status 1 if a share is worse than its floor.
//
// It does so without a model, and with three scripted models, whose responses pass the same checks as a real one's: one
// responds with the label, one with the label of another request, and one with prose. The first says how many right
// responses the checks refuse, and the others how much harm a wrong model does. No figure is that of a real model.
//
// -show lists the requests of dev that are not right.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/port/model"
	"earshot/shared/wizard"
)

//go:embed requests.tsv
var labelled string

// seed divides the requests.
const seed = 20261120

// floors are the least share of right answers and the largest of wrong ones.
var floors = map[string][2]float64{"dev": {0.98, 0}, "test": {0.95, 0.01}}

// now is a Friday, the time of the labels.
var now = time.Date(2026, 11, 20, 10, 15, 0, 0, time.UTC)

var workspace = wizard.Workspace{
	Keywords: []wizard.Named{
		{ID: 1, Name: "Northwind"}, {ID: 2, Name: "Lanternpage"}, {ID: 3, Name: "Harbour Metrics"},
		{ID: 4, Name: "incident management"},
	},
	Feeds: []wizard.Named{
		{ID: 11, Name: "Brand"}, {ID: 12, Name: "Competitors"}, {ID: 13, Name: "Launch week"},
		{ID: 14, Name: "Support queue"},
	},
}

// A request has a label: the canonical form of what is expected; empty: null.
type request struct {
	text, want string
	response   string // of a model that knows the label
}

func main() {
	show := flag.Bool("show", false, "list the requests of dev that are not right")
	parts := flag.String("parts", "dev test", "what to measure")
	flag.Parse()
	held := true
	for name, requests := range split() {
		if !slices.Contains(strings.Fields(*parts), name) {
			continue
		}
		for _, kind := range []string{"right model", "wrong model", "prose"} {
			right, declined, wrong, kept := scripted(kind, requests)
			fmt.Printf("wizard, %-4s  %s: %d right, %d declined, %d wrong; %d responses passed the checks\n",
				name, kind, right, declined, wrong, kept)
		}
		right, declined, wrong := 0, 0, 0
		for _, r := range requests {
			got := wizard.Understand(r.text, workspace, now)
			is := ""
			if got.Filters != "" {
				is = canonical(got.Filters, got.Limit, got.View, got.IncludeAll)
			}
			switch {
			case is == r.want:
				right++
				continue
			case is == "":
				declined++
			default:
				wrong++
			}
			if *show && name == "dev" {
				fmt.Printf("%s\n  got  %s\n  want %s\n  %s\n", r.text, is, r.want, got.Explanation)
			}
		}
		n := float64(len(requests))
		fmt.Printf("wizard, %-4s  %d requests: %d right, %d declined, %d wrong\n", name, len(requests), right, declined, wrong)
		held = held && float64(right)/n >= floors[name][0] && float64(wrong)/n <= floors[name][1]
	}
	if !held {
		fmt.Println("wizard: below its floors")
		os.Exit(1)
	}
}

// split returns the parts by name, dev first.
func split() func(func(string, []request) bool) {
	var all []request
	for line := range strings.Lines(labelled) {
		fields := append(strings.Split(strings.TrimRight(line, "\n"), "\t"), "")
		r := request{text: fields[0], response: `{"filters":null,"limit":null,"includeAll":false,"view":null}`}
		if fields[1] != "null" {
			limit, view, everything := 0, int64(0), false
			for _, extra := range strings.Fields(fields[2]) {
				name, value, _ := strings.Cut(extra, "=")
				n, _ := strconv.Atoi(value)
				switch name {
				case "limit":
					limit = n
				case "view":
					view = int64(n)
				case "all":
					everything = true
				}
			}
			r.want = canonical(fields[1], limit, view, everything)
			r.response = fmt.Sprintf(`{"filters":%s,"limit":%s,"includeAll":%t,"view":%s}`, fields[1], orNull(int64(limit)),
				everything, orNull(view))
		}
		all = append(all, r)
	}
	rand.New(rand.NewPCG(seed, seed)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return func(yield func(string, []request) bool) {
		if yield("dev", all[:len(all)/2]) {
			yield("test", all[len(all)/2:])
		}
	}
}

func orNull(n int64) string {
	if n == 0 {
		return "null"
	}
	return strconv.FormatInt(n, 10)
}

// says is a model that responds with one text.
type says string

func (s says) Complete(context.Context, model.Request) (model.Answer, error) {
	return model.Answer{Text: string(s), InputTokens: 1, OutputTokens: 1, Complete: true}, nil
}

// endless is a budget without an end.
type endless struct{}

func (endless) Spend(context.Context, string, int) (bool, error) { return true, nil }

func (endless) Count(context.Context, string, int, int) error { return nil }

// scripted asks the wizard with a model of a kind. kept counts the responses that were used: the others were refused, or
// were null.
func scripted(kind string, requests []request) (right, declined, wrong, kept int) {
	for i, r := range requests {
		response := r.response
		switch kind {
		case "wrong model":
			response = requests[(i+1)%len(requests)].response
		case "prose":
			response = "Sure! Here is your filter."
		}
		advisor := wizard.Advisor{Model: says(response), Budget: endless{}, Limit: time.Minute}
		got, advice := advisor.With(context.Background(), "org_1", r.text, workspace, now)
		is := ""
		if got.Filters != "" {
			is = canonical(got.Filters, got.Limit, got.View, got.IncludeAll)
		}
		if advice.Err == nil && !strings.Contains(response, `"filters":null`) {
			kept++
		}
		switch {
		case is == r.want:
			right++
		case is == "":
			declined++
		default:
			wrong++
		}
	}
	return right, declined, wrong, kept
}

// canonical returns one form of all filters that differ only in the order of values, conditions and groups.
func canonical(filters string, limit int, view int64, all bool) string {
	var tree any
	if err := json.Unmarshal([]byte(filters), &tree); err != nil {
		panic(fmt.Sprintf("accuracy: %s: %v", filters, err))
	}
	return fmt.Sprintf("%s limit=%d view=%d all=%t", sorted(tree), limit, view, all)
}

func sorted(value any) string {
	switch v := value.(type) {
	case []any:
		var all []string
		for _, one := range v {
			all = append(all, sorted(one))
		}
		slices.Sort(all)
		return "[" + strings.Join(all, ",") + "]"
	case map[string]any:
		var all []string
		for name, one := range v {
			all = append(all, name+":"+sorted(one))
		}
		slices.Sort(all)
		return "{" + strings.Join(all, ",") + "}"
	}
	return fmt.Sprint(value)
}
