package feeds

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"sync"
	"time"

	"earshot/shared/feed"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

const (
	connectPath  = "/api/v2/integrations/slack/connect"
	callbackPath = "/api/v2/integrations/slack/callback"
)

func registerSlackConnect(api *web.API, s slack) {
	web.Register(api, web.Operation{
		ID: "connectSlack", Method: http.MethodGet, Path: connectPath, Group: Group, Scope: workspace.Admin,
		Summary: "Get the address that connects Slack",
		Description: "Returns an address of Slack. Open it in a browser: Slack asks which of its workspaces to connect, " +
			"and whether Earshot's bot may list channels and write in those that it is in. The address is good for ten " +
			"minutes and connects once. Whoever opens it chooses the Slack that this workspace writes to, so give it to " +
			"nobody else. The new connection replaces an earlier one.\n\nINVALID_INPUT means that this deployment has no " +
			"app at Slack. Its operator makes one.",
		Codes: []problem.Code{problem.InvalidInput},
		Example: SlackConnectLink{
			URL: "https://slack.com/oauth/v2/authorize?client_id=2141029472.691202649728&scope=channels%3Aread%2C" +
				"groups%3Aread%2Cchat%3Awrite&redirect_uri=…&state=…",
			ExpiresAt: "2026-11-20T10:25:00.000Z",
		},
	}, s.connect)
	web.RegisterBytes(api, web.Operation{
		ID: "finishSlackConnection", Method: http.MethodGet, Path: callbackPath, Group: Group, Public: true,
		Summary: "Take Slack's answer to a connection",
		Description: "Slack sends the browser of a person who connects to this page. The page says whether Slack is " +
			"connected, or why not and what to do. A `state` that is forged, older than ten minutes or used changes " +
			"nothing, and an earlier connection stays until there is a new one.",
		ContentType: "text/html",
	}, s.finish)
	web.Register(api, web.Operation{
		ID: "disconnectSlack", Method: http.MethodDelete, Path: "/api/v2/integrations/slack", Group: Group,
		Scope: workspace.Admin, Summary: "Disconnect Slack",
		Description: "Revokes Earshot's token at Slack, if Slack can be reached, and deletes it. Within a minute nothing is " +
			"posted any more. SLACK destinations stay, and what waits for them is tried again for three days. A workspace " +
			"without a connection gets the same response.\n\nSlack hands out one token for each of its " +
			"workspaces: other workspaces of this deployment that are connected to the same Slack connect again.",
		Example: SlackDisconnected{OK: true},
	}, s.disconnect)
}

// SlackConnectLink is where to connect Slack.
type SlackConnectLink struct {
	URL       string `json:"url" doc:"Address of Slack to open in a browser. It connects once."`
	ExpiresAt string `json:"expiresAt" format:"date-time" doc:"When the address ends."`
}

// SlackDisconnected is the response to a disconnection.
type SlackDisconnected struct {
	OK bool `json:"ok"`
}

// FinishSlackInput is what Slack adds to the page's address (RFC 6749, sections 4.1.2 and 4.1.2.1).
type FinishSlackInput struct {
	Code        string `query:"code" minLength:"1" maxLength:"4096" doc:"What Slack's token is exchanged for."`
	State       string `query:"state" minLength:"1" maxLength:"4096" doc:"Says which workspace asked to connect, signed."`
	Error       string `query:"error" minLength:"1" maxLength:"4096" doc:"Slack's name of the reason why there is no code."`
	Description string `query:"error_description" minLength:"1" maxLength:"4096" doc:"Not read."`
}

func (s slack) connect(ctx context.Context, _ *struct{}) (*SlackConnectLink, error) {
	ends := s.clock.Now().UTC().Truncate(time.Second).Add(stateGood)
	state, err := sealState(web.CallerOf(ctx).Workspace, ends)
	if err != nil {
		return nil, err
	}
	url, err := s.slack.Authorize(ctx, web.BaseURL(ctx)+callbackPath, state)
	switch {
	case errors.Is(err, feed.ErrNoSlackApp):
		return nil, problem.New(
			problem.InvalidInput,
			"This deployment has no app at Slack. Its operator makes one and sets its slack/client-id and "+
				"slack/client-secret, as the operating guide says under \"A workspace's Slack\".",
		)
	case err != nil:
		return nil, err
	}
	return &SlackConnectLink{URL: url, ExpiresAt: web.FormatTime(ends)}, nil
}

func (s slack) disconnect(ctx context.Context, _ *struct{}) (*SlackDisconnected, error) {
	if err := s.slack.Disconnect(ctx, web.CallerOf(ctx).Workspace.ID); err != nil {
		return nil, err
	}
	return &SlackDisconnected{OK: true}, nil
}

// finish ends a connection. The state is verified and spent before anything else, and the token is stored last.
func (s slack) finish(ctx context.Context, in *FinishSlackInput) (*web.Bytes, error) {
	w, err := s.spendState(ctx, in.State)
	switch {
	case errors.Is(err, errState):
		return connected(ctx, connectPage{Dead: true})
	case err != nil:
		return nil, err
	case in.Error == "access_denied":
		return connected(ctx, connectPage{Reason: "The request was declined in Slack. Start again if that was a mistake."})
	case in.Error != "" || in.Code == "":
		return connected(ctx, connectPage{Reason: "Slack reported an error instead of an approval. Start again."})
	}
	team, err := s.slack.Connect(ctx, w.ID, web.BaseURL(ctx)+callbackPath, in.Code)
	var refusal *feed.SlackRefusal
	switch {
	case errors.As(err, &refusal):
		return connected(ctx, connectPage{Reason: refusal.Reason})
	case errors.Is(err, feed.ErrNoSlackApp):
		return connected(ctx, connectPage{
			Reason: "This Earshot has no app at Slack any more. Its operator sets it up again."})
	case err != nil:
		return nil, fmt.Errorf("connect Slack: %w", err)
	}
	return connected(ctx, connectPage{Workspace: w.Name, Team: team.Name})
}

// connectPage is what the page shows: that the link does not work, the reason why Slack is not connected, or else what
// is.
type connectPage struct {
	Dead                    bool // the link is used, too old or forged: a reload of the page that connected Slack, too
	Reason, Workspace, Team string
}

// connectStyle makes the page readable, and breaks long names on a narrow screen.
const connectStyle = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
`

// connectHTML has no script and no foreign content. It escapes every value.
var connectHTML = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("connect").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Earshot: Slack</title>
<style>` + connectStyle + `</style>
</head>
<body>
{{- if .Dead}}
<h1>This link does not work</h1>
<p>This link is unknown, used, or older than ten minutes, and nothing was changed. If it was used, Slack may be
connected: GET /api/v2/integrations/slack says so. If it is not, start again: GET ` + connectPath + ` gives a new link.</p>
{{- else if .Reason}}
<h1>Slack is not connected</h1>
<p>{{.Reason}}</p>
<p>An earlier connection stays as it is. GET ` + connectPath + ` gives a new link.</p>
{{- else}}
<h1>Slack is connected</h1>
<p>{{.Workspace}} in Earshot can now write to {{.Team}} in Slack. Invite the app to each channel that it is to write in.
You may close this page.</p>
{{- end}}
</body>
</html>
`))
})

// connected writes the page.
func connected(ctx context.Context, shown connectPage) (*web.Bytes, error) {
	var out bytes.Buffer
	if err := connectHTML().Execute(&out, shown); err != nil {
		return nil, fmt.Errorf("write the page of a connection: %w", err)
	}
	style := sha256.Sum256([]byte(connectStyle))
	web.SetHeader(ctx, "Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+
		base64.StdEncoding.EncodeToString(style[:])+"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	web.SetHeader(ctx, "Referrer-Policy", "no-referrer")
	return &web.Bytes{ContentType: "text/html; charset=utf-8", Body: out.Bytes()}, nil
}
