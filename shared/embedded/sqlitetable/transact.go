package sqlitetable

import (
	"context"
	"errors"
	"sync"

	"earshot/shared/port/table"
)

// errCanceled rolls a transaction back.
var errCanceled = errors.New("canceled")

// A sent is what the copies of a transaction with a token share. The file does not need to know the token, which never
// leaves the process: nobody repeats the transaction of a process that died.
type sent struct {
	mu   sync.Mutex // held by the copy that is under way
	done bool
}

// Transact does all writes or none, in one transaction of the file. It never conflicts; it waits for its turn.
func (t *Table) Transact(ctx context.Context, tx table.Transaction) error {
	if err := t.catalog.CheckTransaction(tx); err != nil {
		return failed("transact", "", err)
	}
	own := tx.Frozen(func() any { return &sent{} }).(*sent)
	own.mu.Lock()
	defer own.mu.Unlock()
	usage := table.Usage{Writes: 1}
	var reasons []table.Reason
	err := t.writer.do(ctx, func(w *writer) (err error) {
		if own.done {
			return t.again(w, tx, &usage)
		}
		reasons, err = t.applyAll(w, tx.Writes, &usage)
		return err
	})
	own.done = own.done || err == nil
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
