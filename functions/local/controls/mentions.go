package controls

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/mentionstore"
	stories "earshot/shared/story"
	"earshot/shared/web/mentionwire"
	"earshot/shared/web/problem"
)

// Limits of putting mentions in.
const (
	atOnce      = 32   // mentions on their way into the store
	maxRejected = 1000 // rejections in an answer
)

// A report is the response to a body of mentions.
type report struct {
	Received      int         `json:"received"` // lines that are not blank
	Stored        int         `json:"stored"`
	RejectedCount int         `json:"rejectedCount"`
	Rejected      []rejection `json:"rejected"` // the first maxRejected
}

type rejection struct {
	Line    int    `json:"line"` // from 1
	Message string `json:"message"`
}

// importMentions stores the Mentions of a body unchanged, one JSON object a line. It stores while it reads, so a body
// may have any length. A mention that it reports as stored is stored.
func (c *controls) importMentions(r *http.Request) (any, error) {
	query, err := readQuery(r, "workspace")
	if err != nil {
		return nil, err
	}
	org := query.Get("workspace")
	if org == "" {
		return nil, problem.Invalid(
			problem.Detail{Path: "query.workspace", Code: "required", Message: "Name a workspace by its id."},
		)
	}
	if _, err := c.Store.Workspace(r.Context(), org); errors.Is(err, store.ErrNotFound) {
		return nil, problem.New(problem.OrgNotFound, "There is no workspace with this id.")
	} else if err != nil {
		return nil, err
	}
	in := newIntake(c.Store, org)
	lines := newLines(r.Body)
	for lines.next() {
		in.report.Received++
		m, err := toMention(lines)
		if err != nil {
			in.reject(lines.number, err)
			continue
		}
		in.take(r.Context(), lines.number, m)
	}
	done := in.end()
	if in.failure != nil {
		c.Log.Warn("the store did not take all mentions", slog.Any("cause", in.failure))
	}
	if lines.err != io.EOF {
		return nil, problem.New(problem.InvalidInput, "The body breaks off after line %d; %d mentions before it are stored.",
			lines.number-1, done.Stored).
			Because(lines.err)
	}
	return done, nil
}

// toMention reads a line. Its error is for the author of the line.
func toMention(line *lines) (mention.Mention, error) {
	if line.long {
		return mention.Mention{}, fmt.Errorf("the line holds more than %d bytes", maxLine)
	}
	var wire mentionwire.Mention
	if fault := unmarshal(line.text, &wire); fault != nil {
		if fault.Code == "syntax" {
			return mention.Mention{}, errors.New(
				fault.Message + " A line holds one JSON object (curl: --data-binary keeps lines apart, -d does not)",
			)
		}
		return mention.Mention{}, fmt.Errorf("%s: %s", fault.Path, fault.Message)
	}
	m, err := wire.ToMention()
	if err != nil {
		return mention.Mention{}, err
	}
	switch wire.Relevance {
	case "relevant", "not_relevant", "": // one that is not scored is not relevant
	default:
		return mention.Mention{}, errors.New("relevance: must be relevant or not_relevant")
	}
	if wire.KeywordID != 0 && (len(m.Keywords) == 0 || m.Keywords[0].ID != wire.KeywordID) {
		return mention.Mention{}, errors.New("keywordId: must be the id of the first of keywords")
	}
	m.StoryID = stories.OfMention(&m).String()
	return m, nil
}

// An intake stores mentions concurrently, and mentions with one id in turn. The result is as if all had been stored
// in order.
type intake struct {
	store Store
	org   string
	room  chan struct{}
	group sync.WaitGroup

	mu      sync.Mutex
	ended   *sync.Cond   // one that was on its way
	onWay   map[any]bool // the sourceIds (string) and ids (int64) of those on their way
	report  report
	failure error // of the store, the first
}

func newIntake(to Store, org string) *intake {
	in := &intake{
		store:  to,
		org:    org,
		room:   make(chan struct{}, atOnce),
		onWay:  map[any]bool{},
		report: report{Rejected: []rejection{}},
	}
	in.ended = sync.NewCond(&in.mu)
	return in
}

// take stores a mention once there is room and no other mention with its ids is being stored.
func (in *intake) take(ctx context.Context, line int, m mention.Mention) {
	in.room <- struct{}{}
	in.mu.Lock()
	for in.onWay[m.SourceID] || in.onWay[m.ID] {
		in.ended.Wait()
	}
	in.onWay[m.SourceID], in.onWay[m.ID] = true, true
	in.mu.Unlock()
	in.group.Go(func() {
		err := in.put(ctx, m)
		if err != nil {
			in.reject(line, err)
		}
		in.mu.Lock()
		defer in.mu.Unlock()
		if err == nil {
			in.report.Stored++
		}
		delete(in.onWay, m.SourceID)
		delete(in.onWay, m.ID)
		in.ended.Broadcast()
		<-in.room
	})
}

// put stores a mention. Its error is for the sender.
func (in *intake) put(ctx context.Context, m mention.Mention) (err error) {
	defer func() {
		if caught := recover(); caught != nil { // a crash that was asked for: see fault.Crash
			in.failed(fmt.Errorf("panic: %v", caught))
			err = errors.New("the program crashed while it was being stored; it may or may not be there: send it again")
		}
	}()
	switch err := in.store.PutMention(ctx, in.org, m); {
	case errors.Is(err, mentionstore.ErrIDTaken):
		return errors.New("id: another mention of the workspace has it")
	case errors.Is(err, table.ErrTooLarge):
		return errors.New("the mention is larger than a row of the store can be")
	case err != nil:
		in.failed(err)
		return errors.New("the store did not take it; it may or may not be there: send it again")
	}
	return nil
}

// failed keeps one cause for the log, because a failing store would fill the log.
func (in *intake) failed(cause error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.failure == nil {
		in.failure = cause
	}
}

func (in *intake) reject(line int, err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.report.RejectedCount++
	if len(in.report.Rejected) < maxRejected {
		in.report.Rejected = append(in.report.Rejected, rejection{line, err.Error()})
	}
}

// end waits for the mentions that are being stored.
func (in *intake) end() report {
	in.group.Wait()
	slices.SortFunc(in.report.Rejected, func(a, b rejection) int { return a.Line - b.Line })
	return in.report
}
