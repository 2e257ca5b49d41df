package organization

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"sync"

	"earshot/shared/web"
	"earshot/shared/workspace"
)

//go:embed upgrade.html
var pageHTML string

//go:embed upgrade.css
var pageCSS string

// A page is the upgrade page. It has no script and no foreign content, and every value on it is escaped for its place.
type page struct {
	template func() *template.Template // parsed once, when it is first shown
	policy   string
}

// pageContent is what the page shows: how to get a link if it is empty, also below a refusal; the requested plan if
// there is one, and otherwise the offers.
type pageContent struct {
	Workspace string
	Plan      workspace.Plan
	Usage     *OrganizationUsage
	Offers    []workspace.Plan
	Token     string
	Wished    workspace.Plan
	Refusal   string // why the link, or the wish, was refused
}

func newPage() page {
	digest := sha256.Sum256([]byte(pageCSS))
	functions := template.FuncMap{
		"style":  func() template.CSS { return template.CSS(pageCSS) },
		"called": called,
		"plans":  workspace.Plans,
		"count":  count,
	}
	return page{
		template: sync.OnceValue(func() *template.Template {
			return template.Must(template.New("upgrade").Funcs(functions).Parse(pageHTML))
		}),
		policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) +
			"'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
	}
}

// html writes the page.
func (p page) html(ctx context.Context, content pageContent) (*web.Bytes, error) {
	var out bytes.Buffer
	if err := p.template().Execute(&out, content); err != nil {
		return nil, fmt.Errorf("write the upgrade page: %w", err)
	}
	web.SetHeader(ctx, "Content-Security-Policy", p.policy)
	web.SetHeader(ctx, "Referrer-Policy", "no-referrer")
	return &web.Bytes{ContentType: "text/html; charset=utf-8", Body: out.Bytes()}, nil
}

// called returns a plan's name for people: "Free trial".
func called(plan workspace.Plan) string {
	name := strings.ReplaceAll(string(plan), "_", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}

// count writes a number with its thousands apart: "25,000".
func count(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
