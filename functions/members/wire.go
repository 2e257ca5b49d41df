package members

import (
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/member"
	"earshot/shared/web"
	"earshot/shared/web/memberwire"
)

// InvitationStatus says whether an invitation is open.
type InvitationStatus string

// The values.
const (
	pending InvitationStatus = "pending"
	expired InvitationStatus = "expired"
)

// Schema lists its values.
func (InvitationStatus) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{string(pending), string(expired)},
		Description: "pending: the person can sign up. expired: the invitation's time is over."}
}

// Member is a person of the workspace.
type Member struct {
	ID         string           `json:"id" doc:"Id of the member: mem_…" example:"mem_01K9Q4T1YV6M3R8Z5B7C2D4E6F"`
	Email      string           `json:"email" example:"newcomer@northwind.example"`
	Name       web.Null[string] `json:"name" doc:"The person's name. Null if unknown."`
	Role       memberwire.Role  `json:"role"`
	Superadmin bool             `json:"superadmin" doc:"Whether the person owns the workspace. The owner cannot be removed."`
	CreatedAt  string           `json:"createdAt" doc:"When the person became a member." example:"2026-11-20T10:15:00.000Z"`
}

// Invitation lets a person in who has not signed up yet.
type Invitation struct {
	ID        string           `json:"id" doc:"Id of the invitation: inv_…" example:"inv_01K9Q4T1YV6M3R8Z5B7C2D4E6F"`
	Email     string           `json:"email" example:"newcomer@northwind.example"`
	Role      memberwire.Role  `json:"role"`
	Status    InvitationStatus `json:"status"`
	CreatedAt string           `json:"createdAt" example:"2026-11-20T10:15:00.000Z"`
	ExpiresAt string           `json:"expiresAt" doc:"When the invitation expires." example:"2026-12-20T10:15:00.000Z"`
}

func fromMember(m member.Member) Member {
	return Member{
		ID:         m.ID,
		Email:      m.Email,
		Name:       web.NullIfEmpty(m.Name),
		Role:       memberwire.Role(m.Role),
		Superadmin: m.Superadmin,
		CreatedAt:  web.FormatTime(m.CreatedAt),
	}
}

func fromInvitation(i member.Invitation, now time.Time) Invitation {
	status := expired
	if i.Open(now) {
		status = pending
	}
	return Invitation{
		ID:        i.ID,
		Email:     i.Email,
		Role:      memberwire.Role(i.Role),
		Status:    status,
		CreatedAt: web.FormatTime(i.CreatedAt),
		ExpiresAt: web.FormatTime(i.ExpiresAt),
	}
}

// What the document shows.
var (
	exampleMember = Member{
		ID:        "mem_01K9Q4T1YV6M3R8Z5B7C2D4E6F",
		Email:     "newcomer@northwind.example",
		Name:      web.Some("A newcomer"),
		Role:      memberwire.Role(member.Admin),
		CreatedAt: "2026-11-20T10:15:00.000Z",
	}
	exampleInvitation = Invitation{
		ID:        "inv_01K9Q4T1YV6M3R8Z5B7C2D4E6F",
		Email:     "new@northwind.example",
		Role:      memberwire.Role(member.Ordinary),
		Status:    pending,
		CreatedAt: "2026-11-20T10:15:00.000Z",
		ExpiresAt: "2026-12-20T10:15:00.000Z",
	}
)
