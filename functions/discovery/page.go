package discovery

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"

	"earshot/shared/static"
	"earshot/shared/web"
	"earshot/shared/web/problem"
)

// docs holds the page. The renderer, swagger-ui-dist, is copied beside it by make and not committed.
//
//go:embed docs
var docs embed.FS

// pageFiles are the files that the page names.
var pageFiles = []string{"icon.svg", "page.css", "page.js", "swagger-ui.css", "swagger-ui-bundle.js"}

// StaticFolder is where the page's files are below the origin of static files.
const StaticFolder = "docs"

// Files returns the files of the page. A deployment serves them from S3, and the workbench serves them itself. Returns
// an error if the renderer is not built in.
var Files = sync.OnceValues(func() (static.Files, error) {
	folder, err := fs.Sub(docs, "docs")
	if err != nil {
		return nil, err
	}
	return static.Read(folder, pageFiles...)
})

// page is the documentation page of one deployment.
type page struct {
	origin string // of its files; empty for the API itself
	// html is made at the first request, because only that needs the files' digests.
	html func() ([]byte, error)
}

// registerPage adds the operations of the page.
func registerPage(
	api *web.API,
	options Options,
	public func(id, path, summary string, codes ...problem.Code) web.Operation,
) {
	p := page{origin: options.StaticURL}
	p.html = sync.OnceValues(p.render)

	shown := public("getDocs", "/api/v2/docs", "Show this document on a page that can try its operations")
	shown.ContentType = "text/html"
	web.RegisterBytes(api, shown, func(ctx context.Context, _ *handedOn) (*web.Bytes, error) { return p.show(ctx) })

	part := public("getDocsFile", "/api/v2/docs/{file}", "Read a file of the page", problem.NotFound)
	part.Answers = []web.Answer{
		{Status: http.StatusOK, ContentType: "*/*", Meaning: "The file.", Body: "body { margin: 0 }"},
		{
			Status:  http.StatusTemporaryRedirect,
			Meaning: "The deployment serves the file at another URL.",
			Headers: []string{"Location"},
		},
	}
	web.RegisterBytes(
		api,
		part,
		func(ctx context.Context, in *fileInput) (*web.Bytes, error) { return p.file(ctx, in.File) },
	)
}

// handedOn is what the hosted sign-in adds to the page's address, where it sends people back to unless the deployment
// names another place (RFC 6749, sections 4.1.2 and 4.1.2.1). The page does not read the parameters.
type handedOn struct {
	Code        string `query:"code" minLength:"1" maxLength:"4096" doc:"Sent by the hosted sign-in. Not read here."`
	State       string `query:"state" minLength:"1" maxLength:"4096" doc:"Sent by the hosted sign-in. Not read here."`
	Error       string `query:"error" minLength:"1" maxLength:"4096" doc:"Sent by the hosted sign-in. Not read here."`
	Description string `query:"error_description" minLength:"1" maxLength:"4096" doc:"Sent by the hosted sign-in. Not read here."`
}

type fileInput struct {
	File string `path:"file" doc:"Name of a file of the page."`
}

// show returns the page itself.
func (p page) show(ctx context.Context) (*web.Bytes, error) {
	html, err := p.html()
	if err != nil {
		return nil, err
	}
	protect(ctx, p.policy())
	return &web.Bytes{ContentType: "text/html; charset=utf-8", Body: html}, nil
}

// file returns a file of the page, or where the deployment has it.
func (p page) file(ctx context.Context, name string) (*web.Bytes, error) {
	files, err := Files()
	if err != nil {
		return nil, err
	}
	if name == "index.html" {
		return p.show(ctx)
	}
	found, ok := files.Named(name)
	switch {
	case !ok:
		return nil, problem.New(
			problem.NotFound,
			"The page has no such file. GET /api/v2/docs names its files.",
		)
	case p.origin != "":
		web.SetStatus(ctx, http.StatusTemporaryRedirect)
		web.SetHeader(ctx, "Location", p.address(found))
		web.SetHeader(ctx, "Cache-Control", cacheControl)
		return &web.Bytes{ContentType: found.ContentType}, nil
	}
	if name == found.Address {
		web.SetHeader(ctx, "Cache-Control", static.CacheControl)
	}
	protect(ctx, p.policy())
	return &web.Bytes{ContentType: found.ContentType, Body: found.Content}, nil
}

// protect sets the headers that limit the page, and a file opened alone, to what it needs.
func protect(ctx context.Context, policy string) {
	web.SetHeader(ctx, "Content-Security-Policy", policy)
	web.SetHeader(ctx, "Referrer-Policy", "no-referrer")
}

// policy is the page's Content-Security-Policy: its files from their origin, the API, and nothing else. The renderer
// sets styles on elements and draws with data:.
func (p page) policy() string {
	from := "'self'"
	if p.origin != "" {
		from = p.origin
	}
	return fmt.Sprintf(
		"default-src 'none'; script-src %[1]s; style-src %[1]s 'unsafe-inline'; img-src %[1]s data:; font-src %[1]s; "+
			"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		from,
	)
}

// address returns where the page finds a file. A relative address is relative to /api/v2/docs, whatever precedes that.
func (p page) address(file static.File) string {
	if p.origin == "" {
		return "docs/" + file.Address
	}
	return p.origin + "/" + StaticFolder + "/" + file.Address
}

// render writes the page with the addresses of its files, and with the digests of those that a browser checks.
func (p page) render() ([]byte, error) {
	files, err := Files()
	if err != nil {
		return nil, err
	}
	html, err := docs.ReadFile("docs/index.html")
	if err != nil {
		return nil, err
	}
	var pairs []string
	for _, file := range files {
		named, found := fmt.Sprintf("%q", "docs/"+file.Name), fmt.Sprintf("%q", p.address(file))
		if kind := path.Ext(file.Name); kind == ".js" || kind == ".css" {
			found += fmt.Sprintf(" integrity=%q crossorigin=\"anonymous\"", file.Integrity)
		}
		pairs = append(pairs, named, found)
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(html))), nil
}
