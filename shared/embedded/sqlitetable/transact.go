package sqlitetable

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"zombiezen.com/go/sqlite"

	"earshot/shared/port/table"
)

// tokenLife is how long a transaction's token is remembered.
const tokenLife = 10 * time.Minute

// errCanceled rolls a transaction back.
var errCanceled = errors.New("canceled")

// Transact does all writes or none, in one transaction of the file. It never conflicts; it waits for its turn.
func (t *Table) Transact(ctx context.Context, tx table.Transaction) error {
	if err := t.catalog.CheckTransaction(tx); err != nil {
		return failed("transact", "", err)
	}
	usage := table.Usage{Writes: 1}
	var reasons []table.Reason
	err := t.writer.do(ctx, func(w *writer) error {
		done, err := t.known(w, tx)
		if err != nil {
			return err
		}
		if done {
			return t.again(w, tx, &usage)
		}
		reasons, err = t.applyAll(w, tx.Writes, &usage)
		return err
	})
	if err == nil || !isContext(err) {
		table.Charge(ctx, usage)
	}
	if errors.Is(err, errCanceled) {
		return &table.Canceled{Reasons: reasons}
	}
	if err != nil {
		return failed("transact", "", err)
	}
	return nil
}

// applyAll does every write, to find every reason. The caller rolls back on an error.
func (t *Table) applyAll(w *writer, writes []table.Write, usage *table.Usage) ([]table.Reason, error) {
	reasons := make([]table.Reason, len(writes))
	canceled := false
	for i, write := range writes {
		done, err := t.apply(w, write)
		usage.WriteUnits += 2*done.units + done.indexUnits
		var condition *table.ConditionFailed
		switch {
		case err == nil:
			reasons[i].Code = table.ReasonNone
		case errors.As(err, &condition):
			reasons[i] = table.Reason{Code: table.ReasonCondition, Item: condition.Item}
			canceled = true
		case errors.Is(err, table.ErrTooLarge):
			reasons[i].Code = table.ReasonTooLarge
			canceled = true
		default:
			return nil, err
		}
	}
	if canceled {
		return reasons, errCanceled
	}
	return reasons, nil
}

// known reports whether the transaction happened before, and otherwise stores its token. A rollback removes the token.
func (t *Table) known(w *writer, tx table.Transaction) (bool, error) {
	if tx.Token() == "" {
		return false, nil
	}
	now := t.clock.Now()
	if err := w.exec("DELETE FROM tokens WHERE expires <= ?", now.Unix()); err != nil {
		return false, err
	}
	digest, err := t.codec.digest(tx.Writes)
	if err != nil {
		return false, err
	}
	var before []byte
	err = w.query("SELECT digest FROM tokens WHERE token = ?", func(row *sqlite.Stmt) (more bool, err error) {
		before = make([]byte, row.ColumnLen(0))
		row.ColumnBytes(0, before)
		return false, nil
	}, tx.Token())
	switch {
	case err != nil:
		return false, err
	case before == nil:
		return false, w.exec("INSERT INTO tokens VALUES (?, ?, ?)", tx.Token(), digest, now.Add(tokenLife).Unix())
	case !bytes.Equal(before, digest):
		return false, fmt.Errorf("%w: the token belongs to another transaction", table.ErrInvalid)
	}
	return true, nil
}

// again charges for a transaction that already happened: its items are read.
func (t *Table) again(w *writer, tx table.Transaction, usage *table.Usage) error {
	for _, write := range tx.Writes {
		name, key, _ := table.TargetOf(write)
		size, _, err := t.load(w, t.tables[name], key)
		if err != nil {
			return err
		}
		usage.ReadUnits += 2 * table.ReadUnits(size, true)
	}
	return nil
}
