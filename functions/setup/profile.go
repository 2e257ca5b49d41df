package setup

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/language"
	"earshot/shared/match"
	"earshot/shared/name"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/setupstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

func registerProfile(api *web.API, d drafts) {
	web.Register(api, web.Operation{
		ID:      "updateSetupDraft",
		Method:  http.MethodPatch,
		Path:    draftsPath + "/{id}",
		Group:   Group,
		Scope:   workspace.Write,
		ETag:    true,
		Flag:    workspace.FlagSetupOnboarding,
		Summary: "Correct a draft's profile",
		Description: "Properties that you leave out stay. A list that you give replaces the whole list. A " +
			"change that alters nothing has no effect. A proposal of the old profile, finished or in progress, " +
			"becomes `stale`: propose again. While the site is being read, the response is INVALID_INPUT. A " +
			"draft whose site could not be read begins with an empty profile. It is `scanned` once it has a " +
			"profile.\n\nTexts are trimmed. Of names that differ only in case, the first is kept.",
		Codes:   []problem.Code{problem.NotFound, problem.InvalidInput},
		Example: exampleSetupDraft(),
	}, d.edit)
}

// UpdateSetupDraft is the body of a change.
type UpdateSetupDraft struct {
	Profile UpdateSetupProfile `json:"profile"`
}

// UpdateSetupProfile is what a profile is to be.
type UpdateSetupProfile struct {
	Company       *string               `json:"company,omitempty" minLength:"1" doc:"The company's name, as people write it: 1 to 100 characters."`
	Description   *string               `json:"description,omitempty" doc:"What the company does, in at most 2,000 characters."`
	Products      []string              `json:"products,omitempty" maxItems:"30" doc:"Names of the company's products, each of 1 to 100 characters."`
	Audience      *string               `json:"audience,omitempty" doc:"Whom the products are for, in at most 2,000 characters."`
	Handles       []UpdateProfileHandle `json:"handles,omitempty" maxItems:"30"`
	Language      *string               `json:"language,omitempty" doc:"Language of the site: an English name, an ISO 639-1 code, or undetermined."`
	Competitors   []string              `json:"competitors,omitempty" maxItems:"30" doc:"Names of competitors, each of 1 to 100 characters."`
	IndustryTerms []string              `json:"industryTerms,omitempty" maxItems:"30" doc:"Names of the company's field, each of 1 to 100 characters."`
	OtherNames    []string              `json:"otherNames,omitempty" maxItems:"30" doc:"Old names and other spellings of the company's name, each of 1 to 100 characters."`
}

// UpdateProfileHandle is an account.
type UpdateProfileHandle struct {
	Platform string `json:"platform" minLength:"1" doc:"A platform of keywords, or the name of another network, of 1 to 100 characters."`
	Handle   string `json:"handle" minLength:"1" doc:"The handle, with or without the @, of 1 to 100 characters."`
	Linked   *bool  `json:"linked,omitempty" doc:"Whether the account is certainly the company's. Default: true, because you vouch for an account that you name."`
}

// UpdateSetupDraftInput asks for a change.
type UpdateSetupDraftInput struct {
	SetupDraftPath
	Body UpdateSetupDraft
}

// Resolve reports to huma what only code can see.
func (u *UpdateSetupDraft) Resolve(_ huma.Context, at *huma.PathBuffer) (faults []error) {
	p := u.Profile
	line := func(property, text string) {
		if text == "" {
			return // the schema has said so, or an empty one is fine
		}
		if code, message := nameFault(text); code != "" {
			faults = append(faults, faultAt(at, "profile."+property, code, message))
		}
	}
	if p.Company != nil {
		line("company", *p.Company)
	}
	for property, text := range map[string]*string{"description": p.Description, "audience": p.Audience} {
		if text == nil {
			continue
		}
		if code, message := textFault(*text); code != "" {
			faults = append(faults, faultAt(at, "profile."+property, code, message))
		}
	}
	if p.Language != nil {
		if _, known := language.Parse(*p.Language); !known {
			faults = append(
				faults,
				faultAt(
					at, "profile.language", "enum",
					"expected a language's English name, its ISO 639-1 code, or undetermined",
				),
			)
		}
	}
	for property, list := range map[string][]string{"products": p.Products, "competitors": p.Competitors,
		"industryTerms": p.IndustryTerms,
		"otherNames":    p.OtherNames} {
		for i, text := range list {
			if code, message := nameFault(text); code != "" {
				faults = append(faults, faultAt(at, fmt.Sprintf("profile.%s[%d]", property, i), code, message))
			}
		}
	}
	for i, h := range p.Handles {
		line(fmt.Sprintf("handles[%d].platform", i), h.Platform)
		line(fmt.Sprintf("handles[%d].handle", i), h.Handle)
		if h.Handle != "" && strings.ContainsFunc(bareHandle(h.Handle), unicode.IsSpace) {
			faults = append(
				faults,
				faultAt(at, fmt.Sprintf("profile.handles[%d].handle", i), "format", "a handle has no space in it"),
			)
		} else if name := strings.TrimSpace(h.Handle); name != "" && bareHandle(name) == "" {
			faults = append(
				faults, faultAt(at, fmt.Sprintf("profile.handles[%d].handle", i), "format", "expected more than @"),
			)
		}
	}
	return faults
}

// nameFault is what is wrong with a name or a term; empty when nothing is.
func nameFault(text string) (code, message string) {
	switch text = strings.TrimSpace(text); {
	case text == "":
		return "min_length", "expected 1 to 100 characters that are not blank"
	case utf8.RuneCountInString(text) > proposal.MaxProfileName:
		return "max_length", "expected at most 100 characters"
	case strings.ContainsFunc(text, unicode.IsControl):
		return "control_characters", "control characters are not allowed"
	case name.FaultOf(text) != "":
		return "format", string(name.FaultOf(text))
	case match.Form(text) == "":
		return "format", "expected text that shows something"
	}
	return "", ""
}

// textFault is what is wrong with a text that may be empty and may have lines.
func textFault(text string) (code, message string) {
	isControl := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }
	switch text = strings.TrimSpace(text); {
	case utf8.RuneCountInString(text) > proposal.MaxProfileText:
		return "max_length", "expected at most 2000 characters"
	case strings.ContainsFunc(text, isControl):
		return "control_characters", "no control characters are allowed but tabs and the ends of lines"
	}
	return "", ""
}

// faultAt is web.Fault for a path of several steps, of which a PathBuffer takes back the last alone.
func faultAt(at *huma.PathBuffer, path, code, message string) error {
	return web.Fault(huma.NewPathBuffer([]byte(at.String()), at.Len()), path, code, message)
}

func (d drafts) edit(ctx context.Context, in *UpdateSetupDraftInput) (*SetupDraft, error) {
	changed, err := d.store.EditProfile(ctx, web.CallerOf(ctx).Workspace.ID, in.ID, func(p *proposal.Profile) error {
		in.Body.Profile.apply(p)
		return nil
	})
	switch {
	case errors.Is(err, setupstore.ErrScanning):
		return nil, problem.New(
			problem.InvalidInput,
			"The draft's site is still being read, and its profile would be overwritten. Poll GET %s/%s until "+
				"status is scanned or failed, and repeat the change.",
			draftsPath,
			in.ID,
		)
	case errors.Is(err, store.ErrConflict):
		return nil, problem.New(problem.InvalidInput, "Other requests keep changing the draft. Repeat the change.")
	case err != nil:
		return nil, noDraft(err)
	}
	return shownDraft(ctx, changed), nil
}

// apply sets what is given.
func (u *UpdateSetupProfile) apply(p *proposal.Profile) {
	p.Notice = "" // a person has looked at the profile
	for from, to := range map[*string]*string{u.Company: &p.Company, u.Description: &p.Description, u.Audience: &p.Audience} {
		if from != nil {
			*to = strings.TrimSpace(strings.ReplaceAll(*from, "\r\n", "\n"))
		}
	}
	if u.Language != nil {
		p.Language, _ = language.Parse(*u.Language)
	}
	for to, given := range map[*[]string][]string{&p.Products: u.Products, &p.Competitors: u.Competitors,
		&p.IndustryTerms: u.IndustryTerms,
		&p.OtherNames:    u.OtherNames} {
		if given != nil {
			*to = distinct(given)
		}
	}
	if u.Handles == nil {
		return
	}
	p.Handles = []proposal.Handle{}
	for _, given := range u.Handles {
		h := proposal.Handle{
			Platform: strings.ToLower(strings.TrimSpace(given.Platform)),
			Handle:   bareHandle(given.Handle),
			Linked:   given.Linked == nil || *given.Linked,
		}
		if !slices.ContainsFunc(p.Handles, func(o proposal.Handle) bool {
			return o.Platform == h.Platform && strings.EqualFold(o.Handle, h.Handle)
		}) {
			p.Handles = append(p.Handles, h)
		}
	}
}

func bareHandle(text string) string { return strings.TrimLeft(strings.TrimSpace(text), "@") }

// distinct leaves of names that compare as one the first.
func distinct(names []string) []string {
	kept, seen := []string{}, map[string]bool{}
	for _, name := range names {
		name = strings.TrimSpace(name)
		if form := match.Form(name); !seen[form] {
			seen[form] = true
			kept = append(kept, name)
		}
	}
	return kept
}
