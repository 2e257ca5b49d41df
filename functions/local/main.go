// Local is the workbench: the whole API in one process, for developing and testing on a laptop. The functions run as
// in their Lambdas, behind a small API Gateway, on tables in one file. Under /_local/ a test controls the workbench.
//
// It reads its settings from the environment and keeps everything in one folder: see
// earshot/functions/local/settings.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"earshot/infra/exit"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal does not wait for anything
	if err := command(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr); err != nil {
		if errors.Is(err, context.Canceled) {
			err = exit.Failing(exit.Interrupted, "interrupted")
		}
		fmt.Fprintf(os.Stderr, "earshot: %v.\n", err)
		os.Exit(exit.StatusOf(err))
	}
}
