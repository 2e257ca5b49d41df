// Package memberwire holds the wire types by which a person is let into a workspace: an address and a role. The
// functions agency and members put them into their wire types.
package memberwire

import (
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/member"
	"earshot/shared/web"
)

// Email is an address that can be invited.
type Email string

// Schema describes an address.
func (Email) Schema(huma.Registry) *huma.Schema {
	longest := member.MaxEmail
	return &huma.Schema{
		Type:               huma.TypeString,
		MaxLength:          &longest,
		Pattern:            member.EmailPattern,
		PatternDescription: "an e-mail address",
		Description: fmt.Sprintf(
			"An e-mail address with at most %d characters before the @. Case does not distinguish addresses.",
			member.MaxLocal,
		),
		Examples: []any{"newcomer@northwind.example"},
	}
}

// EmailFaults returns the faults of an address that its schema cannot express.
func EmailFaults(at *huma.PathBuffer, property string, email Email) []error {
	if strings.IndexByte(string(email), '@') > member.MaxLocal {
		return []error{
			web.Fault(
				at, property, "max_length", fmt.Sprintf("expected at most %d characters before the @", member.MaxLocal),
			),
		}
	}
	return nil
}

// Role is what a member may do.
type Role string

// Schema lists its values.
func (Role) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{string(member.Admin), string(member.Ordinary)},
		Description: "The person's role. Admins manage members, invitations and keys."}
}
