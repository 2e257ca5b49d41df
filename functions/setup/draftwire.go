package setup

import (
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/proposal"
	"earshot/shared/web"
)

// SetupDraftAccepted says that a draft's site is being read.
type SetupDraftAccepted struct {
	DraftID string        `json:"draftId"`
	Domain  string        `json:"domain"`
	Status  acceptedDraft `json:"status"`
}

// SetupProposalAccepted says that a proposal is being made, and by which run.
type SetupProposalAccepted struct {
	DraftID   string           `json:"draftId" doc:"Id of the draft. The proposal is polled by it too."`
	Status    acceptedProposal `json:"status"`
	Tier      ProposalTier     `json:"tier" doc:"Tier of the run. It differs from the requested tier if another run was in progress."`
	StartedAt string           `json:"startedAt" format:"date-time" doc:"When the run began, as the poll shows it."`
}

// SetupDraft is a company's domain on its way to a configuration.
type SetupDraft struct {
	DraftID   string                 `json:"draftId"`
	Domain    string                 `json:"domain"`
	Status    SetupDraftStatus       `json:"status"`
	Message   web.Null[string]       `json:"message" doc:"Why the scan or the run failed, for people to read. Null if neither failed."`
	Profile   web.Null[SetupProfile] `json:"profile" doc:"The profile. Null until the site has been read or somebody has given a profile."`
	CreatedAt string                 `json:"createdAt" format:"date-time"`
	UpdatedAt string                 `json:"updatedAt" format:"date-time"`
}

// SetupProfile is what is known of a company.
type SetupProfile struct {
	Company       string          `json:"company" doc:"Name of the company, as people write it."`
	Description   string          `json:"description" doc:"What the company does."`
	Products      []string        `json:"products" doc:"Names of the company's products."`
	Audience      string          `json:"audience" doc:"Whom the products are for."`
	Handles       []ProfileHandle `json:"handles" doc:"The company's accounts."`
	Language      string          `json:"language" doc:"Language of the site: an English name in lower case, or undetermined."`
	Competitors   []string        `json:"competitors" doc:"Names of competitors."`
	IndustryTerms []string        `json:"industryTerms" doc:"Names of the company's field."`
	OtherNames    []string        `json:"otherNames" doc:"Old names and other spellings of the company's name."`
}

// ProfileHandle is a company's account.
type ProfileHandle struct {
	Platform string `json:"platform" doc:"A platform of keywords, or the name of another network."`
	Handle   string `json:"handle" doc:"The handle, without the @."`
	Linked   bool   `json:"linked" doc:"Whether the site links the account or a person vouched for it."`
}

func fromDraft(d proposal.Draft) SetupDraft {
	wire := SetupDraft{
		DraftID:   d.ID,
		Domain:    d.Domain,
		Status:    SetupDraftStatus(d.Status),
		Message:   web.NullIfEmpty(d.Message),
		CreatedAt: web.FormatTime(d.CreatedAt),
		UpdatedAt: web.FormatTime(d.UpdatedAt),
	}
	if p := d.Profile; p != nil {
		wire.Profile = web.Some(
			SetupProfile{
				Company:       p.Company,
				Description:   p.Description,
				Products:      there(p.Products),
				Audience:      p.Audience,
				Handles:       each(p.Handles, func(h proposal.Handle) ProfileHandle { return ProfileHandle(h) }),
				Language:      p.Language,
				Competitors:   there(p.Competitors),
				IndustryTerms: there(p.IndustryTerms),
				OtherNames:    there(p.OtherNames),
			},
		)
	}
	return wire
}

func exampleSetupDraft() SetupDraft {
	made := time.Date(2026, 11, 2, 9, 30, 0, 0, time.UTC)
	return fromDraft(
		proposal.Draft{ID: exampleDraft, Domain: "northwind.example", Status: proposal.Scanned, CreatedAt: made,
			UpdatedAt: made.Add(4 * time.Second), Profile: &proposal.Profile{
				Company:       "Northwind",
				Description:   "Alerting and on-call schedules for engineering teams.",
				Products:      []string{"Northwind Pager"},
				Audience:      "site reliability engineers",
				Handles:       []proposal.Handle{{Platform: "github", Handle: "northwind", Linked: true}},
				Language:      "english",
				IndustryTerms: []string{"on-call schedule"},
			}},
	)
}

// there is an array on the wire, also when it is empty.
func there[T any](list []T) []T { return append([]T{}, list...) }

// each converts a list. Never nil.
func each[F, T any](from []F, to func(F) T) []T {
	list := make([]T, len(from))
	for i, element := range from {
		list[i] = to(element)
	}
	return list
}

// SetupDraftStatus is how a draft stands.
type SetupDraftStatus proposal.Status

// Schema lists its values.
func (SetupDraftStatus) Schema(huma.Registry) *huma.Schema {
	return web.OneOf("Status of the draft.", proposal.Statuses()...)
}

type acceptedDraft proposal.Status

// Schema lists its value.
func (acceptedDraft) Schema(huma.Registry) *huma.Schema { return web.OneOf("", proposal.Scanning) }

type acceptedProposal proposal.Status

// Schema lists its value.
func (acceptedProposal) Schema(huma.Registry) *huma.Schema {
	return web.OneOf("", proposal.Run{}.Status())
}

// ProposalTier is how thorough a run is.
type ProposalTier proposal.Tier

// Schema lists its values.
func (ProposalTier) Schema(huma.Registry) *huma.Schema {
	return web.OneOf("How thorough the run is. thorough reads more posts and thinks for longer.", proposal.Tiers()...)
}
