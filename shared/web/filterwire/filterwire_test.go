package filterwire_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"earshot/shared/filter"
	"earshot/shared/web"
	"earshot/shared/web/filterwire"
	"earshot/shared/worldtest"
)

// query is a body as the list of mentions has it, beside fields of its own.
type query struct {
	Filters  filterwire.Either   `json:"filters,omitzero"`
	Simple   filterwire.Simple   `json:"simpleFilters,omitzero" doc:"Which to take."`
	Advanced filterwire.Advanced `json:"advancedFilters,omitzero"`
	Limit    int                 `json:"limit,omitempty" minimum:"1" maximum:"100"`
}

// feed is a body and an answer as a feed has them.
type feed struct {
	Simple   filterwire.NullSimple   `json:"simpleFilters,omitzero"`
	Advanced filterwire.NullAdvanced `json:"advancedFilters,omitzero"`
}

type kept struct {
	Simple   filterwire.NullSimple   `json:"simpleFilters"`
	Advanced filterwire.NullAdvanced `json:"advancedFilters"`
	Either   filterwire.Either       `json:"either,omitzero"`
	Given    []bool                  `json:"given"`
}

type counted struct {
	Conditions int     `json:"conditions"`
	Keywords   []int64 `json:"keywords"`
}

// newAPI is a small API that takes filters, and its document.
func newAPI(t testing.TB) (worldtest.Client, []byte) {
	w := worldtest.NewWorld(t)
	register := func(document bool) *web.API {
		api := web.New(web.Options{
			Credentials: w.Store,
			Windows:     w.Store,
			Replays:     w.Store,
			Clock:       w.Clock,
			Document:    document,
		})
		web.Register(api, web.Operation{ID: "countConditions", Method: "POST", Path: "/api/v2/count", Group: "count"},
			func(_ context.Context, in *struct{ Body query }) (*counted, error) {
				var all []filter.Filter
				for _, to := range []func() (filter.Filter,
					[]filter.Fault){in.Body.Filters.ToFilter, in.Body.Simple.ToFilter, in.Body.Advanced.ToFilter} {
					f, faults := to()
					if len(faults) > 0 {
						t.Errorf("faults reach the operation: %v", faults)
					}
					all = append(all, f)
				}
				joined := filter.And(all...)
				return &counted{joined.Conditions(), append([]int64{}, joined.Keywords()...)}, nil
			})
		web.Register(api, web.Operation{ID: "keepFeed", Method: "POST", Path: "/api/v2/feed", Group: "count"},
			func(_ context.Context, in *struct{ Body feed }) (*kept, error) {
				return &kept{
					Simple:   in.Body.Simple,
					Advanced: in.Body.Advanced,
					Given:    []bool{in.Body.Simple.Given, in.Body.Advanced.Given},
				}, nil
			})
		return api
	}
	openAPI, err := register(true).OpenAPI("Counts.", map[string]string{"count": "Count."})
	if err != nil {
		t.Fatal(err)
	}
	document, err := worldtest.NewDocument(openAPI)
	if err != nil {
		t.Fatal(err)
	}
	return worldtest.Client{Handler: register(false).LambdaHandler(), Document: document, Token: w.Read}, openAPI
}

const anyAdvanced = `{"operator":"AND","groups":[{"operator":"OR","conditions":[{"!tag":["event"]},{"keyword":[3]}]}]}`

// contradictory is an advanced filter that a request may not have, and a stored one may.
const contradictory = `{"operator":"AND","groups":[{"operator":"OR","conditions":[{"minXFollowers":10}]},` +
	`{"operator":"AND","conditions":[{"maxXFollowers":9}]}]}`

// Every fault of a request comes back, those of its filters among the others, with its place as the client wrote it.
func TestFaults(t *testing.T) {
	client, _ := newAPI(t)
	for _, c := range []struct {
		body string
		want []string
	}{
		{`{"simpleFilters":{"!sentiment":["positive","happy"],"sources":["x"]},"limit":0,"x":1}`,
			[]string{"limit minimum", "simpleFilters.!sentiment[1] enum", "simpleFilters.sources unknown", "x unknown"}},
		{`{"advancedFilters":{"operator":"AND","groups":[{"operator":"OR","conditions":[{"engaged":true},{},{"engagement":[{"source":"x","metric":"m","value":"9"}]}]}]}}`,
			[]string{"advancedFilters.groups[0].conditions[1] min_properties",
				"advancedFilters.groups[0].conditions[2].engagement[0].value type"}},
		{`{"filters":{"engaged":1},"simpleFilters":{"keyword":[0]},"advancedFilters":{"operator":"AND"}}`,
			[]string{"advancedFilters.groups required", "filters.engaged type", "simpleFilters.keyword[0] minimum"}},
		{`{"filters":{"groups":[{"operator":"AND","conditions":[{"author":["@"]}]}]}}`,
			[]string{"filters.groups[0].conditions[0].author[0] format", "filters.operator required"}},
		{`{"filters":null,"simpleFilters":null,"advancedFilters":null}`,
			[]string{"advancedFilters type", "filters type", "simpleFilters type"}},
		{`{"filters":[],"simpleFilters":"x","advancedFilters":7}`,
			[]string{"advancedFilters type", "filters type", "simpleFilters type"}},
		{`{"simpleFilters":{"language":["klingon"],"startDate":"2026-11-02"}}`, []string{"simpleFilters.language[0] enum"}},
		{`{"simpleFilters":{"engaged":true,"engaged":false}}`, []string{"simpleFilters.engaged duplicate"}},
		{`{"simpleFilters":{"operator":"AND","groups":[]}}`,
			[]string{"simpleFilters.groups unknown", "simpleFilters.operator unknown"}},
		{`{"simpleFilters":{"keyword":[9007199254740993]}}`, []string{"simpleFilters.keyword[0] range"}},
		{`{"filters":{"minXFollowers":10,"maxXFollowers":9},"simpleFilters":{"minXFollowers":10,"maxXFollowers":9,"engaged":1},` +
			`"advancedFilters":` + contradictory + `}`,
			[]string{"advancedFilters.groups[1].conditions[0].maxXFollowers range", "filters.maxXFollowers range",
				"simpleFilters.engaged type", "simpleFilters.maxXFollowers range"}},
	} {
		found := client.Post(t, "/api/v2/count", c.body).Is(t, 400, "VALIDATION_ERROR")
		var got []string
		for _, detail := range found.Details {
			got = append(got, detail.Path+" "+detail.Code)
			if detail.Message == "" || strings.Contains(detail.Message, "\x00") || !strings.HasSuffix(detail.Message, ".") ||
				strings.HasSuffix(detail.Message, "..") {
				t.Errorf("%s: %q", detail.Path, detail.Message)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s\ngot  %q\nwant %q", c.body, got, c.want)
		}
	}
	found := client.Post(t, "/api/v2/feed", `{"simpleFilters":{"engaged":1},"advancedFilters":[]}`).
		Is(t, 400, "VALIDATION_ERROR")
	if len(found.Details) != 2 || found.Details[0].Path != "advancedFilters" ||
		found.Details[1].Path != "simpleFilters.engaged" {
		t.Errorf("%+v", found.Details)
	}
}

func TestFilters_Accepted(t *testing.T) {
	client, _ := newAPI(t)
	tooMany := `{"operator":"AND","groups":[{"operator":"AND","conditions":[` + strings.Repeat(`{"engaged":true},`, 50) +
		`{"engaged":true}]}]}`
	for _, c := range []struct {
		body       string
		conditions int
		keywords   string
	}{
		{`{}`, 0, "[]"}, {`{"filters":{},"simpleFilters":{}}`, 0, "[]"},
		{`{"filters":{"keyword":[5,4.0]},"simpleFilters":{"!keyword":[5],"engaged":true},"advancedFilters":` + anyAdvanced +
			`}`, 5, "[3 4 5]"},
		{`{"filters":` + anyAdvanced + `}`, 2, "[3]"},
		{`{"filters":` + tooMany + `}`, 51, "[]"}, {`{"advancedFilters":` + tooMany + `}`, 51, "[]"},
	} {
		var got counted
		client.Post(t, "/api/v2/count", c.body).OK(t, &got)
		if got.Conditions != c.conditions || fmt.Sprint(got.Keywords) != c.keywords {
			t.Errorf("%.200s: %+v", c.body, got)
		}
	}
}

// A feed's filters come back as they were written, and null can be told from nothing.
func TestFilters_KeptAsWritten(t *testing.T) {
	client, _ := newAPI(t)
	simple := `{"text":["<b>","ü \u2028"],"!source":["Twitter"],"maxXFollowers":5}`
	for _, c := range []struct{ body, want string }{
		{`{"simpleFilters": ` + simple + ` , "advancedFilters":null}`,
			`{"simpleFilters":` + simple + `,"advancedFilters":null,"given":[true,true]}`},
		{`{"advancedFilters":` + anyAdvanced + `}`,
			`{"simpleFilters":null,"advancedFilters":` + anyAdvanced + `,"given":[false,true]}`},
	} {
		answer := client.Post(t, "/api/v2/feed", c.body)
		if got := strings.TrimSpace(string(answer.Body)); answer.Status != 200 || got != c.want {
			t.Errorf("got  %d %s\nwant %s", answer.Status, got, c.want)
		}
	}
	var stored filterwire.Simple
	if err := json.Unmarshal([]byte(simple), &stored); err != nil || stored.JSON() != simple {
		t.Errorf("%s, %v", stored.JSON(), err)
	}
	if _, faults := stored.ToFilter(); len(faults) > 0 {
		t.Errorf("ToFilter() has the faults %v, want none", faults)
	}
	var old filterwire.Advanced
	worldtest.Must(t, json.Unmarshal([]byte(contradictory), &old))
	if f, faults := old.ToFilter(); len(faults) > 0 || f.Conditions() != 2 {
		t.Errorf("ToFilter() of a stored filter = %d conditions with the faults %v, want 2 without any", f.Conditions(), faults)
	}
}
