package authorize

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"

	"earshot/shared/member"
	"earshot/shared/store/peoplestore"
	"earshot/shared/web"
	"earshot/shared/workspace"
)

//go:embed consent.html
var consentHTML string

//go:embed page.css
var pageCSS string

// pages writes the pages. They have no script and no foreign content, and every value on them is escaped for its place.
type pages struct {
	template *template.Template
	style    string // its source in the policy
}

// consent is what the consent page shows, or why there is none.
type consent struct {
	Refused string       // why this cannot go on; then only Back and the next two may be set
	BackURL template.URL // where a link leads back to the client; empty: nowhere
	Decided bool         // the person may have granted something

	Name    string // the client's, which anybody can choose
	Host    string // of the client's id; empty if the client registered itself
	Back    string // where the browser goes afterwards
	Program bool   // Back is on the person's own machine
	Email   string
	Target  string
	Seats   []peoplestore.Seat
	Own     []ownGrant // what the person already lets programs do
	More    int        // how many grants are not in Own
	Scopes  []scopeChoice
	Request string
	CSRF    string
}

// A scopeChoice is a scope that the person can choose.
type scopeChoice struct {
	Name, Words string
	Widest      bool
}

var scopeWords = map[workspace.Scope]string{
	workspace.Read:  "Read mentions, keywords, feeds, analytics and the workspace's settings.",
	workspace.Write: "Read, and create, change and delete keywords, feeds, tags, filters and notifications.",
	workspace.Admin: "Read and write, and manage members, invitations and API keys.",
}

func scopeChoices(widest workspace.Scope) (choices []scopeChoice) {
	for _, scope := range widest.Implied() {
		choices = append(choices, scopeChoice{scope.String(), scopeWords[scope], scope == widest})
	}
	return choices
}

func newPages() pages {
	digest := sha256.Sum256([]byte(pageCSS))
	functions := template.FuncMap{
		"style": func() template.CSS { return template.CSS(pageCSS) },
		"admin": func(m member.Member) bool { return m.Role == member.Admin },
	}
	return pages{
		template: template.Must(template.New("consent").Funcs(functions).Parse(consentHTML)),
		style:    "'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) + "'",
	}
}

// consent writes the page. formAction is where its form's response may lead, besides here.
func (p pages) consent(ctx context.Context, content consent, formAction string) (*web.Bytes, error) {
	var out bytes.Buffer
	if err := p.template.Execute(&out, content); err != nil {
		return nil, fmt.Errorf("write the consent page: %w", err)
	}
	web.SetHeader(ctx, "Content-Security-Policy", "default-src 'none'; style-src "+p.style+
		"; base-uri 'none'; form-action 'self' "+formAction+"; frame-ancestors 'none'")
	web.SetHeader(ctx, "X-Frame-Options", "DENY")
	web.SetHeader(ctx, "Referrer-Policy", "no-referrer")
	return &web.Bytes{ContentType: "text/html; charset=utf-8", Body: out.Bytes()}, nil
}

// failed writes the page that says why this cannot go on.
func (p pages) failed(ctx context.Context, content consent) (*web.Bytes, error) {
	web.SetStatus(ctx, http.StatusBadRequest)
	return p.consent(ctx, content, "")
}

// refuse is failed where no link leads back to the client.
func (p pages) refuse(ctx context.Context, why string) (*web.Bytes, error) {
	return p.failed(ctx, consent{Refused: why})
}

// gone is refuse for a request that is unknown, decided, too old or another browser's, without the reason.
func (p pages) gone(ctx context.Context) (*web.Bytes, error) {
	web.SetCode(ctx, invalidRequest)
	return p.failed(ctx, consent{Decided: true,
		Refused: "This request was decided, is more than 10 minutes old, or was begun in another browser."})
}
