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
	"time"
)

// Options say what to propose, and where.
type Options struct {
	Domain    string
	Tier      string // balanced or thorough
	Page      string // a file of HTML to take for the domain's page; empty: the domain is asked
	Apply     bool   // what is selected is created in the workspace
	JSON      bool   // the proposal as the API answers it, and no table
	Base      string // URL of the workbench
	Key       string // that may write
	Workspace string // the key's, for switching the engine on
	To        io.Writer
	// Progress takes what is told while the engine works.
	Progress io.Writer
}

// How often a draft is looked at: often enough to see a stage go by, and seldom enough for the limit of requests an hour.
const (
	soon     = 100 * time.Millisecond
	later    = time.Second
	patience = 20 * time.Minute // more than a run's time limit
)

// Run proposes, shows how it goes, and writes the result. Errors are sentences for the person at the terminal.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	a := api{o.Base, o.Key, &http.Client{Timeout: time.Minute}}
	if err := (api{o.Base, "", a.client}).ask(ctx, http.MethodPost, "/_local/flags",
		map[string]any{"workspace": o.Workspace, "flag": "setup_onboarding", "on": true}, nil); err != nil {
		return fmt.Errorf("the setup engine cannot be switched on: %w", err)
	}
	if o.Page != "" {
		html, err := os.ReadFile(o.Page)
		if err != nil {
			return err
		}
		if err := (api{o.Base, "", a.client}).ask(ctx, http.MethodPost, "/_local/sites",
			map[string]any{"domain": o.Domain, "html": string(html)}, nil); err != nil {
			return err
		}
	}
	id, err := a.scan(ctx, o)
	if err != nil {
		return err
	}
	if err := a.ask(ctx, http.MethodPost, "/api/v2/setup/proposals", map[string]any{"draftId": id, "tier": o.Tier}, nil); err != nil {
		return err
	}
	path := "/api/v2/setup/proposals/" + url.PathEscape(id)
	settled, err := a.watch(ctx, o, path)
	if err != nil {
		return err
	}
	if o.JSON {
		var whole json.RawMessage
		if err := a.ask(ctx, http.MethodGet, path, nil, &whole); err != nil {
			return err
		}
		_, err := fmt.Fprintf(o.To, "%s\n", whole)
		return err
	}
	if err := write(o.To, settled); err != nil {
		return err
	}
	if !o.Apply {
		_, err := fmt.Fprintf(o.To, "\nNothing is written yet. To apply what is selected (+):\n\n  curl -s -X POST %s%s/apply -H 'Authorization: Bearer %s' -H 'Content-Type: application/json' -d '{}'\n",
			o.Base, path, o.Key)
		return err
	}
	var made applied
	if err := a.ask(ctx, http.MethodPost, path+"/apply", struct{}{}, &made); err != nil {
		return err
	}
	return writeApplied(o.To, made)
}

// scan makes a draft and waits for its profile.
func (a api) scan(ctx context.Context, o Options) (string, error) {
	var d draft
	if err := a.ask(ctx, http.MethodPost, "/api/v2/setup/drafts", map[string]string{"domain": o.Domain}, &d); err != nil {
		return "", err
	}
	fmt.Fprintf(o.Progress, "Scanning %s …\n", shown(o.Domain))
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
			reason = shown(*d.Message)
		}
		return "", fmt.Errorf("%s With no network, --page FILE gives the page to scan", ended(reason))
	}
	fmt.Fprintf(o.Progress, "  done in %s\n", time.Since(began).Round(time.Millisecond))
	if d.Profile != nil {
		writeProfile(o.Progress, *d.Profile)
	}
	return id, nil
}

// watch shows the stages of a run as they go by, until it has settled.
func (a api) watch(ctx context.Context, o Options, path string) (status, error) {
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
			if told[s.Stage] == "" && s.Status != "running" || told[s.Stage] != s.Status {
				fmt.Fprintln(o.Progress, progress(s))
			}
			told[s.Stage], wait = s.Status, soon
		}
		switch now.Status {
		case "ready", "needs_narrowing":
			return now, nil
		case "failed":
			return status{}, errors.New("the run failed; GET " + path + " and the draft's message say why")
		}
		if err := sleep(ctx, wait); err != nil {
			return status{}, err
		}
	}
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
