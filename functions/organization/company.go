package organization

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/web/workspacewire"
	"earshot/shared/workspace"
)

// Companies stores company profiles.
type Companies interface {
	// Company returns the zero Company if there is no profile.
	Company(ctx context.Context, orgID string) (workspace.Company, error)
	// ChangeCompany changes a profile, starting from the zero Company. The change may be called more than once.
	ChangeCompany(ctx context.Context, orgID string, change func(*workspace.Company) error) (workspace.Company, error)
}

type company struct{ companies Companies }

func registerCompany(api *web.API, c company) {
	example := CompanyProfile{
		Name:                "Northwind",
		Domain:              web.Some("northwind.example"),
		Description:         "Alerting and on-call schedules for engineering teams.",
		Products:            []string{"alerting", "on-call schedules"},
		Audience:            "site reliability engineers",
		RelevanceGuidelines: "Software that breaks, and how its teams notice.",
		ExcludeTerms:        []string{"power grid"},
		UpdatedAt:           "2026-11-20T09:30:00.000Z",
	}
	web.Register(api, web.Operation{
		ID: "getCompany", Method: http.MethodGet, Path: "/api/v2/org/company", Group: Group, ETag: true,
		Summary: "Read the company profile", Codes: []problem.Code{problem.CompanyNotFound}, Example: example,
	}, c.get)
	web.Register(api, web.Operation{
		ID:      "updateCompany",
		Method:  http.MethodPatch,
		Path:    "/api/v2/org/company",
		Group:   Group,
		Scope:   workspace.Write,
		ETag:    true,
		Summary: "Change the company profile",
		Description: "Replaces the properties that you give. The others stay. The first change creates the " +
			"profile, with empty values for what it does not give. Mentions that arrive from then on are judged " +
			"by the profile.\n\n`domain` is a name of at least two labels under a public suffix, or under a " +
			"reserved one such as `.example`. It has no scheme, path or other text around it. It is returned in " +
			"lower case and in ASCII. null removes it. A phrase that a list has twice is stored once.",
		Codes:   []problem.Code{problem.CompanyNotFound, problem.InvalidDomain},
		Example: example,
	}, c.update)
}

// CompanyProfile is a workspace's company profile.
type CompanyProfile struct {
	Name                string           `json:"name" doc:"Name of the company. Empty until given."`
	Domain              web.Null[string] `json:"domain"`
	Description         string           `json:"description" doc:"What the company does, in its own words."`
	Products            []string         `json:"products"`
	Audience            string           `json:"audience"`
	RelevanceGuidelines string           `json:"relevanceGuidelines" doc:"Which mentions the workspace's people want to see, in their own words."`
	ExcludeTerms        []string         `json:"excludeTerms" doc:"Words that show that a post means something else with the same name."`
	UpdatedAt           Moment           `json:"updatedAt"`
}

// UpdateCompany is the body of a change.
type UpdateCompany struct {
	Name                *string    `json:"name,omitempty" minLength:"1" maxLength:"100"`
	Domain              NullDomain `json:"domain,omitzero" doc:"null removes the domain."`
	Description         *string    `json:"description,omitempty" maxLength:"2000"`
	Products            []Phrase   `json:"products,omitempty" maxItems:"50"`
	Audience            *string    `json:"audience,omitempty" maxLength:"500"`
	RelevanceGuidelines *string    `json:"relevanceGuidelines,omitempty" maxLength:"2000"`
	ExcludeTerms        []Phrase   `json:"excludeTerms,omitempty" maxItems:"100"`
}

// A NullDomain is a domain, or null, or not given.
type NullDomain struct {
	web.Null[string]
	Given bool // also by null
}

// IsZero reports whether neither a domain nor null is given.
func (n NullDomain) IsZero() bool { return !n.Given }

// UnmarshalJSON reads a text or null.
func (n *NullDomain) UnmarshalJSON(data []byte) error {
	n.Given = true
	return n.Null.UnmarshalJSON(data)
}

// Resolve reports faults that the schema cannot express.
func (u *UpdateCompany) Resolve(_ huma.Context, at *huma.PathBuffer) (faults []error) {
	if u.Name != nil {
		faults = append(faults, workspacewire.NameFaults(at, "name", *u.Name)...)
	}
	faults = append(faults, textFaults(at, "description", u.Description)...)
	faults = append(faults, listFaults(at, "products", u.Products)...)
	faults = append(faults, textFaults(at, "audience", u.Audience)...)
	faults = append(faults, textFaults(at, "relevanceGuidelines", u.RelevanceGuidelines)...)
	return append(faults, listFaults(at, "excludeTerms", u.ExcludeTerms)...)
}

// says reports whether the change gives any property.
func (u *UpdateCompany) says() bool {
	return u.Name != nil || u.Domain.Given || u.Description != nil || u.Products != nil || u.Audience != nil ||
		u.RelevanceGuidelines != nil || u.ExcludeTerms != nil
}

// UpdateCompanyInput holds a change.
type UpdateCompanyInput struct{ Body UpdateCompany }

func (c company) get(ctx context.Context, _ *struct{}) (*CompanyProfile, error) {
	found, err := c.companies.Company(ctx, web.CallerOf(ctx).Workspace.ID)
	if err != nil {
		return nil, err
	}
	return shown(ctx, found)
}

func (c company) update(ctx context.Context, in *UpdateCompanyInput) (*CompanyProfile, error) {
	if !in.Body.says() {
		return c.get(ctx, nil)
	}
	domain := ""
	if given := in.Body.Domain.Value; given != nil {
		parsed, err := workspace.ParseDomain(*given)
		if err != nil {
			return nil, problem.New(problem.InvalidDomain, "%s", err)
		}
		domain = parsed
	}
	changed, err := c.companies.ChangeCompany(
		ctx,
		web.CallerOf(ctx).Workspace.ID,
		func(stored *workspace.Company) error {
			setText(&stored.Name, in.Body.Name)
			if in.Body.Domain.Given {
				stored.Domain = domain
			}
			setText(&stored.Description, in.Body.Description)
			setList(&stored.Products, in.Body.Products)
			setText(&stored.Audience, in.Body.Audience)
			setText(&stored.RelevanceGuidelines, in.Body.RelevanceGuidelines)
			setList(&stored.ExcludeTerms, in.Body.ExcludeTerms)
			return nil
		},
	)
	if err != nil {
		return nil, err
	}
	return shown(ctx, changed)
}

// shown returns the response for a company. A workspace without a profile gets COMPANY_NOT_FOUND.
func shown(ctx context.Context, c workspace.Company) (*CompanyProfile, error) {
	if c.UpdatedAt.IsZero() {
		return nil, problem.New(
			problem.CompanyNotFound, "The workspace has no company profile. PATCH /api/v2/org/company creates it.",
		)
	}
	web.Revision(ctx, c.Revision)
	return &CompanyProfile{
		Name:                c.Name,
		Domain:              web.NullIfEmpty(c.Domain),
		Description:         c.Description,
		Products:            append([]string{}, c.Products...),
		Audience:            c.Audience,
		RelevanceGuidelines: c.RelevanceGuidelines,
		ExcludeTerms:        append([]string{}, c.ExcludeTerms...),
		UpdatedAt:           fromTime(c.UpdatedAt),
	}, nil
}
