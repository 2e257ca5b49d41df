// Package workspacewire holds the wire types that describe a workspace: its plan and its name. The functions agency,
// feeds and organization put them into their wire types.
package workspacewire

import (
	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/name"
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

// NameFaults are those of a name, or another line of text that must say something: see shared/name. Its length is the schema's to judge.
func NameFaults(at *huma.PathBuffer, property, text string) []error {
	return faultsOf(at, property, name.FaultOf(text))
}

// QuotedNameFaults are NameFaults of a name that mails to strangers quote.
func QuotedNameFaults(at *huma.PathBuffer, property, text string) []error {
	return faultsOf(at, property, name.FaultOfQuoted(text))
}

func faultsOf(at *huma.PathBuffer, property string, fault name.Fault) []error {
	code := "pattern"
	switch fault {
	case "":
		return nil
	case name.Blank:
		code = "min_length"
	}
	return []error{web.Fault(at, property, code, string(fault))}
}
