package setupstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"

	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// What a draft's proposals became is kept with the draft, as "applied" (JSON in gzip): of each ref of its keywords and
// feeds the id that it has in the workspace, and the run whose ref it is, since another run gives the same refs to
// other things. It is written in the transaction that makes what it names, on the condition that the draft is as it was
// read: so a ref is made once, however many apply at once and wherever one of them dies.
//
// One transaction writes all of an application: of each keyword three rows (itself, its text, what waits for the
// clean-up), of each feed one, and the draft, the company, and the rows that count keywords and feeds. That is 88
// writes where a proposal is as large as it can be.
const writesOfApplication = 3*proposal.MaxKeywords + proposal.MaxFeeds + 4

var _ [table.MaxTransaction - writesOfApplication]struct{} // it fits

// SetupChoice is the part of a proposal to apply.
type SetupChoice struct {
	Keywords []string // refs
	Options  []string // ids, one of a keyword at most
	Feeds    []string // refs
}

// SetupApplied is the result of a choice, in the proposal's order.
type SetupApplied struct {
	Keywords []AppliedKeyword
	Options  []AppliedOption
	Feeds    []AppliedFeed
	Skipped  []SkippedRef
}

// AppliedKeyword is the keyword that a ref stands for.
type AppliedKeyword struct {
	Ref     string
	ID      int64
	Text    string
	Created bool // by this request
}

// AppliedOption is an option that a keyword has.
type AppliedOption struct{ ID, KeywordRef string }

// AppliedFeed is the feed that a ref stands for.
type AppliedFeed struct {
	Ref     string
	ID      int64
	Name    string
	Created bool // by this request
}

// SkippedRef is a ref, or an option's id, that was not applied or only in part.
type SkippedRef struct {
	Ref string
	Why Skip
	ID  int64 // of SkipTracked: the keyword
}

// Skip is the reason why something was not applied.
type Skip int

// The reasons.
const (
	SkipTracked     Skip = iota // the workspace has a keyword of the text; it stays as it is
	SkipDeleted                 // what was made of the ref has been deleted since
	SkipChanged                 // of an option: the keyword's terms have been changed since
	SkipEmpty                   // of a feed: none of its keywords is applied
	SkipFeedDeleted             // the feed that was made of the ref has been deleted since
)

// EarlierKeyword is what a ref stands for that was applied before.
type EarlierKeyword struct {
	Option  string // its id; empty if the keyword has none
	Made    bool   // of the ref, so that it is made once; else it was there
	Deleted bool   // since
}

// KeywordRoomError means that the plan has no room for the keywords. Nothing was written.
type KeywordRoomError struct{ Have, New, Limit int }

// Error states the room and the need.
func (e *KeywordRoomError) Error() string {
	return fmt.Sprintf("store: %d keywords are there, %d are new, and the plan allows %d", e.Have, e.New, e.Limit)
}

// applied is what a draft's proposals became.
type applied struct {
	Keywords map[string]madeKeyword `json:"keywords"`
	Feeds    map[string]madeFeed    `json:"feeds"`
}

type madeKeyword struct {
	ID     int64    `json:"id"`
	Run    int64    `json:"run"`
	By     string   `json:"by,omitempty"`     // the request that made it
	Made   bool     `json:"made,omitempty"`   // else it was there
	Option string   `json:"option,omitempty"` // that it has
	Terms  []string `json:"terms,omitempty"`  // additional ones, as they were written
}

type madeFeed struct {
	ID       int64    `json:"id"`
	Run      int64    `json:"run"`
	By       string   `json:"by"`
	Name     string   `json:"name"`            // the proposal's
	Keywords []int64  `json:"keywords"`        // in its filter, as it was written
	Texts    []string `json:"texts,omitempty"` // of the keywords
}

// ApplySetup writes the chosen parts of the proposal of a draft's last run: keywords with their options, feeds, and a
// company if the workspace has said nothing of its own. limit is how many keywords the workspace may have. It is one
// transaction: all of it is written or nothing. Each ref makes one thing, however often it is applied. request, by its
// name in Repeated of the HTTP kit, lets a repeat return what the first call made.
//
// choose is called with what was read, and with the refs of keywords that were applied before, as often as others get in
// between. Its error is returned. Returns ErrNotFound for a draft without a run, a KeywordRoomError, ErrKeywordTooLarge,
// ErrFeedLimit and ErrFeedTooLarge. Returns ErrConflict if others keep changing the draft.
func (s *Store) ApplySetup(
	ctx context.Context, orgID, draftID string, limit int, request string,
	choose func(proposal.Draft, proposal.Run, map[string]EarlierKeyword) (SetupChoice, error),
) (done SetupApplied, err error) {
	by := cmp.Or(request, rand.Text())
	var drawn ids
	err = s.Settle(ctx, "apply a proposal", func() error {
		item, err := s.draftRow(ctx, orgID, draftID)
		if err != nil {
			return err
		}
		a := application{store: s, orgID: orgID, limit: limit, by: by, drawn: &drawn, known: applied{}}
		if a.draft, err = toDraft(item); err != nil {
			return err
		}
		if a.draft.Run == 0 {
			return store.ErrNotFound
		}
		if content := rows.Bytes(item, "applied"); content != nil {
			if err := store.Unpack(content, &a.known); err != nil {
				return fmt.Errorf("read what was applied: %w", err)
			}
		}
		if a.run, err = s.SetupRun(
			ctx, proposal.Key{WorkspaceID: orgID, DraftID: draftID, Number: a.draft.Run},
		); err != nil {
			return err
		}
		if a.run.Proposal != nil {
			if err := a.read(ctx); err != nil {
				return err
			}
		}
		choice, err := choose(a.draft, a.run, a.before())
		if err != nil {
			return err
		}
		if a.run.Proposal == nil {
			return store.ErrNotFound
		}
		writes, err := a.plan(ctx, choice)
		if err != nil {
			return err
		}
		done = a.done
		if len(writes) == 0 {
			return nil
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: writes})
	})
	return done, err
}

// ids are drawn from sequences and kept for a repeat of the attempt.
type ids struct{ keywords, feeds []int64 }

// next returns n ids of a sequence, using first those that were drawn before.
func (s *Store) next(ctx context.Context, orgID, sequence string, drawn *[]int64, n int) ([]int64, error) {
	if more := n - len(*drawn); more > 0 {
		first, err := s.Draw(ctx, orgID, sequence, more)
		if err != nil {
			return nil, err
		}
		for i := range more {
			*drawn = append(*drawn, first+int64(i))
		}
	}
	return (*drawn)[:n], nil
}
