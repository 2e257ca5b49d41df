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

// Schema lists the plans.
func (PlanName) Schema(huma.Registry) *huma.Schema {
	names := []any{}
	for _, plan := range workspace.Plans() {
		names = append(names, string(plan))
	}
	return &huma.Schema{Type: huma.TypeString, Enum: names}
}

// NameFaults returns the faults of a name or another line of text that must not be blank (see shared/name). The schema
// bounds its length, so an empty text has no fault here.
func NameFaults(at *huma.PathBuffer, property, text string) []error {
	return faultsOf(at, property, text, name.FaultOf)
}

// QuotedNameFaults returns the faults of a name that mails to strangers quote.
func QuotedNameFaults(at *huma.PathBuffer, property, text string) []error {
	return faultsOf(at, property, text, name.FaultOfQuoted)
}

func faultsOf(at *huma.PathBuffer, property, text string, of func(string) name.Fault) []error {
	if text == "" {
		return nil
	}
	fault, code := of(text), "pattern"
	switch fault {
	case "":
		return nil
	case name.Blank:
		code = "min_length"
	}
	return []error{web.Fault(at, property, code, string(fault))}
}
