package sesmail_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"earshot/shared/aws/sesmail"
	"earshot/shared/port/mail"
)

// A counter accepts every mail and counts them.
type counter struct{ mails int }

func (c *counter) Do(*http.Request) (*http.Response, error) {
	c.mails++
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(strings.NewReader(`{"MessageId":"m"}`)),
	}, nil
}

// A process sends a burst and then 12 mails a second. A mail without a turn before the context's end is not sent.
func TestSend_Pace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &counter{}
		client := sesv2.New(sesv2.Options{
			Region:      "us-east-1",
			HTTPClient:  c,
			Credentials: aws.AnonymousCredentials{},
		})
		mailer, err := sesmail.New(client, sesmail.Options{From: "mail@earshot.example"})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for range 8 + 24 {
			if err := mailer.Send(t.Context(), message); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began).Round(10 * time.Millisecond); took != 2*time.Second {
			t.Errorf("32 mails took %v, want 2s", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if err := mailer.Send(ctx, message); !errors.Is(err, mail.ErrThrottled) || c.mails != 32 {
			t.Errorf("Send with 20 ms left = %v after %d mails, want mail.ErrThrottled after 32", err, c.mails)
		}
	})
}
