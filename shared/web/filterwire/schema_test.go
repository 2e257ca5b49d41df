package filterwire_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"earshot/shared/filter"
)

// The document and the parser take the same filters: to add one that they should agree on, write it. What no schema can say is
// in TestFaults of package filter: the order of dates, and names of languages in other spellings.
func TestSchema_AgreesWithParser(t *testing.T) {
	_, openAPI := newAPI(t)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(openAPI))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	if err := compiler.AddResource("openapi.json", document); err != nil {
		t.Fatal(err)
	}
	either, err := compiler.Compile(
		"openapi.json#/paths/~1api~1v2~1count/post/requestBody/content/application~1json/schema")
	if err != nil {
		t.Fatal(err)
	}
	values := []string{`["x"]`, `["twitter",1]`, `["positive"]`, `["Positive"]`, `["de","german","undetermined"]`,
		`["klingon"]`, `["pricing"]`, `["reply"]`, `["top-level"]`,
		`["@"]`, `["@a"]`, `[" "]`, `["??"]`, `[""]`, `[]`, `null`, `true`, `"x"`, `5`, `-1`, `0`, `1.0`, `1.5`, `[0]`,
		`[1,2]`, `[3]`, `[5]`, `[6]`, `["1"]`, `[1.5]`, `{}`, `[{}]`,
		`9007199254740991`, `[9007199254740991]`, `["` + strings.Repeat("ü", 64) + `"]`,
		`["` + strings.Repeat("ü", 65) + `"]`, `["` + strings.Repeat("a", 201) + `"]`,
		`[` + strings.Repeat(`"a",`, 99) + `"a"]`, `[` + strings.Repeat(`"a",`, 100) + `"a"]`,
		`[{"source":"x","metric":"m","value":0}]`, `[{"source":"x","metric":"m","value":0,"operator":"equals"}]`,
		`[{"source":"x","metric":"m","value":0,"operator":"<"}]`,
		`[{"source":"","metric":"m","value":0}]`, `[{"source":"x","metric":"m"}]`, `[{"source":"x","metric":"m","value":-1}]`,
		`[{"source":"x","metric":"m","value":1,"x":1}]`,
		`"2026-11-01"`, `"2026-11-31"`, `"2026-11-01T00:00:00Z"`, `"2026-11-01T00:00:00.5+01:00"`, `"2026-11-01 00:00:00"`,
		`20261101`,
		`"2026-11-01 00:00:00.000"`, `"2026-11-01 0:00:00.000"`, `"2026-11-01 00:00:00,000"`,
		`"2026-11-01T0:00:00Z"`, `"2026-11-01T00:00:00,5Z"`, `"2026-11-01 24:00:00.000"`}
	forms := []string{`{}`, `[]`, `null`, `"x"`, `{"startDate":"2026-11-01"}`, `{"endDate":"2026-11-01"}`, `{"nothing":1}`,
		`{"operator":"AND"}`, `{"groups":[]}`,
		`{"operator":"AND","groups":[]}`, `{"operator":"NOT","groups":[{"operator":"AND","conditions":[{"engaged":true}]}]}`,
		`{"operator":"AND","groups":[{"operator":"AND","conditions":[{}]}]}`,
		`{"operator":"AND","groups":[{"operator":"AND","conditions":[{"engaged":true,"!engaged":true}]}]}`,
		`{"operator":"AND","groups":[{"operator":"AND","conditions":[{"startDate":"2026-11-01"}]}]}`,
		`{"operator":"AND","groups":[{"operator":"AND"}]}`,
		`{"operator":"AND","groups":[{"operator":"OR","conditions":[{"engaged":true}]}],"engaged":true}`,
		`{"operator":"AND","groups":[{"operator":"OR","conditions":[{"engaged":true}]}],"startDate":"2026-11-01","endDate":"2026-11-02"}`,
		`{"operator":"AND","groups":[{"operator":"OR","conditions":[{"engaged":true}]}],"startDate":"2026-11-01"}`,
		`{"operator":"AND","groups":[{"operator":"OR","conditions":[` + strings.Repeat(`{"engaged":true},`, 99) +
			`{"engaged":true}]}]}`,
		`{"operator":"AND","groups":[{"operator":"OR","conditions":[` + strings.Repeat(`{"engaged":true},`, 100) +
			`{"engaged":true}]}]}`}
	for _, value := range values {
		for _, d := range filter.Definitions() {
			for _, not := range []string{"", "!"} {
				forms = append(forms, `{"`+not+string(d.Key)+`":`+value+`}`,
					`{"operator":"OR","groups":[{"operator":"AND","conditions":[{"`+not+string(d.Key)+`":`+value+`}]}]}`)
			}
		}
		forms = append(forms, `{"startDate":`+value+`,"endDate":"2030-01-01"}`,
			`{"startDate":`+value+`}`, `{"endDate":`+value+`}`)
	}
	taken := 0
	for _, form := range forms {
		for field, parse := range map[string]func([]byte) (filter.Filter, []filter.Fault){
			"filters": filter.Parse, "simpleFilters": filter.ParseSimple, "advancedFilters": filter.ParseAdvanced,
		} {
			body, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"` + field + `":` + form + `}`))
			if err != nil {
				t.Fatal(err)
			}
			invalid := either.Validate(body)
			_, faults := parse([]byte(form))
			if (invalid == nil) != (len(faults) == 0) {
				t.Errorf("%s %.200s: the parser finds %v, the schema %v", field, form, faults, invalid)
			}
			if invalid == nil {
				taken++
			}
		}
	}
	if taken < 100 || taken > len(forms) {
		t.Errorf("%d of %d forms are taken", taken, len(forms))
	}
}

// The grammar stands in the document once, whoever refers to it.
func TestDocument_OneGrammar(t *testing.T) {
	_, openAPI := newAPI(t)
	var document struct {
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(openAPI, &document); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"SimpleFilters", "AdvancedFilters", "FilterGroup", "FilterCondition", "FilterCounter",
		"FilterLanguage", "FilterDate"} {
		if document.Components.Schemas[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
	if count := strings.Count(string(openAPI), `"The platform is one of these."`); count != 2 {
		t.Errorf("the key source is described %d times", count)
	}
}
