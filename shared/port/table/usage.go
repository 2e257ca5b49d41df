package table

import (
	"context"
	"sync"
)

// Usage is the cost of operations, in the units that a store bills.
type Usage struct {
	Reads      int     // round trips that read
	Writes     int     // round trips that write, a failed condition included
	ReadUnits  float64 // read capacity, indexes included
	WriteUnits float64 // write capacity, indexes included
}

// A Meter adds up the usage of the operations that run under its context. Safe for concurrent use.
type Meter struct {
	mu    sync.Mutex
	total Usage
}

type meterKey struct{}

// WithMeter makes a context whose operations are metered, and the meter. An outer meter no longer counts them.
func WithMeter(ctx context.Context) (context.Context, *Meter) {
	meter := &Meter{}
	return context.WithValue(ctx, meterKey{}, meter), meter
}

// Total returns the usage so far.
func (m *Meter) Total() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.total
}

// Charge adds usage to the context's meter, if there is one. Adapters call it once per round trip, whatever its
// outcome.
func Charge(ctx context.Context, usage Usage) {
	meter, ok := ctx.Value(meterKey{}).(*Meter)
	if !ok {
		return
	}
	meter.mu.Lock()
	defer meter.mu.Unlock()
	meter.total.Reads += usage.Reads
	meter.total.Writes += usage.Writes
	meter.total.ReadUnits += usage.ReadUnits
	meter.total.WriteUnits += usage.WriteUnits
}
