package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Rows of the counters table: pk org_…, sk "made#<name>", what a request made that a client may send again ("Repeated" of the HTTP
// kit names it). The row is written in the transaction that makes it, so that a repeat of a request that died before it could
// answer finds what it made, and makes no second one.
const (
	madeKept = 24 * time.Hour // as long as an answer is: after that, the same request is a new one
)

// Making is the part of a transaction that notes what it makes; none for a request without a name. When a row of that name is
// there, the transaction is canceled by it.
func (s *Kernel) Making(orgID, name, made string) []table.Write {
	if name == "" {
		return nil
	}
	put := s.Noting(orgID, name, made)
	put.If = table.Absent()
	return []table.Write{put}
}

// Noting notes what a request, which has a name, made, in place of what was noted before.
func (s *Kernel) Noting(orgID, name, made string) table.Put {
	return table.Put{Table: rows.CountersTable, Item: table.Item{
		table.PartitionAttribute: orgID, table.SortAttribute: rows.SortMade + name, "made": made, table.ExpiryAttribute: s.Clock.Now().Add(madeKept).Unix(),
	}}
}

// Made is what an earlier request of this name made; empty when there was none.
func (s *Kernel) Made(ctx context.Context, orgID, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	item, err := s.Get(ctx, rows.CountersTable, table.Key{Partition: orgID, Sort: rows.SortMade + name})
	return rows.Text(item, "made"), err
}

// MadeID is made, of what has a number; 0 when there was none.
func (s *Kernel) MadeID(ctx context.Context, orgID, name string) (int64, error) {
	made, err := s.Made(ctx, orgID, name)
	if err != nil || made == "" {
		return 0, err
	}
	id, err := strconv.ParseInt(made, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read what a request made: %w", err)
	}
	return id, nil
}

// A Creation is a transaction that makes something, and what is answered when it is canceled: nil when others were in the way.
type Creation struct {
	Writes  []table.Write
	Refused func(*table.Canceled) error
}

// Create makes something of the next id of a sequence. A request makes one thing: sent again, it makes none, and made is what it made
// then; fresh says which. Never answers ErrConflict.
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
		err = fmt.Errorf("%s: too many are in the way", doing) // nobody changed what the caller has read
	}
	return made, fresh, err
}

// CreateAs is create with an id that is known. Answers ErrConflict when others stay in the way.
func (s *Kernel) CreateAs(ctx context.Context, doing, orgID, request string, id int64, c Creation) (made int64, fresh bool, err error) {
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
