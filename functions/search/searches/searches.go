// Package searches is the function that runs on-demand searches. The queue searches calls it. It asks the platforms and
// the archive, removes repeats, judges what is left for the workspace, ranks it, and bills it ("Search" in the
// contract).
//
// A message may come twice, late, and at the same time as its repeat, and the function may die at any point. A search
// is run again until it has ended, and is billed once, with its end.
package searches

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"earshot/events/message"
	"earshot/shared/judge"
	"earshot/shared/mention"
	"earshot/shared/port/clock"
	"earshot/shared/proposal/survey"
	"earshot/shared/search"
	"earshot/shared/source"
	"earshot/shared/store"
	"earshot/shared/worker"
	"earshot/shared/workspace"
)

// Group names the function.
const Group = "searches"

// Store is the part of the store that the function uses.
type Store interface {
	survey.Cache
	// Workspace returns store.ErrNotFound if there is none.
	Workspace(ctx context.Context, id string) (workspace.Workspace, error)
	Company(ctx context.Context, orgID string) (workspace.Company, error)
	// Having returns the mentions that the workspace has, by their SourceIDs.
	Having(ctx context.Context, orgID string, found []mention.Mention) (map[string]mention.Mention, error)
	// Draw takes n numbers of a sequence and returns the first.
	Draw(ctx context.Context, orgID, sequence string, n int) (first int64, err error)
	// Search returns store.ErrNotFound if there is none.
	Search(ctx context.Context, orgID, id string) (search.Search, error)
	// SearchProgress returns false if the search has ended.
	SearchProgress(ctx context.Context, orgID, id string, stats search.Stats) (ok bool, err error)
	PutSearchResults(
		ctx context.Context, of search.Search, attempt string, results []json.RawMessage,
	) (parts int, err error)
	CompleteSearch(ctx context.Context, done search.Search, most int, fresh []string) (search.Search, error)
	FailSearch(ctx context.Context, orgID, id, reason string, at time.Time) (search.Search, error)
}

// Options configure the function.
type Options struct {
	Store Store
	Judge *judge.Judge
	// Live returns the sources whose platforms can be asked at the moment; nil: none.
	Live func(context.Context) []source.Source
	// Archive returns the archive's platforms. It is nil if the deployment has no archive.
	Archive func(context.Context) ([]source.Source, error)
	Clock   clock.Clock
	Log     *slog.Logger
	// Attempts is how often a message arrives before it is a dead letter; 0 is DefaultAttempts. The last attempt ends
	// the search for good.
	Attempts int
}

// DefaultAttempts is the queue's.
const DefaultAttempts = 3

const (
	// askTime is how long sources are asked. A person waits for the search.
	askTime = 20 * time.Second
	// settleTime is kept of an invocation's time to end the search.
	settleTime = 5 * time.Second
)

// Handler runs the searches of the queue's messages.
func Handler(w worker.Options, o Options) worker.QueueHandler {
	if o.Attempts == 0 {
		o.Attempts = DefaultAttempts
	}
	return worker.Queue(w, o.handle)
}

func (o Options) handle(ctx context.Context, m worker.Message) error {
	var asked message.Search
	if err := json.Unmarshal(m.Body, &asked); err != nil || asked.WorkspaceID == "" || asked.SearchID == "" {
		return worker.Reject(errors.New("the body is not a search's message"))
	}
	s, err := o.Store.Search(ctx, asked.WorkspaceID, asked.SearchID)
	if errors.Is(err, store.ErrNotFound) || err == nil && s.Status.Ended() {
		return nil // it has expired, or another attempt has ended it
	}
	if err != nil {
		return err
	}
	running, cancel := worker.Within(ctx, settleTime)
	defer cancel()
	err = o.run(running, s)
	if err == nil || m.Receives < o.Attempts {
		return err
	}
	// The search has failed for good. The message becomes a dead letter, for people to look at.
	const reason = "The search could not be run. It cost nothing. Search again."
	_, unsettled := o.Store.FailSearch(ctx, s.WorkspaceID, s.ID, reason, o.Clock.Now())
	if errors.Is(unsettled, store.ErrNotFound) {
		unsettled = nil
	}
	return errors.Join(err, unsettled)
}
