package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"earshot/shared/grant"
)

// Programs that members connect by OAuth, and the MCP server, which takes their tokens and API keys.

// A granted is a grant that a client's member gave.
type granted struct {
	member          string // the address
	resource        string
	access, refresh string
}

const (
	resourceREST = "/api/v2"
	resourceMCP  = "/api/mcp/v2"
	backTo       = "http://127.0.0.1/back" // where a program listens, if it did
	formMedia    = "application/x-www-form-urlencoded"
)

// program registers the client's program, once. Many registrations in an hour are refused.
func (c *client) program(ctx context.Context) (id string, ok bool) {
	if c.app == "" {
		var made struct {
			ID string `json:"client_id"`
		}
		c.api.send(ctx, request{
			method: http.MethodPost, target: "/oauth/register",
			body: body(object{"client_name": "Program " + word(c.number), "redirect_uris": []string{backTo}}),
		}).read(&made)
		c.app = made.ID
	}
	return c.app, c.app != ""
}

// connect has a member let the program into the workspace, as the pages do, and exchanges the code.
func connect(ctx context.Context, c *client) {
	email, found := c.pick(c.ledger.certain("member", "member"))
	if !found {
		signUp(ctx, c)
		return
	}
	app, found := c.program(ctx)
	if !found {
		return
	}
	resource, verifier := []string{resourceREST, resourceMCP}[c.random.IntN(2)], rand.Text()+rand.Text()
	challenge := sha256.Sum256([]byte(verifier))
	base := *c.api.base.Load()
	link := base + "/oauth/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {app}, "redirect_uri": {backTo}, "scope": {"read write"},
		"state": {"a state"}, "code_challenge": {base64.RawURLEncoding.EncodeToString(challenge[:])},
		"code_challenge_method": {"S256"}, "resource": {base + resource},
	}.Encode()
	var sent struct{ RedirectTo string }
	got := c.api.send(ctx, request{method: http.MethodPost, target: "/_local/consent", body: body(object{
		"authorizeUrl": link, "email": email, "workspace": c.home.workspace, "scopes": []string{"write"},
	})})
	got.read(&sent)
	back, err := url.Parse(sent.RedirectTo)
	if err != nil {
		return
	}
	code, ok := grant.ParseToken(back.Query().Get("code"))
	if !ok {
		return // a fault was in the way, of which the program learns or not
	}
	g := granted{member: email, resource: resource}
	c.givers[code.GrantID] = email
	c.issue(ctx, code.GrantID, &g, url.Values{
		"grant_type": {"authorization_code"}, "code": {back.Query().Get("code")}, "code_verifier": {verifier},
		"redirect_uri": {backTo},
	})
}

// issue asks for tokens of a grant, which is there from then on. Nobody asks twice: that would end the grant.
func (c *client) issue(ctx context.Context, id string, g *granted, form url.Values) {
	form.Set("client_id", c.app)
	c.send(ctx, write{
		request: request{method: http.MethodPost, target: "/oauth/token", media: formMedia, body: form.Encode()},
		changes: []change{{"grant", id, state(g.member, g.resource)}},
		then: func(got answer) {
			var tokens struct {
				Access  string `json:"access_token"`
				Refresh string `json:"refresh_token"`
			}
			if got.read(&tokens); got.ok() {
				g.access, g.refresh = tokens.Access, tokens.Refresh
				c.grants[id] = g
				return
			}
			delete(c.grants, id) // its tokens are lost or spent
			if got.outcome() == refused && got.Status != http.StatusTooManyRequests {
				c.found("a code or a refresh token of grant %s was acknowledged and is refused: %s", id, got)
			}
		},
	})
}

// useGrant asks with a granted token, renews it, or gives it back.
func useGrant(ctx context.Context, c *client) {
	id, found := c.pick(c.connected())
	if !found {
		connect(ctx, c)
		return
	}
	g := c.grants[id]
	switch c.random.IntN(4) {
	case 0:
		c.issue(ctx, id, g, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {g.refresh}})
	case 1:
		c.endWith(ctx, id, request{
			method: http.MethodPost, target: "/oauth/revoke", media: formMedia,
			body: url.Values{"token": {g.refresh}}.Encode(),
		})
	default:
		c.api.send(ctx, c.asking(g))
	}
}

// asking is a request with a granted token, at its resource.
func (c *client) asking(g *granted) request {
	if g.resource == resourceMCP {
		return c.tool("list_feeds", object{}, g.access)
	}
	return request{method: http.MethodGet, target: "/api/v2/keywords", key: g.access}
}

// connected are the grants that are there for certain, and whose tokens are known.
func (c *client) connected() (ids []string) {
	for _, id := range c.ledger.certain("grant", anyState) {
		if c.grants[id] != nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// endGrant ends a grant as an admin does.
func endGrant(ctx context.Context, c *client) {
	id, found := c.pick(c.ledger.certain("grant", anyState))
	if !found {
		connect(ctx, c)
		return
	}
	c.endWith(ctx, id, request{method: http.MethodDelete, target: "/api/v2/org/grants/" + id, key: c.admin})
}

// endWith ends a grant by a request. Its tokens open nothing from then on.
func (c *client) endWith(ctx context.Context, id string, r request) {
	c.change(ctx, write{request: r, changes: []change{{"grant", id, ""}}, then: func(got answer) {
		if g := c.grants[id]; got.ok() && g != nil {
			delete(c.grants, id)
			c.closed = append(c.closed, g)
		}
	}})
}

// endings are the changes that come with the removal of a member: all of its grants end.
func (c *client) endings(email string) (all []change) {
	for id, giver := range c.givers {
		if giver == email {
			all = append(all, change{"grant", id, ""})
		}
	}
	return all
}

// close keeps the tokens of a member's grants, which have ended.
func (c *client) close(email string) {
	for id, g := range c.grants {
		if g.member == email {
			delete(c.grants, id)
			c.closed = append(c.closed, g)
		}
	}
}

// mostClosed is how many grants that were ended are tried in a check.
const mostClosed = 5

// checkGrants compares the grants with the ledger. Tokens of those that were ended must open nothing.
func (c *client) checkGrants(ctx context.Context) {
	var all struct {
		Data []struct {
			ID, Resource string
			Member       struct{ Email string }
		}
	}
	if !c.ask(ctx, c.admin, "/api/v2/org/grants", &all) {
		return
	}
	var seen []sight
	for _, one := range all.Data {
		seen = append(seen, sight{one.ID, state(one.Member.Email, one.Resource), one.ID})
	}
	c.wrong(c.ledger.compare("grant", seen, false))
	for _, g := range c.closed[max(0, len(c.closed)-mostClosed):] {
		if got := c.api.send(ctx, c.asking(g)); got.Status != http.StatusUnauthorized && ctx.Err() == nil {
			c.found("a token of a grant that was ended opens %s: %s", g.resource, got)
		}
	}
}

// tool is a call of a tool of the MCP server.
func (c *client) tool(name string, arguments object, key string) request {
	c.made++
	return request{method: http.MethodPost, target: "/api/mcp/v2", key: key, revision: "2025-11-25", body: body(object{
		"jsonrpc": "2.0", "id": c.made, "method": "tools/call", "params": object{"name": name, "arguments": arguments},
	})}
}

// callTool reads or makes a feed through the MCP server, with an API key or a granted token. A tool that fails may have
// done its work.
func callTool(ctx context.Context, c *client) {
	key := c.home.write
	if id, found := c.pick(c.connected()); found && c.grants[id].resource == resourceMCP && c.chance(0.5) {
		key = c.grants[id].access
	}
	if c.chance(0.4) {
		tools := []string{"list_feeds", "list_keywords", "get_workspace", "get_usage", "list_tags", "get_global_filters"}
		r := c.tool(tools[c.random.IntN(len(tools))], object{}, key)
		if got := c.api.send(ctx, r); got.Status == http.StatusBadRequest {
			c.findings.add("a call of a tool is refused\n  request  %s\n  answer   %s", r, got)
		}
		return
	}
	name := c.name()
	r := c.tool("create_feed", object{"name": name, "icon": "🔥"}, key)
	got := c.api.send(ctx, r)
	var said struct {
		Error  json.RawMessage
		Result struct {
			IsError           bool
			StructuredContent json.RawMessage
		}
	}
	got.read(&said)
	told := got.outcome()
	if got.Status == http.StatusBadRequest {
		c.findings.add("a call of a tool is refused\n  request  %s\n  answer   %s", r, got)
	}
	if got.ok() && (said.Error != nil || said.Result.IsError) {
		told = unknown
	}
	c.ledger.told(told, fmt.Sprintf("%s → %s", r, got), change{"feed", name, "🔥"})
	if told == acknowledged {
		got.Body = said.Result.StructuredContent
		c.learn("feed", name)(got)
	}
}
