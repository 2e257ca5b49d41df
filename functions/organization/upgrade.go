package organization

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"slices"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/store"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Upgrades stores links to the upgrade page, and the plans that are requested there.
type Upgrades interface {
	Usages
	// Credentials reads a key and a workspace. Either is nil if it does not exist.
	Credentials(ctx context.Context, keyID, orgID string) (*workspace.Key, *workspace.Workspace, error)
	CreateUpgradeLink(ctx context.Context, digest [sha256.Size]byte, link workspacestore.UpgradeLink) error
	// UpgradeLink returns store.ErrNotFound for a link that is unknown or expired.
	UpgradeLink(ctx context.Context, digest [sha256.Size]byte) (workspacestore.UpgradeLink, error)
	// SpendUpgradeLink spends a link once and stores the requested plan. Returns store.ErrNotFound if the link is spent
	// or expired by now.
	SpendUpgradeLink(
		ctx context.Context, digest [sha256.Size]byte, link workspacestore.UpgradeLink, plan workspace.Plan,
	) error
}

type upgrade struct {
	upgrades Upgrades
	clock    clock.Clock
	page     page
}

func newUpgrade(upgrades Upgrades, now clock.Clock) upgrade { return upgrade{upgrades, now, newPage()} }

// linkGood is how long a link is good.
const linkGood = 15 * time.Minute

func registerUpgrade(api *web.API, u upgrade) {
	web.Register(api, web.Operation{
		ID:      "createUpgradeLink",
		Method:  http.MethodPost,
		Path:    "/api/v2/org/upgrade-link",
		Group:   Group,
		Scope:   workspace.Write,
		Agents:  true,
		Secret:  true,
		Summary: "Mint a single-use link to the upgrade page",
		Description: "The link is valid for 15 minutes, as long as its key is valid, and for one request. Its " +
			"page shows the workspace's plan and usage and can ask for another plan. The deployment's operator " +
			"grants the plan. Opening the link does not use it up.",
		Example: UpgradeLink{
			URL:       web.ServerPlaceholder + "/upgrade?token=" + "jq4x2m7c5n3wz6yb4t2k7d5f3h6r4v2p7s5a3g6e4c2n7m5b3x6q",
			ExpiresAt: "2026-11-20T09:45:00.000Z",
		},
	}, u.link)
	html := func(id, method, summary, description string, codes ...problem.Code) web.Operation {
		page := func(status int, meaning string) web.Answer {
			return web.Answer{Status: status, ContentType: "text/html", Meaning: meaning, Body: "<!doctype html>"}
		}
		answers := []web.Answer{page(http.StatusOK, "The page.")}
		for _, code := range codes {
			meaning := "A page with the message of `" + string(code) + "`, if Accept prefers text/html."
			answers = append(answers, page(code.Status(), meaning))
		}
		return web.Operation{
			ID:          id,
			Method:      method,
			Path:        "/upgrade",
			Group:       Group,
			Public:      true,
			Summary:     summary,
			Description: description,
			Codes:       codes,
			Answers:     answers,
		}
	}
	web.RegisterBytes(api, html("getUpgradePage", http.MethodGet, "Show the upgrade page",
		"With the token of a link, the page shows the workspace's plan and usage, and the plans that it can ask "+
			"for. Without a token, it tells how to get a link. NOT_FOUND means that the link is unknown, used "+
			"up or expired.", problem.NotFound), u.show)
	web.RegisterBytes(api, html("requestUpgrade", http.MethodPost, "Ask for another plan",
		"The page's buttons send this request, without a body. It uses the link up and stores the request for a "+
			"plan in place of an earlier one. A plan costs money, so it changes only when the deployment's "+
			"operator grants it. A request that is sent again, as by a double click, changes nothing and gets the "+
			"same page. NOT_FOUND means that the link is unknown, used up or expired. INVALID_INPUT means that the "+
			"plan is not larger than the workspace's. It does not use the link up.",
		problem.NotFound, problem.InvalidInput), u.request)
}

// UpgradeLink is a link to the upgrade page.
type UpgradeLink struct {
	URL       string `json:"url" format:"uri" doc:"URL of the upgrade page with its token. It is not shown again."`
	ExpiresAt Moment `json:"expiresAt"`
}

// UpgradePageInput are the parameters of the page.
type UpgradePageInput struct {
	Token  string `query:"token" minLength:"1" doc:"The token of a link."`
	Accept string `header:"Accept" hidden:"true"`
}

// RequestUpgradeInput is what a button of the page sends.
type RequestUpgradeInput struct {
	Token  string `query:"token" required:"true" minLength:"1" doc:"The token of a link."`
	Plan   string `query:"plan" required:"true" enum:"pro,scale,enterprise" doc:"The plan to ask for."`
	Accept string `header:"Accept" hidden:"true"`
}

func (u upgrade) link(ctx context.Context, _ *struct{}) (*UpgradeLink, error) {
	caller, secret := web.CallerOf(ctx), workspace.NewLinkSecret()
	link := workspacestore.UpgradeLink{WorkspaceID: caller.Workspace.ID, KeyID: caller.Key.ID,
		ExpiresAt: u.clock.Now().UTC().Truncate(time.Millisecond).Add(linkGood)}
	if err := u.upgrades.CreateUpgradeLink(ctx, secret.Digest(), link); err != nil {
		return nil, err
	}
	return &UpgradeLink{
		URL:       web.BaseURL(ctx) + "/upgrade?token=" + secret.Reveal(),
		ExpiresAt: fromTime(link.ExpiresAt),
	}, nil
}

func (u upgrade) show(ctx context.Context, in *UpgradePageInput) (*web.Bytes, error) {
	if in.Token == "" {
		return u.page.html(ctx, pageContent{})
	}
	_, link, w, err := u.open(ctx, in.Token)
	if err == nil && link.Wished != "" {
		err = spent()
	}
	if err != nil {
		return u.refuse(ctx, in.Accept, err)
	}
	used, err := usage{usages: u.upgrades}.read(ctx, w)
	if err != nil {
		return nil, err
	}
	return u.page.html(
		ctx, pageContent{Workspace: w.Name, Plan: w.Plan, Usage: used, Offers: w.Plan.Upgrades(), Token: in.Token},
	)
}

func (u upgrade) request(ctx context.Context, in *RequestUpgradeInput) (*web.Bytes, error) {
	digest, link, w, err := u.open(ctx, in.Token)
	if err != nil {
		return u.refuse(ctx, in.Accept, err)
	}
	plan := workspace.Plan(in.Plan)
	if link.Wished != "" && link.Wished != plan {
		return u.refuse(ctx, in.Accept, spent())
	}
	if !slices.Contains(w.Plan.Upgrades(), plan) {
		return u.refuse(ctx, in.Accept, problem.New(
			problem.InvalidInput, "The workspace's plan %s is not smaller than %s. Choose a plan that the page offers.",
			w.Plan, plan,
		))
	}
	if link.Wished == "" {
		err = u.spend(ctx, digest, link, plan)
	}
	if err != nil {
		return u.refuse(ctx, in.Accept, err)
	}
	return u.page.html(ctx, pageContent{Workspace: w.Name, Plan: w.Plan, Wished: plan})
}

// spend spends a link on a plan. Another request may have done so meanwhile: a double click sends two at once, and the
// browser shows the response of the second alone.
func (u upgrade) spend(
	ctx context.Context, digest [sha256.Size]byte, link workspacestore.UpgradeLink, plan workspace.Plan,
) error {
	err := u.upgrades.SpendUpgradeLink(ctx, digest, link, plan)
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	now, err := u.upgrades.UpgradeLink(ctx, digest)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if err != nil || now.Wished != plan {
		return spent()
	}
	return nil
}

// refuse returns the client's error: as a page to a browser, with the error's status, and as it is to others. A failure
// of the service stays an error.
func (u upgrade) refuse(ctx context.Context, accept string, err error) (*web.Bytes, error) {
	p := problem.From(err)
	if !web.PrefersHTML(accept) || p.Code != problem.NotFound && p.Code != problem.InvalidInput {
		return nil, err
	}
	web.SetStatus(ctx, p.Status())
	web.SetCode(ctx, string(p.Code))
	return u.page.html(ctx, pageContent{Refusal: p.Message})
}

// open returns the workspace of a link, as long as the key that asked for the link may act there.
func (u upgrade) open(
	ctx context.Context, token string,
) (digest [sha256.Size]byte, link workspacestore.UpgradeLink, w workspace.Workspace, err error) {
	secret, ok := workspace.ParseLinkSecret(token)
	if !ok {
		return digest, link, w, spent()
	}
	digest = secret.Digest()
	link, err = u.upgrades.UpgradeLink(ctx, digest)
	if errors.Is(err, store.ErrNotFound) {
		return digest, link, w, spent()
	}
	if err != nil {
		return digest, link, w, err
	}
	key, org, err := u.upgrades.Credentials(ctx, link.KeyID, link.WorkspaceID)
	switch {
	case err != nil:
		return digest, link, w, err
	case key == nil || org == nil || !key.ActsIn(*org, u.clock.Now()):
		return digest, link, w, spent()
	}
	return digest, link, *org, nil
}

// spent returns the client's error for a link that does not work, without the reason.
func spent() error {
	return problem.New(
		problem.NotFound,
		"This link is unknown, used up or expired. Get a new one: run earshot upgrade, or POST /api/v2/org/upgrade-link.",
	)
}
