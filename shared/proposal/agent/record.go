package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"earshot/shared/port/model"
	"earshot/shared/proposal"
)

// A turn is a reply of the model as it is kept.
type turn struct {
	Reply model.Reply `json:"reply"`
	Took  int64       `json:"ms"`
}

// A call is what a tool came to as it is kept.
type call struct {
	Name    string  `json:"name"` // one of the tools, or unknownTool
	Status  string  `json:"status"`
	Text    string  `json:"text"` // that the model is told
	Verdict verdict `json:"verdict,omitempty"`
	Took    int64   `json:"ms"`
}

// A verdict is what a submission came to.
type verdict string

const (
	accepted verdict = "accepted"
	refused  verdict = "refused" // by the gate
	unread   verdict = "unread"  // it is not of the form
)

// Statuses of a call in the timeline.
const (
	statusOK      = "ok"
	statusFailed  = "failed"  // there is no answer
	statusRefused = "refused" // what was asked cannot be asked, or the gate refused it
)

// An ending is a result as it is kept.
type ending struct {
	Decisions *proposal.Decisions      `json:"decisions"`
	Code      proposal.DegradationCode `json:"code,omitempty"`
	Why       string                   `json:"why,omitempty"`
	Calls     []call                   `json:"calls"` // without what the model was told
	Tokens    int                      `json:"tokens"`
	Counted   int                      `json:"counted"`
}

const endName = Prefix + "end"

func turnName(n int) string { return fmt.Sprintf("%sturn.%04d", Prefix, n) }
func toolName(n int) string { return fmt.Sprintf("%stool.%04d", Prefix, n) }

// A log is what was recorded, and where more is.
type log struct {
	recorder Recorder
	kept     map[string][]byte
}

// spent is the time that all recorded turns and calls took.
func (l log) spent() time.Duration {
	var took time.Duration
	for name, content := range l.kept {
		var timed struct {
			Took int64 `json:"ms"`
		}
		if strings.HasPrefix(name, Prefix) && json.Unmarshal(content, &timed) == nil {
			took += time.Duration(timed.Took) * time.Millisecond
		}
	}
	return took
}

// once reads what is recorded by a name, or gets and records it. What was recorded is used also when it came just now,
// so that a run and its repetition see the same.
func once[T any](ctx context.Context, l log, name string, get func() (T, error)) (T, error) {
	var value T
	content, found := l.kept[name]
	if !found {
		got, err := get()
		if err != nil {
			return value, err
		}
		if content, err = json.Marshal(got); err != nil {
			return value, fmt.Errorf("agent: write %s: %w", name, err)
		}
		if content, err = l.recorder.Record(ctx, name, content); err != nil {
			return value, fmt.Errorf("agent: keep %s: %w", name, err)
		}
	}
	if err := json.Unmarshal(content, &value); err != nil {
		return value, fmt.Errorf("agent: read %s: %w", name, err)
	}
	return value, nil
}

// end records how the run ended. The first ending stands.
func (s *session) end(ctx context.Context, decisions *proposal.Decisions, stopped stop) (Result, error) {
	e, err := once(ctx, s.log, endName, func() (ending, error) {
		e := ending{
			Decisions: decisions,
			Code:      stopped.code,
			Why:       stopped.why,
			Calls:     []call{},
			Tokens:    s.tokens,
			Counted:   s.calls,
		}
		for _, c := range s.made {
			c.Text = ""
			e.Calls = append(e.Calls, c)
		}
		return e, nil
	})
	return e.result(), err
}

// readEnd reads the ending, if there is one.
func readEnd(kept map[string][]byte) (result Result, ended bool, err error) {
	content, ended := kept[endName]
	if !ended {
		return Result{}, false, nil
	}
	var e ending
	if err := json.Unmarshal(content, &e); err != nil {
		return Result{}, true, fmt.Errorf("agent: read %s: %w", endName, err)
	}
	return e.result(), true, nil
}

func (e ending) result() Result {
	r := Result{
		Decisions: e.Decisions,
		Degraded:  []proposal.Degradation{},
		Why:       e.Why,
		Timeline:  []proposal.Entry{},
		Tokens:    e.Tokens,
		Calls:     e.Counted,
	}
	if e.Code != "" {
		r.Degraded = append(r.Degraded, proposal.Degrade(e.Code))
	}
	for _, c := range e.Calls {
		took := time.Duration(c.Took) * time.Millisecond
		r.Timeline = append(
			r.Timeline, proposal.Entry{Kind: proposal.EntryTool, Name: c.Name, Status: c.Status, Took: &took},
		)
	}
	return r
}
