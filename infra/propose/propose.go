package propose

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"earshot/infra/client"
	"earshot/infra/terminal"
	"earshot/shared/proposal/site"
)

// Options say what to propose, and where.
type Options struct {
	Domain string
	Tier   string // balanced or thorough
	Page   string // a file of HTML to take for the domain's page; empty: the domain is asked
	Apply  bool   // what is selected is created in the workspace
	JSON   bool   // the proposal as the API answers it, and no table; with Apply, what was applied on a second line
	// Target is a workbench, with a key that may write.
	client.Target
	Own   string // the key's workspace at the workbench, for switching the engine on; empty elsewhere
	Width int    // characters of a line; 0: 80
	To    io.Writer
	// Progress takes the lines that are shown while the engine works.
	Progress io.Writer
}

// How often a draft is polled: often enough to see each stage, and seldom enough for the hourly limit of requests.
const (
	soon     = 100 * time.Millisecond
	later    = time.Second
	patience = 20 * time.Minute // more than a run's time limit
)

// flag is the beta flag of the setup engine.
const flag = "setup_onboarding"

// Run proposes, shows the progress, and writes the result. Its errors are for the person at the terminal, without a
// final stop.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if o.Width <= 0 {
		o.Width = terminal.UsualWidth
	}
	asked, err := client.New(o.Target)
	if err != nil {
		return err
	}
	a := api{asked}
	if err := a.place(ctx, o); err != nil {
		return err
	}
	id, err := a.scan(ctx, o)
	if err != nil {
		return err
	}
	if err := a.ask(
		ctx, http.MethodPost, "/api/v2/setup/proposals", map[string]any{"draftId": id, "tier": o.Tier}, nil,
	); err != nil {
		return err
	}
	fmt.Fprintln(o.Progress, "Proposing …")
	path := "/api/v2/setup/proposals/" + url.PathEscape(id)
	settled, err := a.watch(ctx, o, id, path)
	if err != nil {
		return err
	}
	if o.JSON {
		if err := a.print(ctx, o.To, http.MethodGet, path, nil); err != nil || !o.Apply {
			return err
		}
		return a.print(ctx, o.To, http.MethodPost, path+"/apply", struct{}{})
	}
	if err := write(o.To, settled, o.Width); err != nil {
		return err
	}
	if o.Apply {
		var made applied
		if err := a.ask(ctx, http.MethodPost, path+"/apply", struct{}{}, &made); err != nil {
			return fmt.Errorf("the proposal was not applied: %w", err)
		}
		return writeApplied(o.To, made, o.Width)
	}
	if len(settled.selected()) == 0 {
		_, err := fmt.Fprint(
			o.To, "\nNothing is written, and nothing is selected: choose keywords by their refs when you apply.\n",
		)
		return err
	}
	authorization := `"Authorization: Bearer $EARSHOT_API_KEY"` // a key of a deployment is not shown
	if o.Own != "" {
		authorization = "'Authorization: Bearer " + o.Key + "'"
	}
	_, err = fmt.Fprintf(
		o.To,
		"\nNothing is written yet. With --apply, what is selected (+) is created;\nof this very proposal, by:\n\n"+
			"  curl -s -X POST '%s%s/apply' -H %s -H 'Content-Type: application/json' -d '{}'\n",
		strings.TrimSuffix(o.Base, "/"),
		path,
		authorization,
	)
	return err
}

// place stores the content of a file as the domain's page.
func (a api) place(ctx context.Context, o Options) error {
	if o.Page == "" {
		return nil
	}
	html, err := os.ReadFile(o.Page)
	if err != nil {
		return err
	}
	page := strings.ToValidUTF8(string(html), "\ufffd")
	// a scan reads no more; the cut may part a character
	page = strings.ToValidUTF8(page[:min(len(page), site.MaxPage)], "")
	if err := a.local(ctx, "/_local/sites", map[string]any{"domain": o.Domain, "html": page}); err != nil {
		return fmt.Errorf("the page cannot be used: %w", err)
	}
	return nil
}

// local sends a command to the workbench itself, which asks for no key.
func (a api) local(ctx context.Context, path string, command any) error {
	keyless, err := client.New(client.Target{Base: a.Base})
	if err != nil {
		return err
	}
	return api{keyless}.ask(ctx, http.MethodPost, path, command, nil)
}

// print writes a response unchanged, on one line.
func (a api) print(ctx context.Context, to io.Writer, method, path string, body any) error {
	var whole json.RawMessage
	if err := a.ask(ctx, method, path, body, &whole); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to, "%s\n", terminal.EscapeJSON(whole))
	return err
}

// begin makes a draft. If the engine is off for the workspace, begin switches it on first.
func (a api) begin(ctx context.Context, o Options) (d draft, err error) {
	for range 2 {
		err = a.ask(ctx, http.MethodPost, "/api/v2/setup/drafts", map[string]string{"domain": o.Domain}, &d)
		var refused *client.Refusal
		if o.Own == "" || !errors.As(err, &refused) || refused.Code != "FEATURE_DISABLED" {
			break
		}
		if err := a.local(
			ctx, "/_local/flags", map[string]any{"workspace": o.Own, "flag": flag, "on": true},
		); err != nil {
			return draft{}, fmt.Errorf("the setup engine cannot be switched on: %w", err)
		}
		fmt.Fprintf(o.Progress, "The setup engine was off for this workspace: %s is switched on.\n", flag)
	}
	return d, err
}

// scan makes a draft and waits for its profile.
func (a api) scan(ctx context.Context, o Options) (string, error) {
	d, err := a.begin(ctx, o)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(o.Progress, "Scanning %s …\n", terminal.Safe(o.Domain))
	id, began := d.DraftID, time.Now()
	for wait := soon; d.Status == "scanning"; wait = min(2*wait, later) {
		if err := sleep(ctx, wait); err != nil {
			return "", err
		}
		if err := a.ask(ctx, http.MethodGet, "/api/v2/setup/drafts/"+url.PathEscape(id), nil, &d); err != nil {
			return "", err
		}
	}
	if d.Status == "failed" {
		reason := "the scan failed"
		if d.Message != nil {
			reason = terminal.Safe(*d.Message)
		}
		return "", fmt.Errorf("%s With no network, --page FILE gives a page to scan in its place", ended(reason))
	}
	fmt.Fprintf(o.Progress, "  done in %s\n", time.Since(began).Round(time.Millisecond))
	if d.Profile != nil {
		writeProfile(o.Progress, *d.Profile, o.Width)
	}
	return id, nil
}

// watch shows the stages of a run as they go by, until it has settled.
func (a api) watch(ctx context.Context, o Options, id, path string) (status, error) {
	told := map[string]string{}
	for wait := soon; ; wait = min(wait*3/2, later) {
		var now status
		if err := a.ask(ctx, http.MethodGet, path, nil, &now); err != nil {
			return status{}, err
		}
		for _, s := range now.Steps {
			if told[s.Stage] == s.Status {
				continue
			}
			fmt.Fprintln(o.Progress, progress(s))
			told[s.Stage], wait = s.Status, soon
		}
		switch now.Status {
		case "ready", "needs_narrowing":
			return now, nil
		case "failed":
			return status{}, a.failure(ctx, id)
		}
		if err := sleep(ctx, wait); err != nil {
			return status{}, err
		}
	}
}

// failure returns why a run failed, from its draft.
func (a api) failure(ctx context.Context, id string) error {
	var d draft
	if err := a.ask(ctx, http.MethodGet, "/api/v2/setup/drafts/"+url.PathEscape(id), nil, &d); err != nil {
		return err
	}
	if d.Message == nil {
		return errors.New("the run failed")
	}
	return errors.New("the run failed: " + strings.TrimSuffix(terminal.Safe(*d.Message), "."))
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return fmt.Errorf("gave up waiting: %w", ctx.Err())
	case <-timer.C:
		return nil
	}
}

func ended(sentence string) string {
	if strings.HasSuffix(sentence, ".") {
		return sentence
	}
	return sentence + "."
}
