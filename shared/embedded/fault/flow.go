package fault

import (
	"context"

	"earshot/shared/port/flow"
)

// FlowPort is the name of the port flow in a Set.
const FlowPort = "flow"

// FlowOperations names the operations of the port flow.
func FlowOperations() []string { return []string{"start"} }

// Flow decorates a flow with the faults of the set.
func Flow(inner flow.Flow, set *Set) flow.Flow { return faultyFlow{inner, set} }

type faultyFlow struct {
	inner flow.Flow
	set   *Set
}

func (f faultyFlow) Start(ctx context.Context, name string, input []byte) error {
	_, err := Do(ctx, f.set, FlowPort, "start", flow.ErrThrottled, flow.ErrUnavailable,
		func() (nothing, error) { return nothing{}, f.inner.Start(ctx, name, input) })
	return err
}
