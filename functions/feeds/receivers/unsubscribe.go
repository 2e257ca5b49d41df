package receivers

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"sync"

	"earshot/shared/delivery"
	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/workspace"
)

// unsubscribePath is where the links in mails lead.
const unsubscribePath = "/api/v2/unsubscribe"

func registerUnsubscribe(api *web.API, o Options) {
	page := func(id, method, summary, description, meaning string, form bool) web.Operation {
		html := func(status int, meaning string) web.Answer {
			return web.Answer{Status: status, ContentType: "text/html", Meaning: meaning, Body: "<!doctype html>"}
		}
		return web.Operation{
			ID:          id,
			Method:      method,
			Path:        unsubscribePath,
			Group:       tag,
			Public:      true,
			Form:        form,
			Summary:     summary,
			Description: description,
			Answers: []web.Answer{
				html(http.StatusOK, meaning),
				html(http.StatusNotFound, "The page says that the link does not work, and not why."),
			},
		}
	}
	web.RegisterBytes(api, page("getUnsubscribePage", http.MethodGet, "Show the page that unsubscribes an address",
		"The page has one button, which sends the POST. Opening it changes nothing, because mail scanners follow links. "+
			"The token is of a mail's link: it names one address, and the feed or the notification whose mails it gets. "+
			"It does not expire.", "The page asks whether to unsubscribe.", false), o.askUnsubscribe)
	web.RegisterBytes(api, page("unsubscribe", http.MethodPost, "Unsubscribe an address",
		"Takes the address from the mails of the feed or the notification at once, however often it is sent. Mail programs "+
			"send it without a question (RFC 8058), with the form field `List-Unsubscribe=One-Click`. The body is ignored. "+
			"Only `POST /api/v2/feeds/{id}/enable` or `POST /api/v2/notifications/{id}/enable` brings the address back.",
		"The address gets no more of these mails.", true), o.unsubscribe)
}

// UnsubscribeInput names a subscription.
type UnsubscribeInput struct {
	Token string `query:"token" doc:"The token of the link in a mail."`
}

// unsubscribeContent is what the page shows. Without an Address it says that the link does not work.
type unsubscribeContent struct {
	Address, Workspace, Token string
	Owner                     string // what it is: "feed"
	Done                      bool
}

func (o Options) askUnsubscribe(ctx context.Context, in *UnsubscribeInput) (*web.Bytes, error) {
	_, content, err := o.subscription(ctx, in.Token)
	if err != nil {
		return nil, err
	}
	return unsubscribePage(ctx, content)
}

func (o Options) unsubscribe(ctx context.Context, in *UnsubscribeInput) (*web.Bytes, error) {
	s, content, err := o.subscription(ctx, in.Token)
	if err == nil && content.Address != "" {
		content.Done = true
		err = o.Store.Unsubscribe(ctx, s.WorkspaceID, s.Owner, s.Address)
	}
	if err != nil {
		return nil, err
	}
	return unsubscribePage(ctx, content)
}

// subscription returns what a token names, and what the page shows of it: nothing, unless the workspace signed it.
func (o Options) subscription(
	ctx context.Context, token string,
) (s delivery.Subscription, content unsubscribeContent, err error) {
	s, ok := delivery.ParseToken(token)
	if !ok || !workspace.ValidID(workspace.PrefixWorkspace, s.WorkspaceID) {
		return s, content, nil
	}
	w, err := o.Store.Workspace(ctx, s.WorkspaceID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return s, content, nil
	case err != nil || !s.Signed(token, w.Secret):
		return s, content, err
	}
	return s, unsubscribeContent{
		Address: s.Address, Workspace: w.Name, Token: token, Owner: string(s.Owner.Kind),
	}, nil
}

//go:embed unsubscribe.html
var unsubscribeHTML string

//go:embed unsubscribe.css
var unsubscribeCSS string

var unsubscribeTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("unsubscribe").Funcs(template.FuncMap{
		"style": func() template.CSS { return template.CSS(unsubscribeCSS) },
	}).Parse(unsubscribeHTML))
})

// unsubscribePage writes the page. It has no script and no foreign content, and tells no other site its address.
func unsubscribePage(ctx context.Context, content unsubscribeContent) (*web.Bytes, error) {
	var out bytes.Buffer
	if err := unsubscribeTemplate().Execute(&out, content); err != nil {
		return nil, fmt.Errorf("write the page to unsubscribe: %w", err)
	}
	if content.Address == "" {
		web.SetStatus(ctx, http.StatusNotFound)
	}
	digest := sha256.Sum256([]byte(unsubscribeCSS))
	web.SetHeader(ctx, "Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+
		base64.StdEncoding.EncodeToString(digest[:])+"'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	web.SetHeader(ctx, "Referrer-Policy", "no-referrer")
	return &web.Bytes{ContentType: "text/html; charset=utf-8", Body: out.Bytes()}, nil
}
