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
	atOnce      = 4    // batches of mentions on their way into the store
	maxRejected = 1000 // rejections in an answer
)

// A report is the response to a body of mentions.
type report struct {
	Received int `json:"received"` // lines that are not blank
	Stored   int `json:"stored"`
	rejections
}

// rejections are the lines of a body that were rejected.
type rejections struct {
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
			in.refuse(lines.number, err)
		} else {
			in.take(r.Context(), lines.number, m)
		}
		if lines.waits() { // a sender that takes its time may wait to see the mention
			in.send(r.Context())
		}
	}
	done := in.end(r.Context())
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

// An intake stores mentions in batches, some at once, and mentions with one id in turn. The result is as if all had
// been stored in order.
type intake struct {
	store Store
	org   string
	batch []received // to be sent next; no two have an id in common
	room  chan struct{}
	group sync.WaitGroup

	mu      sync.Mutex
	ended   *sync.Cond   // a batch that was on its way
	onWay   map[any]bool // the sourceIds (string) and ids (int64) of those on their way
	report  report
	failure error // of the store, the first
}

// received is a mention and the line that it came in.
type received struct {
	line    int
	mention mention.Mention
}

func newIntake(to Store, org string) *intake {
	in := &intake{
		store:  to,
		org:    org,
		room:   make(chan struct{}, atOnce),
		onWay:  map[any]bool{},
		report: report{rejections: rejections{Rejected: []rejection{}}},
	}
	in.ended = sync.NewCond(&in.mu)
	return in
}

// take adds a mention to the batch. It first sends the batch on if that is full or has a mention with one of its ids.
func (in *intake) take(ctx context.Context, line int, m mention.Mention) {
	same := func(r received) bool { return r.mention.SourceID == m.SourceID || r.mention.ID == m.ID }
	if len(in.batch) == mentionstore.MaxPut || slices.ContainsFunc(in.batch, same) {
		in.send(ctx)
	}
	in.batch = append(in.batch, received{line, m})
}

// send stores the batch once there is room and no other mention with one of its ids is being stored.
func (in *intake) send(ctx context.Context) {
	batch := in.batch
	if in.batch = nil; len(batch) == 0 {
		return
	}
	in.room <- struct{}{}
	in.mu.Lock()
	busy := func(r received) bool { return in.onWay[r.mention.SourceID] || in.onWay[r.mention.ID] }
	for slices.ContainsFunc(batch, busy) {
		in.ended.Wait()
	}
	for _, r := range batch {
		in.onWay[r.mention.SourceID], in.onWay[r.mention.ID] = true, true
	}
	in.mu.Unlock()
	in.group.Go(func() {
		failures := in.put(ctx, batch)
		in.mu.Lock()
		defer in.mu.Unlock()
		for i, r := range batch {
			if failures[i] == nil {
				in.report.Stored++
			} else {
				in.report.reject(r.line, failures[i])
			}
			delete(in.onWay, r.mention.SourceID)
			delete(in.onWay, r.mention.ID)
		}
		in.ended.Broadcast()
		<-in.room
	})
}

// put stores a batch. Its errors are for the sender.
func (in *intake) put(ctx context.Context, batch []received) (failures []error) {
	defer func() {
		if caught := recover(); caught != nil { // a crash that was asked for: see fault.Crash
			in.failed(fmt.Errorf("panic: %v", caught))
			crashed := errors.New("the program crashed while it was being stored; it may or may not be there: send it again")
			failures = slices.Repeat([]error{crashed}, len(batch))
		}
	}()
	mentions := make([]mention.Mention, len(batch))
	for i, r := range batch {
		mentions[i] = r.mention
	}
	failures = in.store.PutMentions(ctx, in.org, mentions)
	for i, err := range failures {
		switch {
		case errors.Is(err, mentionstore.ErrIDTaken):
			failures[i] = errors.New("id: another mention of the workspace has it")
		case errors.Is(err, table.ErrTooLarge):
			failures[i] = errors.New("the mention is larger than a row of the store can be")
		case err != nil:
			in.failed(err)
			failures[i] = errors.New("the store did not take it; it may or may not be there: send it again")
		}
	}
	return failures
}

// failed keeps one cause for the log, because a failing store would fill the log.
func (in *intake) failed(cause error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.failure == nil {
		in.failure = cause
	}
}

// refuse rejects a line that is not for the store.
func (in *intake) refuse(line int, err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.report.reject(line, err)
}

// reject notes a rejection.
func (r *rejections) reject(line int, err error) {
	r.RejectedCount++
	if len(r.Rejected) < maxRejected {
		r.Rejected = append(r.Rejected, rejection{line, err.Error()})
	}
}

// end stores the last batch, and waits for those that are being stored.
func (in *intake) end(ctx context.Context) report {
	in.send(ctx)
	in.group.Wait()
	slices.SortFunc(in.report.Rejected, func(a, b rejection) int { return a.Line - b.Line })
	return in.report
}
