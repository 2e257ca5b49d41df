// Package sesmail implements the port mail on Amazon SES (API v2).
//
// It sends a mail at most once: it repeats only a call that SES certainly refused. Errors carry SES's codes for the
// logs. They hold nothing of a message, and none of SES's texts, which would name the address.
//
// Only mains and tests import it.
package sesmail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	netmail "net/mail"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	"golang.org/x/time/rate"

	"earshot/shared/aws/account"
	"earshot/shared/port/mail"
)

// Options configure a Mailer.
type Options struct {
	From             string // an address, or "Name <address>", that SES has verified, or whose domain it has
	ConfigurationSet string // SES's configuration set for reports on deliveries; empty for the identity's own, if any
}

// WorkspaceTag names the tag of a mail in SES that holds its workspace. Events about the mail have its tags.
const WorkspaceTag = "workspace"

// A Mailer sends by SES.
type Mailer struct {
	client *sesv2.Client
	from   string
	set    *string
	pace   *rate.Limiter
}

// SES's quota holds for all callers of an account and a region together: 14 mails a second for a new account. One
// process stays under it by this rate, after a burst. The retryer handles what several processes meet together.
const (
	mailsPerSecond = 12
	burst          = 8
)

// New makes the adapter. Send waits for its turn. It returns mail.ErrThrottled at once if the context would end before
// that.
func New(client *sesv2.Client, options Options) (*Mailer, error) {
	from, err := netmail.ParseAddress(options.From)
	if err != nil {
		return nil, errors.New("sesmail: From is no address of mail")
	}
	m := &Mailer{client: client, from: from.Address, pace: rate.NewLimiter(mailsPerSecond, burst)}
	if from.Name != "" {
		m.from = from.String() // encoded by RFC 2047, because SES accepts ASCII only
	}
	if options.ConfigurationSet != "" {
		m.set = &options.ConfigurationSet
	}
	return m, nil
}

// FromEnvironment returns the adapter for the address in the deployment's variable MAIL_FROM, with the configuration
// set in MAIL_CONFIGURATION_SET, if any. It returns nil without an address: such a deployment sends no mail, and its
// functions report that. MAIL_ENDPOINT, for tests, names another server than AWS's. env is os.Getenv or a stand-in.
func FromEnvironment(env func(string) string) (mail.Mailer, error) {
	if env("MAIL_FROM") == "" {
		return nil, nil
	}
	asker, err := account.From(env, env("MAIL_ENDPOINT"))
	if err != nil {
		return nil, fmt.Errorf("sesmail: %w", err)
	}
	return New(NewClient(asker), Options{From: env("MAIL_FROM"), ConfigurationSet: env("MAIL_CONFIGURATION_SET")})
}

// timeouts of one attempt. SES responds within some hundred milliseconds. After a timeout nobody knows whether the mail
// was sent, so the limit is longer than for other services. For the same reason only mails in a row share a connection.
var timeouts = account.Timeouts{
	Connect:  2 * time.Second,
	Response: 10 * time.Second,
	Attempt:  12 * time.Second,
	Idle:     account.Unrepeated,
}

// NewClient makes a client with up to three attempts at a request, as long as none can have sent the mail. It sends
// nothing before the first operation.
func NewClient(asker account.Account) *sesv2.Client {
	return sesv2.New(sesv2.Options{
		Region:       asker.Region,
		BaseEndpoint: asker.BaseEndpoint(),
		Credentials:  asker.Credentials(),
		HTTPClient:   account.NewHTTPClient(timeouts),
		Retryer:      newRetryer(),
	})
}

// Send hands a message to SES.
func (m *Mailer) Send(ctx context.Context, message mail.Message) error {
	if err := mail.Check(message); err != nil {
		return fmt.Errorf("sesmail: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("sesmail: %w", err)
	}
	if err := m.pace.Wait(ctx); err != nil {
		return fmt.Errorf("sesmail: %w: no turn before the call's end", cmp.Or(ctx.Err(), mail.ErrThrottled))
	}
	body := &types.Body{Text: content(message.Text)}
	if message.HTML != "" {
		body.Html = content(message.HTML)
	}
	var headers []types.MessageHeader
	for _, name := range slices.Sorted(maps.Keys(message.Headers())) {
		headers = append(headers, types.MessageHeader{Name: aws.String(name), Value: aws.String(message.Headers()[name])})
	}
	var tags []types.MessageTag
	if message.Workspace != "" {
		tags = []types.MessageTag{{Name: aws.String(WorkspaceTag), Value: &message.Workspace}}
	}
	_, err := m.client.SendEmail(ctx, &sesv2.SendEmailInput{
		FromEmailAddress:     &m.from,
		ConfigurationSetName: m.set,
		Destination:          &types.Destination{ToAddresses: []string{mail.Mailbox(message.To)}},
		Content: &types.EmailContent{
			Simple: &types.Message{Subject: content(message.Subject), Body: body, Headers: headers},
		},
		EmailTags: tags,
	})
	if err != nil {
		return failed(ctx, err)
	}
	return nil
}

func content(text string) *types.Content {
	charset := "UTF-8" // SES takes text without a charset for ASCII
	return &types.Content{Data: &text, Charset: &charset}
}
