package queuetest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"time"

	"earshot/shared/port/queue"
)

// testTooLarge tests that one message that breaks a bound keeps all from being sent, even if it follows more messages
// than one request holds.
func testTooLarge(e *env) {
	for name, message := range map[string]queue.Message{
		"none":                 {},
		"empty":                {Body: []byte{}},
		"too long":             {Body: bytes.Repeat([]byte("a"), queue.MaxBody+1)},
		"too long in bytes":    {Body: []byte(strings.Repeat("é", queue.MaxBody/2) + "x")},
		"not UTF-8":            {Body: []byte("a\xff")},
		"half a character":     {Body: []byte("é")[:1]},
		"a surrogate":          {Body: []byte("\xed\xa0\x80")},
		"NUL":                  {Body: []byte("a\x00b")},
		"a control character":  {Body: []byte("\x1b")},
		"U+FFFE":               {Body: []byte("\ufffe")},
		"U+FFFF":               {Body: []byte("\uffff")},
		"before now":           {Body: []byte("x"), Delay: -time.Second},
		"too late":             {Body: []byte("x"), Delay: queue.MaxDelay + time.Second},
		"a fraction of second": {Body: []byte("x"), Delay: 1500 * time.Millisecond},
	} {
		all := append(messages(strings.Split(strings.Repeat("valid ", 12), " ")[:12]...), message)
		err := e.Queue.Send(e.Context(), First, all...)
		if !errors.Is(err, queue.ErrTooLarge) || errors.Is(err, queue.ErrThrottled) ||
			errors.Is(err, queue.ErrUnavailable) {
			e.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "aaaa") {
			e.Errorf("%s: the error tells the text", name)
		}
	}
	e.wants(First)
}

func testCanceled(e *env) {
	ctx, cancel := context.WithCancel(e.Context())
	cancel()
	err := e.Queue.Send(ctx, First, messages("never")...)
	if !errors.Is(err, context.Canceled) || errors.Is(err, queue.ErrUnavailable) || errors.Is(err, queue.ErrThrottled) {
		e.Fatal(err)
	}
	e.wants(First)
}

// testUnknown tests that the error of a missing queue is not one that may be repeated.
func testUnknown(e *env) {
	err := e.Queue.Send(e.Context(), "third", messages("x")...)
	if err == nil || errors.Is(err, queue.ErrUnavailable) || errors.Is(err, queue.ErrThrottled) ||
		errors.Is(err, queue.ErrTooLarge) {
		e.Fatal(err)
	}
}
