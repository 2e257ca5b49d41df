// Soak proves the workbench under load, faults and deaths: for ten minutes a steady stream of requests of every group
// of the API, random faults on every port (throttle, error, a lost response, slow, crash), and the process killed now
// and then. It holds it to this:
//
//   - No write that was acknowledged is lost, and nothing stands twice. A ledger keeps, for everything that a client
//     wrote, the states that it may be in: one where an answer acknowledged it, two where a request failed on the other
//     side or died with the process. It is compared with what the API shows after every kill and at the end.
//   - Each post that a feed shows is in one event to its webhook, and in one digest. An alert fires once an episode. All of
//     these events arrive, signed, at receivers that fail. Every other process starts an hour later, so that they are due.
//   - No answer is outside the contract: each is held against the served document, a 5xx comes only while there are faults, and
//     a connection breaks only around a kill.
//   - Memory, goroutines, open files and the log do not grow: see growth.
//
// It works on a folder of its own and on this machine alone. It ends with status 0 when all of that holds, and with 1
// when it does not; then the folder is kept and named, with what was seen.
//
//	go run ./infra/soak
//	MINUTES=2 RATE=15 SEED=7 go run ./infra/soak
//
// The same SEED draws the same faults and, of each client, the same wishes; what meets what is up to the machine.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal does not wait for anything
	held, err := command(ctx, os.Getenv)
	if err != nil {
		fmt.Fprintf(os.Stderr, "soak: %v.\n", err)
		os.Exit(1)
	}
	if !held {
		os.Exit(1)
	}
}

// command soaks as the environment says, and answers whether all held.
func command(ctx context.Context, env func(string) string) (held bool, err error) {
	o, err := optionsFrom(env, uint64(time.Now().UnixNano()))
	if err != nil {
		return false, err
	}
	if o.folder, err = os.MkdirTemp("", "earshot-soak-"); err != nil {
		return false, err
	}
	if o.binary, err = build(ctx, o.folder); err != nil {
		return false, err
	}
	o.to = os.Stdout
	s := newSoak(o)
	if err := s.run(ctx); err != nil {
		return false, fmt.Errorf("%w; what it left is in %s", err, o.folder)
	}
	s.summarize()
	if !s.findings.none() {
		fmt.Fprintf(
			o.to, "\nThe data, the log and what the workbench said are in %s. SEED=%d draws the same again.\n",
			o.folder, o.seed,
		)
		return false, nil
	}
	return true, os.RemoveAll(o.folder)
}

// build builds the workbench once, so that what is killed is the program and not go run.
func build(ctx context.Context, folder string) (string, error) {
	binary := filepath.Join(folder, "earshot")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "earshot/functions/local").
		CombinedOutput(); err != nil {
		return "", fmt.Errorf("the workbench cannot be built: %w\n%s", err, out)
	}
	return binary, nil
}

// optionsFrom reads MINUTES, RATE and SEED; unset is the seed without one.
func optionsFrom(env func(string) string, unset uint64) (options, error) {
	o := options{
		length:    10 * time.Minute,
		rate:      25,
		seed:      unset,
		killEvery: time.Minute,
		calmEvery: 20 * time.Second,
		calm:      3 * time.Second,
		tellEvery: 10 * time.Second,
	}
	if text := env("MINUTES"); text != "" {
		minutes, err := strconv.ParseFloat(text, 64)
		if err != nil || !(minutes >= 0.1 && minutes <= 24*60) {
			return options{}, fmt.Errorf("MINUTES=%s is no number of minutes from 0.1 to 1440", text)
		}
		o.length = time.Duration(minutes * float64(time.Minute))
	}
	if text := env("RATE"); text != "" {
		rate, err := strconv.ParseFloat(text, 64)
		if err != nil || !(rate >= 1 && rate <= 1000) {
			return options{}, fmt.Errorf("RATE=%s is no number of operations a second from 1 to 1000", text)
		}
		o.rate = rate
	}
	if text := env("SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return options{}, fmt.Errorf("SEED=%s is no whole number from 0", text)
		}
		o.seed = seed
	}
	return o, nil
}
