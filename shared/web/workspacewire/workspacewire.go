// Package workspacewire is how what describes a workspace looks on the wire, wherever it stands: its plan and its name. Function
// packages put it into their wire types.
package workspacewire

import (
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/web"
	"earshot/shared/workspace"
)

// A PlanName is a plan on the wire.
type PlanName string

// Schema describes it.
func (PlanName) Schema(huma.Registry) *huma.Schema {
	names := []any{}
	for _, plan := range workspace.Plans() {
		names = append(names, string(plan))
	}
	return &huma.Schema{Type: huma.TypeString, Enum: names}
}

// NameFaults are those of a name, or another line of text that must say something. Its length is the schema's to judge.
func NameFaults(at *huma.PathBuffer, property, text string) []error {
	switch {
	case !strings.ContainsFunc(text, visible):
		return []error{web.Fault(at, property, "min_length", "expected more than space")}
	case strings.ContainsFunc(text, unicode.IsControl):
		return []error{web.Fault(at, property, "pattern", "expected no control characters")}
	}
	return nil
}

// visible says whether a character can be seen: formatting characters, such as a space without width, cannot.
func visible(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }
