package web

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/web/problem"
)

type fitted struct {
	Names []string          `json:"names,omitempty" maxItems:"3" maxLength:"4" pattern:"^[a-z]+$"`
	Rows  []fittedRow       `json:"rows,omitempty" maxItems:"2"`
	Named map[string]int64  `json:"named,omitempty"`
	Label Null[string]      `json:"label,omitzero"`
	Maybe *fittedRow        `json:"maybe,omitempty"`
	Extra map[string]string `json:"extra,omitempty"`
}

type fittedRow struct {
	Values []int64 `json:"values" minItems:"1" maxItems:"2"`
	Kind   string  `json:"kind,omitempty" enum:"a,b"`
}

// fit reads and validates a body as that of an operation.
func fit(t *testing.T, body string) (tree any, faults []string) {
	t.Helper()
	humaPrepared.Do(prepareHuma)
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	schema := registry.Schema(reflect.TypeFor[fitted](), true, "")
	doc, err := readJSON(t.Context(), []byte(body))
	if err != nil || doc.tree == nil {
		t.Fatalf("readJSON(%s) = %+v, %v", body, doc.faults, err)
	}
	v := validator{ctx: t.Context(), registry: registry, faults: doc.faults}
	tree = v.value(schema, doc.tree)
	for _, fault := range v.faults {
		faults = append(faults, fault.Path+" "+fault.Code)
	}
	return tree, faults
}

// Every fault has its path, and elements beyond maxItems are gone.
func TestValidator(t *testing.T) {
	for _, c := range []struct {
		body, tree string
		faults     []string
	}{
		{`{"names":["a","b","c"],"named":{"x":1},"label":null}`, "", nil},
		{`{"names":["a",1,"C","d","E"]}`, "map[names:[a 1 C]]",
			[]string{"names max_items", "names[1] type", "names[2] pattern"}},
		{`{"rows":[{"values":[1,2,3,"x"]},{"values":[]},{"values":7}]}`, "map[rows:[map[values:[1 2]] map[values:[]]]]",
			[]string{"rows max_items", "rows[0].values max_items", "rows[1].values min_items"}},
		{`{"rows":[{"kind":"c"}],"unknown":{"a":1}}`, "",
			[]string{"rows[0].values required", "rows[0].kind enum", "unknown unknown"}},
		{`{"named":{"a.b":"x"},"extra":{"c":2}}`, "", []string{"extra.c type", "named.a.b type"}},
		{`{"label":7,"maybe":[]}`, "", []string{"label type", "maybe type"}},
		{`{"names":["ABCDEFGH"]}`, "", []string{"names[0] max_length"}},
		{`{"names":{},"rows":"x","maybe":1}`, "", []string{"maybe type", "names type", "rows type"}},
	} {
		tree, faults := fit(t, c.body)
		if !slices.Equal(faults, c.faults) {
			t.Errorf("%s: the faults are %q, want %q", c.body, faults, c.faults)
		}
		if got := fmt.Sprint(tree); c.tree != "" && got != c.tree {
			t.Errorf("%s: what is left is %s, want %s", c.body, got, c.tree)
		}
	}
}

// The validator stops after more faults than are counted.
func TestValidator_ManyFaults(t *testing.T) {
	var body strings.Builder
	body.WriteString(`{"a":1`)
	for i := range 20_000 {
		fmt.Fprintf(&body, `,"x%d":1`, i)
	}
	if _, faults := fit(t, body.String()+"}"); len(faults) != problem.MaxCounted+1 {
		t.Errorf("%d faults, want %d", len(faults), problem.MaxCounted+1)
	}
}

// A body is neither read nor validated beyond the request's deadline.
func TestBody_Deadline(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	body := `{"names":[` + strings.Repeat(`"a",`, 2*deadlineEvery) + `"a"]}`
	if doc, err := readJSON(over, []byte(body)); !errors.Is(err, context.Canceled) || doc.values > 0 {
		t.Errorf("readJSON() = %d values, %v", doc.values, err)
	}
	v := validator{ctx: over}
	items := make([]any, 2*deadlineEvery)
	v.value(&huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{}}, items)
	if !errors.Is(v.err, context.Canceled) || v.values > deadlineEvery {
		t.Errorf("%d values validated, %v", v.values, v.err)
	}
}

// A schema that asks for what the validator does not look at is found when the document is made.
func TestBeyond(t *testing.T) {
	one := 1
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	array := func(items *huma.Schema) *huma.Schema { return &huma.Schema{Type: huma.TypeArray, Items: items} }
	for want, schema := range map[string]*huma.Schema{
		"":                                     registry.Schema(reflect.TypeFor[fitted](), true, ""),
		"uniqueItems":                          NullOr(&huma.Schema{UniqueItems: true}),
		"minProperties or maxProperties":       array(&huma.Schema{Type: huma.TypeObject, MinProperties: &one}),
		"dependentRequired":                    array(&huma.Schema{DependentRequired: map[string][]string{"a": {"b"}}}),
		"allOf, oneOf, not or a discriminator": {Properties: map[string]*huma.Schema{"a": {OneOf: []*huma.Schema{{}}}}},
		"readOnly or writeOnly":                {AdditionalProperties: &huma.Schema{ReadOnly: true}},
		"an array without items":               array(nil),
	} {
		if got := beyond(registry, schema, map[string]bool{}); got != want {
			t.Errorf("beyond() = %q, want %q", got, want)
		}
	}
}
