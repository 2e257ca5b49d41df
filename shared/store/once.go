package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"earshot/shared/port/table"
)

// Rows of the counters table: pk org_…, sk "made#<name>", what a request made that a client may send again ("Repeated" of the HTTP
// kit names it). The row is written in the transaction that makes it, so that a repeat of a request that died before it could
// answer finds what it made, and makes no second one.
const (
	sortMade = "made#"
	madeKept = 24 * time.Hour // as long as an answer is: after that, the same request is a new one
)

// making is the part of a transaction that notes what it makes; none for a request without a name. When a row of that name is
// there, the transaction is canceled by it.
func (s *Store) making(orgID, name, made string) []table.Write {
	if name == "" {
		return nil
	}
	put := s.noting(orgID, name, made)
	put.If = table.Absent()
	return []table.Write{put}
}

// noting notes what a request, which has a name, made, in place of what was noted before.
func (s *Store) noting(orgID, name, made string) table.Put {
	return table.Put{Table: CountersTable, Item: table.Item{
		table.PartitionAttribute: orgID, table.SortAttribute: sortMade + name, "made": made, table.ExpiryAttribute: s.clock.Now().Add(madeKept).Unix(),
	}}
}

// made is what an earlier request of this name made; empty when there was none.
func (s *Store) made(ctx context.Context, orgID, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	item, err := s.get(ctx, CountersTable, table.Key{Partition: orgID, Sort: sortMade + name})
	return str(item, "made"), err
}

// madeID is made, of what has a number; 0 when there was none.
func (s *Store) madeID(ctx context.Context, orgID, name string) (int64, error) {
	made, err := s.made(ctx, orgID, name)
	if err != nil || made == "" {
		return 0, err
	}
	id, err := strconv.ParseInt(made, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read what a request made: %w", err)
	}
	return id, nil
}

// A creation is a transaction that makes something, and what is answered when it is canceled: nil when others were in the way.
type creation struct {
	writes  []table.Write
	refused func(*table.Canceled) error
}

// create makes something of the next id of a sequence. A request makes one thing: sent again, it makes none, and made is what it made
// then; fresh says which. Never answers ErrConflict.
func (s *Store) create(
	ctx context.Context, doing, orgID, sequence, request string, of func(id int64) creation,
) (made int64, fresh bool, err error) {
	if made, err = s.madeID(ctx, orgID, request); made != 0 || err != nil {
		return made, false, err
	}
	id, err := s.draw(ctx, orgID, sequence, 1)
	if err != nil {
		return 0, false, err
	}
	made, fresh, err = s.createAs(ctx, doing, orgID, request, id, of(id))
	if errors.Is(err, ErrConflict) {
		err = fmt.Errorf("%s: too many are in the way", doing) // nobody changed what the caller has read
	}
	return made, fresh, err
}

// createAs is create with an id that is known. Answers ErrConflict when others stay in the way.
func (s *Store) createAs(ctx context.Context, doing, orgID, request string, id int64, c creation) (made int64, fresh bool, err error) {
	writes := append(c.writes, s.making(orgID, request, strconv.FormatInt(id, 10))...)
	err = s.settle(ctx, doing, func() error {
		err := s.table.Transact(ctx, table.Transaction{Writes: writes})
		var canceled *table.Canceled
		if !errors.As(err, &canceled) {
			made, fresh = id, err == nil
			return err
		}
		if request != "" && canceled.Failed(len(writes)-1) {
			earlier, failure := s.madeID(ctx, orgID, request)
			if made = earlier; made != 0 || failure != nil {
				return failure
			}
		}
		if refused := c.refused(canceled); refused != nil {
			return refused
		}
		return err
	})
	return made, fresh, err
}
