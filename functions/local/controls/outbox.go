package controls

import (
	"context"
	"net/http"
	"time"

	"earshot/shared/embedded/outboxmail"
)

// Outbox holds the mails that were sent.
type Outbox interface {
	// List returns the mails, the latest first.
	List(ctx context.Context, limit int) ([]outboxmail.Sent, error)
	Empty(ctx context.Context) error
}

// maxListed is the most mails, and the most accounts, that are listed.
const maxListed = 1000

type sentMail struct {
	To      string `json:"to"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	HTML    string `json:"html"` // empty: it has none
	SentAt  string `json:"sentAt"`

	Headers map[string]string `json:"headers"` // its own, beyond those of every mail
}

// listOutbox lists the mails that were sent, the latest first.
func (c *controls) listOutbox(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	mails, err := c.Outbox.List(r.Context(), maxListed)
	if err != nil {
		return nil, err
	}
	shown := make([]sentMail, len(mails))
	for i, sent := range mails {
		shown[i] = sentMail{sent.To, sent.Subject, sent.Text, sent.HTML, moment(sent.At), sent.Headers()}
		if shown[i].Headers == nil {
			shown[i].Headers = map[string]string{}
		}
	}
	return map[string]any{"mails": shown}, nil
}

// emptyOutbox removes every mail.
func (c *controls) emptyOutbox(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	if err := c.Outbox.Empty(r.Context()); err != nil {
		return nil, err
	}
	return map[string]any{"mails": []sentMail{}}, nil
}

// moment writes a time as the API does.
func moment(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }
