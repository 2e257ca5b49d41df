// Package sqlitetable implements the port table on one SQLite file, for laptops, demos and tests. It needs no cgo.
//
// It responds as DynamoDB does, with the same limits, pages and capacity units, so that code that works on it works
// there. Misbehave makes it fail as DynamoDB may. A write is durable when it returns: it survives the death of the
// process at any point. A loss of power may undo the last writes, back to the last checkpoint of the log, whole and in
// order. It never undoes a part of a write and never damages the file (synchronous=NORMAL; FULL would keep the writes
// at eight times the cost, see the benchmarks). Several processes of one program may use one file; their writes take
// turns.
//
// Only the workbench, tools and tests import it.
package sqlitetable

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"earshot/shared/embedded/sqlitefile"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
)

// Options of a table. The zero value is for use, not for tests.
type Options struct {
	Clock     clock.Clock // by which items expire; nil is the machine's
	Misbehave Misbehave
}

// A Table is a set of tables in one SQLite file. Close it.
type Table struct {
	catalog *table.Catalog
	tables  map[string]*layout
	clock   clock.Clock
	codec   codec

	readers   *readers
	writer    *writer
	misbehave atomic.Pointer[Misbehave]
	lagging   map[address]table.Item // guarded by the writer: what the indexes still show
}

// busyPatience is how long a connection waits for another process before the operation is ErrThrottled. Writes of
// others are short. Only a process that is stopped in the middle of a write makes anyone wait as long.
const busyPatience = 30 * time.Second

// Open opens the file, and creates it if it is missing. Its folder must exist. It adds new tables and indexes to a file
// that lacks them. Returns *ErrOtherVersion for a file with another layout, and *sqlitefile.ErrDamaged for an
// incomplete database.
func Open(path string, schemas []table.Schema, options Options) (*Table, error) {
	catalog, err := table.NewCatalog(schemas)
	if err != nil {
		return nil, fmt.Errorf("sqlitetable: %w", err)
	}
	codec, err := newCodec()
	if err != nil {
		return nil, fmt.Errorf("sqlitetable: %w", err)
	}
	t := &Table{catalog: catalog, tables: layouts(schemas), clock: options.Clock, codec: codec}
	t.lagging = map[address]table.Item{}
	if t.clock == nil {
		t.clock = clock.System{}
	}
	t.misbehave.Store(&options.Misbehave)
	if err := t.open(path, schemas); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlitetable: open %s: %w", path, sqlitefile.Explain(path, err)), t.Close())
	}
	return t, nil
}

func (t *Table) open(path string, schemas []table.Schema) error {
	if err := sqlitefile.Make(path, applicationID); err != nil {
		return err
	}
	var err error
	if t.writer, err = newWriter(path); err != nil {
		return err
	}
	if err := t.prepare(schemas); err != nil {
		return err
	}
	t.readers = newReaders(path, max(4, 2*runtime.GOMAXPROCS(0)))
	return t.sweep()
}

// Close ends the use of the file. Operations must have returned.
func (t *Table) Close() error {
	var errs []error
	if t.writer != nil {
		if t.readers != nil && t.misbehave.Load().IndexLag {
			errs = append(errs, t.CatchUp())
		}
		errs = append(errs, t.writer.close())
	}
	if t.readers != nil {
		errs = append(errs, t.readers.close())
	}
	return errors.Join(errs...)
}

// failed returns the port's error for an error below it.
func failed(doing, tableName string, err error) error {
	switch {
	case errors.Is(err, table.ErrInvalid), errors.Is(err, table.ErrTooLarge), errors.Is(err, table.ErrThrottled),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("sqlitetable: %s %s: %w", doing, tableName, err)
	case sqlitefile.Busy(err):
		return fmt.Errorf("sqlitetable: %s %s: %w: %w", doing, tableName, table.ErrThrottled, err)
	}
	return fmt.Errorf("sqlitetable: %s %s: %w: %w", doing, tableName, table.ErrUnavailable, err)
}
