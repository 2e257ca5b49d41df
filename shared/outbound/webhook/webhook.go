// Package webhook delivers mentions to addresses that workspaces have chosen, as JSON over HTTPS, with the guarantees
// of shared/outbound.
//
// Mains import it and pass it to the feeds function, which delivers.
package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"earshot/shared/feed"
	"earshot/shared/outbound"
)

// maxAnswer is how much of a response is read, so that its connection can be reused. Its content is ignored.
const maxAnswer = 64 << 10

// A Sender posts to webhooks.
type Sender struct{ client *outbound.Client }

// New makes a sender.
func New(client *outbound.Client) Sender { return Sender{client} }

// Post sends JSON to a URL, once. A status of 2xx is success. Returns *feed.Undelivered, or the context's own error.
func (s Sender) Post(ctx context.Context, url string, body []byte) error {
	header := http.Header{"Content-Type": {"application/json"}}
	answer, err := s.client.Post(ctx, url, header, body, maxAnswer)
	var failure *outbound.Failure
	switch {
	case errors.As(err, &failure):
		return &feed.Undelivered{Reason: "The webhook " + failure.Reason + "."}
	case err != nil:
		return fmt.Errorf("webhook: %w", err)
	case answer.Status/100 == 3:
		return &feed.Undelivered{
			Reason: fmt.Sprintf(
				"The webhook answered %d. Redirects are not followed; give the final URL.", answer.Status,
			),
		}
	case answer.Status/100 != 2:
		return &feed.Undelivered{Reason: fmt.Sprintf("The webhook answered %d.", answer.Status)}
	}
	return nil
}
