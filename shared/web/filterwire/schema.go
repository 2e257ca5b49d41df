package filterwire

import (
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/filter"
	"earshot/shared/language"
	"earshot/shared/mention"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
)

// The names of the schemas in the document.
const (
	simpleName    = "SimpleFilters"
	advancedName  = "AdvancedFilters"
	groupName     = "FilterGroup"
	conditionName = "FilterCondition"
	counterName   = "FilterCounter"
	languageName  = "FilterLanguage"
	dateName      = "FilterDate"
)

const prefix = "#/components/schemas/"

// Schema adds the form to the document and returns a reference to it.
func (Simple) Schema(registry huma.Registry) *huma.Schema { return refer(registry, simpleName) }

// Schema adds the form to the document and returns a reference to it.
func (Advanced) Schema(registry huma.Registry) *huma.Schema { return refer(registry, advancedName) }

// Schema adds both forms to the document. No JSON value is both: an advanced filter has an operator, which is no key of
// a simple one.
func (Either) Schema(registry huma.Registry) *huma.Schema {
	return described("A simple or an advanced filter.", fields{
		"oneOf": []*huma.Schema{refer(registry, simpleName), refer(registry, advancedName)},
	})
}

// fields are members of a schema for the document only.
type fields = map[string]any

// Schema returns the schema of the filter or null.
func (NullSimple) Schema(registry huma.Registry) *huma.Schema {
	return web.Null[Simple]{}.Schema(registry)
}

// Schema returns the schema of the filter or null.
func (NullAdvanced) Schema(registry huma.Registry) *huma.Schema {
	return web.Null[Advanced]{}.Schema(registry)
}

// Schema returns the schema of the filter or null.
func (NullEither) Schema(registry huma.Registry) *huma.Schema {
	return web.Null[Either]{}.Schema(registry)
}

// described returns a schema that is an object to huma's validator.
func described(meaning string, parts fields) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Description: meaning, Extensions: parts}
}

// refer returns a reference to a filter's schema. It adds all of these schemas to the document if they are missing.
func refer(registry huma.Registry, name string) *huma.Schema {
	schemas := registry.Map()
	if schemas[name] == nil {
		maps.Copy(schemas, components())
	}
	return &huma.Schema{Ref: prefix + name}
}

func components() map[string]*huma.Schema {
	keys, dates := fields{}, fields{startDate: to(dateName), endDate: to(dateName)}
	for _, d := range filter.Definitions() {
		keys[string(d.Key)] = valueSchema(d, d.Meaning)
		keys["!"+string(d.Key)] = valueSchema(d, "The opposite of `"+string(d.Key)+"`.")
	}
	simple, advanced := maps.Clone(keys), maps.Clone(dates)
	maps.Copy(simple, dates)
	advanced["operator"] = operator("How the groups are joined.")
	advanced["groups"] = list(to(groupName), filter.MaxJoined)
	return map[string]*huma.Schema{
		simpleName: described(
			"A mention must meet every condition. A key with a leading `!` negates its condition. The dates bound "+
				"when a mention was posted, including `startDate` and excluding `endDate`. A missing date leaves its end open.",
			fields{"properties": simple, "additionalProperties": false},
		),
		advancedName: described(
			"Groups of conditions that are joined by AND or OR. The dates are those of a simple filter.",
			fields{
				"properties": advanced, "additionalProperties": false, "required": []string{"operator", "groups"}},
		),
		groupName: described("Conditions that are joined by AND or OR.", fields{
			"properties": fields{"operator": operator("How the conditions are joined."),
				"conditions": list(to(conditionName), filter.MaxJoined)},
			"additionalProperties": false, "required": []string{"operator", "conditions"}}),
		conditionName: described("One key of a simple filter and its value.", fields{
			"properties": keys, "additionalProperties": false, "minProperties": 1, "maxProperties": 1}),
		counterName:  counter(),
		languageName: languages(),
		dateName: {
			Description: "A day or a moment. A day stands for its first moment in UTC. A moment is in RFC 3339 or in the form of a " +
				"mention's `timestamp`.",
			Type:     huma.TypeString,
			AnyOf:    []*huma.Schema{{Format: "date"}, {Format: "date-time"}, {Pattern: mentionwire.TimestampPattern}},
			Examples: []any{"2026-11-01", "2026-11-20T09:30:00Z", "2026-11-20 09:30:00.000"},
		},
	}
}

const (
	startDate = "startDate"
	endDate   = "endDate"
)

func to(name string) *huma.Schema { return &huma.Schema{Ref: prefix + name} }

func list(items *huma.Schema, most int) *huma.Schema {
	return &huma.Schema{Type: huma.TypeArray, Items: items, MinItems: pointer(1), MaxItems: pointer(most)}
}

func operator(meaning string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{"AND", "OR"}, Description: meaning}
}

func pointer[T any](value T) *T { return &value }

// valueSchema describes the value of a key.
func valueSchema(d filter.Definition, meaning string) *huma.Schema {
	var schema *huma.Schema
	switch d.Shape {
	case filter.Flag:
		schema = &huma.Schema{Type: huma.TypeBoolean}
	case filter.Number:
		schema = definitionSchema(d)
	case filter.Numbers:
		schema = list(numberOrAbsent(d), filter.MaxValues)
	case filter.Counters:
		schema = list(to(counterName), filter.MaxValues)
	case filter.Texts:
		schema = list(text(d), filter.MaxValues)
	}
	schema.Description = meaning
	return schema
}

func definitionSchema(d filter.Definition) *huma.Schema {
	return &huma.Schema{Type: huma.TypeInteger, Minimum: pointer(float64(d.Min)), Maximum: pointer(float64(d.Max))}
}

// numberOrAbsent returns the schema of an element that is a number, or the text that stands for none.
func numberOrAbsent(d filter.Definition) *huma.Schema {
	if d.Absent == "" {
		return definitionSchema(d)
	}
	absent := &huma.Schema{Type: huma.TypeString, Enum: []any{d.Absent}}
	return &huma.Schema{AnyOf: []*huma.Schema{definitionSchema(d), absent}}
}

func text(d filter.Definition) *huma.Schema {
	if d.Values != nil {
		return &huma.Schema{Type: huma.TypeString, Enum: anys(d.Allowed())}
	}
	schema := &huma.Schema{Type: huma.TypeString, MinLength: pointer(int(d.Min)), MaxLength: pointer(int(d.Max))}
	switch d.Key {
	case filter.Language:
		return to(languageName)
	case filter.Author:
		schema.Pattern = `[^@\s]`
	case filter.Text:
		schema.Pattern = `\S`
	}
	return schema
}

func counter() *huma.Schema {
	name := func(meaning string) *huma.Schema {
		return &huma.Schema{
			Type:        huma.TypeString,
			MinLength:   pointer(1),
			MaxLength:   pointer(filter.MaxName),
			Description: meaning,
		}
	}
	return described("A bound for a public engagement counter.", fields{
		"properties": fields{
			"source": name("The platform. Only its mentions can meet the condition."),
			"metric": name("The counter, by the platform's own name for it."),
			"value": &huma.Schema{
				Type:    huma.TypeInteger,
				Minimum: pointer(0.0),
				Maximum: pointer(float64(mention.MaxID)),
			},
			"operator": &huma.Schema{
				Type:        huma.TypeString,
				Enum:        anys(filter.Operators()),
				Default:     filter.Operators()[0],
				Description: "How the counter must compare to the value.",
			},
		},
		"additionalProperties": false, "required": []string{"source", "metric", "value"},
	})
}

// languages lists the names of languages that a filter takes.
func languages() *huma.Schema {
	texts := []string{mention.Undetermined}
	for _, name := range language.Names() {
		texts = append(texts, name)
		if code, ok := language.ISO(name); ok {
			texts = append(texts, code)
		}
	}
	slices.Sort(texts)
	return &huma.Schema{Type: huma.TypeString, Enum: anys(texts),
		Description: "A language's full lowercase English name, or its ISO 639-1 code."}
}

func anys(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}
