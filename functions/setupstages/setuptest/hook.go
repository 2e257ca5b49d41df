package setuptest

import (
	"context"
	"slices"
	"strings"
	"sync"

	"earshot/shared/embedded/fault"
	"earshot/shared/port/table"
)

// A Hook is around every operation of a World's table: do performs it. in is the call of a stage that it is of, by a
// name as Disturb has it; empty when none.
type Hook func(ctx context.Context, in, operation string, do func(context.Context) error) error

// Writes says whether an operation of the table changes it.
func Writes(operation string) bool {
	return slices.Contains([]string{"put", "update", "delete", "transact"}, operation)
}

// Crash dies after an operation: by a panic, as its process would.
func Crash(operation string) { panic(fault.Crashed{Port: fault.TablePort, Operation: operation}) }

// CrashAfter is a hook that crashes once: after the nth write of the calls by a name. fired says whether it did.
func CrashAfter(name string, n int) (hook Hook, fired func() bool) {
	var mu sync.Mutex
	done := 0
	hook = func(ctx context.Context, in, operation string, do func(context.Context) error) error {
		err := do(ctx)
		if in != name || !Writes(operation) {
			return err
		}
		mu.Lock()
		done++
		now := done == n
		mu.Unlock()
		if now {
			Crash(operation)
		}
		return err
	}
	return hook, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return done >= n
	}
}

type stageKey struct{}

// within names the call of a stage in a context.
func within(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, stageKey{}, name)
}

// hooked is a table with the World's hook.
type hooked struct {
	inner table.Table
	w     *World
}

func (h hooked) do(ctx context.Context, operation string, do func(context.Context) error) error {
	h.w.mu.Lock()
	hook := h.w.hook
	h.w.mu.Unlock()
	if hook == nil {
		return do(ctx)
	}
	name, _ := ctx.Value(stageKey{}).(string)
	return hook(ctx, name, operation, do)
}

// SetHook puts a hook in the place of the one before; nil: none.
func (w *World) SetHook(hook Hook) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hook = hook
}

func (h hooked) Get(ctx context.Context, get table.Get) (item table.Item, err error) {
	if name, _ := ctx.Value(stageKey{}).(string); name != "" && name == h.w.Forgetful &&
		strings.HasPrefix(get.Key.Partition, "survey#") {
		return nil, nil
	}
	err = h.do(ctx, "get", func(ctx context.Context) error { item, err = h.inner.Get(ctx, get); return err })
	return item, err
}

func (h hooked) BatchGet(ctx context.Context, gets []table.Get) (batch table.Batch, err error) {
	err = h.do(
		ctx, "batchGet", func(ctx context.Context) error { batch, err = h.inner.BatchGet(ctx, gets); return err },
	)
	return batch, err
}

func (h hooked) Query(ctx context.Context, query table.Query) (page table.Page, err error) {
	err = h.do(ctx, "query", func(ctx context.Context) error { page, err = h.inner.Query(ctx, query); return err })
	return page, err
}

func (h hooked) Put(ctx context.Context, put table.Put) error {
	return h.do(ctx, "put", func(ctx context.Context) error {
		if h.unkept(ctx)(put) {
			return table.ErrThrottled
		}
		return h.inner.Put(ctx, put)
	})
}

func (h hooked) Update(ctx context.Context, update table.Update) (item table.Item, err error) {
	err = h.do(ctx, "update", func(ctx context.Context) error { item, err = h.inner.Update(ctx, update); return err })
	return item, err
}

func (h hooked) Delete(ctx context.Context, del table.Delete) error {
	return h.do(ctx, "delete", func(ctx context.Context) error { return h.inner.Delete(ctx, del) })
}

func (h hooked) Transact(ctx context.Context, tx table.Transaction) error {
	return h.do(ctx, "transact", func(ctx context.Context) error {
		if slices.ContainsFunc(tx.Writes, h.unkept(ctx)) {
			return table.ErrThrottled
		}
		return h.inner.Transact(ctx, tx)
	})
}

// unkept finds what an outcome is written in, in the calls of the Unkept.
func (h hooked) unkept(ctx context.Context) func(table.Write) bool {
	name, _ := ctx.Value(stageKey{}).(string)
	return func(write table.Write) bool {
		put, is := write.(table.Put)
		return is && name != "" && name == h.w.Unkept && strings.HasPrefix(table.KeyOf(put.Item).Sort, "chunk#")
	}
}
