package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Rows of the counters table: pk org_…, sk "made#<name>", what a request made that a client may repeat.
//
// Repeated of the HTTP kit gives the name. The transaction that makes the thing writes the row. A first request may die
// before it responds: its repeat then finds what it made, and makes no second one.
const (
	madeKept = 24 * time.Hour // as long as a response is stored; after that, the same request is a new one
)

// Making returns the write that records what a transaction makes, or none for a request without a name. If the name is
// recorded already, the write cancels the transaction.
func (s *Kernel) Making(orgID, name, made string) []table.Write {
	if name == "" {
		return nil
	}
	put := s.Noting(orgID, name, made)
	put.If = table.Absent()
	return []table.Write{put}
}

// Noting returns the write that records what a named request made, in place of an earlier record.
func (s *Kernel) Noting(orgID, name, made string) table.Put {
	return table.Put{Table: rows.CountersTable, Item: table.Item{
		table.PartitionAttribute: orgID,
		table.SortAttribute:      rows.SortMade + name,
		"made":                   made,
		table.ExpiryAttribute:    s.Clock.Now().Add(madeKept).Unix(),
	}}
}

// Made returns what an earlier request of this name made; empty if there was none.
func (s *Kernel) Made(ctx context.Context, orgID, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	item, err := s.Get(ctx, rows.CountersTable, table.Key{Partition: orgID, Sort: rows.SortMade + name})
	return rows.Text(item, "made"), err
}

// MadeID is Made for things with a number; 0 if there was none.
func (s *Kernel) MadeID(ctx context.Context, orgID, name string) (int64, error) {
	made, err := s.Made(ctx, orgID, name)
	if err != nil || made == "" {
		return 0, err
	}
	id, err := strconv.ParseInt(made, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read the record of a request: %w", err)
	}
	return id, nil
}

// First records a name in a workspace, for as long as records of requests are kept. It reports whether nobody had
// recorded the name, to one caller however many ask.
func (s *Kernel) First(ctx context.Context, orgID, name string) (bool, error) {
	mine := rand.Text()
	put := s.Noting(orgID, name, mine)
	put.If = table.Absent()
	err := s.Table.Put(ctx, put)
	var failed *table.ConditionFailed
	if !errors.As(err, &failed) {
		if err != nil {
			return false, fmt.Errorf("record a name: %w", err)
		}
		return true, nil
	}
	// The first attempt of this very request may have been taken though its response was lost.
	made, err := s.Made(ctx, orgID, name)
	return made == mine, err
}

// Creation is a transaction that makes something. It also maps a cancellation to the error to return, or to nil if
// other writers were in the way.
type Creation struct {
	Writes  []table.Write
	Refused func(*table.Canceled) error
}

// Create makes something with the next id of a sequence. A request makes one thing: a repeat makes none and returns in
// made what the first made; fresh says which. Never returns ErrConflict.
func (s *Kernel) Create(
	ctx context.Context, doing, orgID, sequence, request string, of func(id int64) Creation,
) (made int64, fresh bool, err error) {
	if made, err = s.MadeID(ctx, orgID, request); made != 0 || err != nil {
		return made, false, err
	}
	id, err := s.Draw(ctx, orgID, sequence, 1)
	if err != nil {
		return 0, false, err
	}
	made, fresh, err = s.CreateAs(ctx, doing, orgID, request, id, of(id))
	if errors.Is(err, ErrConflict) {
		// nobody changed what the caller has read, so this is no ErrConflict
		err = fmt.Errorf("%s: too many writers at once", doing)
	}
	return made, fresh, err
}

// CreateAs is Create with a known id. Returns ErrConflict if other writers stay in the way.
func (s *Kernel) CreateAs(
	ctx context.Context, doing, orgID, request string, id int64, c Creation,
) (made int64, fresh bool, err error) {
	writes := append(c.Writes, s.Making(orgID, request, strconv.FormatInt(id, 10))...)
	err = s.Settle(ctx, doing, func() error {
		err := s.Table.Transact(ctx, table.Transaction{Writes: writes})
		var canceled *table.Canceled
		if !errors.As(err, &canceled) {
			made, fresh = id, err == nil
			return err
		}
		if request != "" && canceled.Failed(len(writes)-1) {
			earlier, failure := s.MadeID(ctx, orgID, request)
			if made = earlier; made != 0 || failure != nil {
				return failure
			}
		}
		if refused := c.Refused(canceled); refused != nil {
			return refused
		}
		return err
	})
	return made, fresh, err
}
