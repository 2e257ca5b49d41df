// Package webhook delivers events to addresses that workspaces have chosen, as JSON over HTTPS, signed as Standard
// Webhooks has it, with the guarantees of shared/outbound.
//
// Mains import it and pass it to the functions that deliver.
package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"earshot/shared/delivery"
	"earshot/shared/outbound"
	"earshot/shared/port/clock"
)

// The headers that identify and sign an event (Standard Webhooks, "Webhook headers").
const (
	HeaderID        = "Webhook-Id"
	HeaderTimestamp = "Webhook-Timestamp" // Unix seconds
	HeaderSignature = "Webhook-Signature"
)

// A Sender posts to webhooks.
type Sender struct {
	client *outbound.Client
	clock  clock.Clock
}

// New makes a sender.
func New(client *outbound.Client, now clock.Clock) Sender { return Sender{client, now} }

// Post sends an event to a URL, once, and returns what came of it. A status of 2xx is success. It reads 1 KB of the
// response. Returns the context's own error.
func (s Sender) Post(ctx context.Context, url string, m delivery.Message) (delivery.Outcome, error) {
	began := s.clock.Now()
	header := http.Header{
		"Content-Type":  {"application/json"},
		HeaderID:        {m.ID},
		HeaderTimestamp: {strconv.FormatInt(m.At.Unix(), 10)},
		HeaderSignature: {m.Signature},
	}
	answer, err := s.client.Post(ctx, url, header, m.Body, delivery.MaxResponse)
	out := delivery.Outcome{At: s.clock.Now()}
	out.Took = max(0, out.At.Sub(began))
	var failure *outbound.Failure
	switch {
	case errors.As(err, &failure):
		out.TimedOut, out.Reason = failure.TimedOut, "The webhook "+failure.Reason+"."
		return out, nil
	case err != nil:
		return out, fmt.Errorf("webhook: %w", err)
	}
	out.Status, out.RetryAfter = answer.Status, RetryAfter(answer.Header.Get("Retry-After"), out.At)
	// A cut may go through a character.
	out.Response = strings.ToValidUTF8(string(answer.Body), "\uFFFD")
	switch {
	case answer.Status/100 == 3:
		out.Reason = fmt.Sprintf("The webhook answered %d. Redirects are not followed; give the final URL.", answer.Status)
	case !out.OK():
		out.Reason = fmt.Sprintf("The webhook answered %d.", answer.Status)
	}
	return out, nil
}
