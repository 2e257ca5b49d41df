package sfnflow_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"earshot/shared/aws/sfnflow/sfntest"
	"earshot/shared/port/flow/flowtest"
)

func TestSuite(t *testing.T) {
	endpoint := sfntest.Endpoint(t)
	flowtest.Run(t, func(t *testing.T) flowtest.Medium {
		release := make(chan struct{})
		var ending sync.Once
		end := func() { ending.Do(func() { close(release) }) }
		m := sfntest.New(t, endpoint,
			`{"StartAt": "Waits", "States": {"Waits": {"Type": "Task", "Resource": "${Waits}", "End": true}}}`,
			func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
				select {
				case <-release:
				case <-ctx.Done():
				}
				return nil, ctx.Err()
			})
		t.Cleanup(end)
		return flowtest.Medium{
			Flow: m,
			Began: func(ctx context.Context, name string) (count int, err error) {
				names, err := m.Executions(ctx)
				return len(slices.DeleteFunc(names, func(each string) bool { return each != name })), err
			},
			End: func(ctx context.Context, name string) error {
				end()
				_, err := m.Wait(ctx, name)
				return err
			},
		}
	})
}
