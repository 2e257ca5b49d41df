// Package mailtest is the suite that every adapter of the port mail passes. It tests what the port's comments promise,
// and that a message arrives unchanged, once.
//
// Only tests of adapters and decorators import it.
package mailtest

import (
	"context"
	"slices"
	"testing"

	"earshot/shared/port/mail"
)

// A Medium is an adapter, with the access to its other end that the suite needs.
type Medium struct {
	Mailer mail.Mailer

	// Sent returns the messages that were handed over for delivery, in any order.
	Sent func(ctx context.Context) ([]mail.Message, error)

	// Barred is a mailer whose messages the service refuses. Nil if the service accepts all.
	Barred mail.Mailer
}

// Options list what an adapter, or the server behind it, cannot do.
type Options struct {
	Skip      map[string]string // the reason for each skipped test, by its name
	HidesText bool              // the server does not show the text of a message with HTML
	HidesMore bool              // the server shows neither Unsubscribe nor Workspace
}

// Run runs the suite. open makes a medium that has sent nothing, and a cleanup that removes it.
func Run(t *testing.T, open func(t *testing.T) Medium, options Options) {
	for _, test := range []struct {
		name string
		run  func(e *env)
	}{
		{"One", testOne},
		{"Many", testMany},
		{"AtOnce", testAtOnce},
		{"Texts", testTexts},
		{"Addresses", testAddresses},
		{"Large", testLarge},
		{"Headers", testHeaders},
		{"Invalid", testInvalid},
		{"Refused", testRefused},
		{"Canceled", testCanceled},
	} {
		t.Run(test.name, func(t *testing.T) {
			if reason, skip := options.Skip[test.name]; skip {
				t.Skip(reason)
			}
			test.run(&env{t, open(t), options})
		})
	}
}

// An env is one test with its medium.
type env struct {
	*testing.T
	Medium
	options Options
}

func (e *env) send(message mail.Message) {
	e.Helper()
	if err := e.Mailer.Send(e.Context(), message); err != nil {
		e.Fatalf("%.200q: %v", message, err)
	}
}

// wants fails the test unless exactly these messages were handed over, in any order.
func (e *env) wants(want ...mail.Message) {
	e.Helper()
	got, err := e.Sent(e.Context())
	if err != nil {
		e.Fatal(err)
	}
	got, want = slices.Clone(got), slices.Clone(want)
	for i := range want {
		if e.options.HidesText && want[i].HTML != "" {
			want[i].Text = ""
		}
		if e.options.HidesMore {
			want[i].Unsubscribe, want[i].Workspace = "", ""
		}
	}
	slices.SortFunc(got, compare)
	slices.SortFunc(want, compare)
	if !slices.Equal(got, want) {
		e.Fatalf("%d messages were handed over: %.2000q\n%d were to be: %.2000q", len(got), got, len(want), want)
	}
}

func compare(a, b mail.Message) int {
	values := func(m mail.Message) []string {
		return []string{m.To, m.Subject, m.Text, m.HTML, m.Unsubscribe, m.Workspace}
	}
	return slices.Compare(values(a), values(b))
}
