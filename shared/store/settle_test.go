package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/allstores"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// busy is a table that stops every transaction for a reason. Who asks it three times has asked enough.
type busy struct {
	table.Table
	reasons []table.ReasonCode
	asked   int
	enough  func()
}

func (b *busy) Transact(_ context.Context, tx table.Transaction) error {
	if b.asked++; b.asked == 3 {
		b.enough()
	}
	reasons := make([]table.Reason, len(tx.Writes))
	for i := range reasons {
		reasons[i].Code = b.reasons[min(i, len(b.reasons)-1)]
	}
	return &table.Canceled{Reasons: reasons}
}

// A table that throttles, and a row that is too large, are not told as other writers' changes, nor asked for ever.
// Where a condition has failed beside, the row is read again.
func TestWhatNoRepeatHelps(t *testing.T) {
	w := worldtest.NewWorld(t)
	for _, c := range []struct {
		reasons        []table.ReasonCode
		conflict, once bool
	}{
		{[]table.ReasonCode{table.ReasonThrottled}, false, true},
		{[]table.ReasonCode{table.ReasonConflict, table.ReasonThrottled}, false, true},
		{[]table.ReasonCode{table.ReasonCondition, table.ReasonThrottled}, true, false},
		{[]table.ReasonCode{table.ReasonTooLarge}, false, true},
		{[]table.ReasonCode{table.ReasonConflict}, true, false},
	} {
		ctx, enough := context.WithCancel(t.Context())
		defer enough()
		rows := &busy{Table: w.Table, reasons: c.reasons, enough: enough}
		_, err := allstores.New(rows, w.Clock).ChangeCompany(ctx, w.Main.ID,
			func(c *workspace.Company) error { c.Name = "x"; return nil })
		if err == nil || errors.Is(err, store.ErrConflict) != c.conflict || (rows.asked == 1) != c.once {
			t.Errorf("%v: asked %d times, %v", c.reasons, rows.asked, err)
		}
		if large := c.reasons[0] == table.ReasonTooLarge; errors.Is(err, table.ErrTooLarge) != large {
			t.Errorf("%v: %v", c.reasons, err)
		}
	}
	_, err := w.Store.ChangeCompany(t.Context(), w.Main.ID, func(c *workspace.Company) error {
		c.Description = strings.Repeat("x", table.MaxItemBytes)
		return nil
	})
	if !errors.Is(err, table.ErrTooLarge) {
		t.Error(err)
	}
}

// Who creates has changed nothing that another could change: a table that is too busy is no conflict to them.
func TestCreationsMeetNoConflict(t *testing.T) {
	w := worldtest.NewWorld(t)
	w.WithFeeds(t)
	for name, create := range map[string]func(context.Context, *allstores.Store) error{
		"keyword": func(ctx context.Context, s *allstores.Store) error {
			_, err := s.CreateKeyword(ctx, w.Main.ID, keyword.Keyword{Text: "northwind"}, 10)
			return err
		},
		"feed": func(ctx context.Context, s *allstores.Store) error {
			_, err := s.CreateFeed(ctx, w.Main.ID, feed.Feed{Name: "a"}, "")
			return err
		},
		"notification": func(ctx context.Context, s *allstores.Store) error {
			_, err := s.CreateNotification(ctx, w.Main.ID, worldtest.Notification("a"), "")
			return err
		},
	} {
		ctx, enough := context.WithCancel(t.Context())
		rows := &busy{Table: w.Table, reasons: []table.ReasonCode{table.ReasonConflict}, enough: enough}
		if err := create(ctx, allstores.New(rows, w.Clock)); err == nil || errors.Is(err, store.ErrConflict) ||
			rows.asked < 3 {
			t.Errorf("%s: asked %d times, %v", name, rows.asked, err)
		}
		enough()
	}
}
