package sesmail_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"earshot/shared/aws/account"
	"earshot/shared/aws/sesmail"
	"earshot/shared/port/mail"
	"earshot/shared/port/mail/mailtest"
)

// moto answers what its SES has sent, as its own API shows it, from an address. Of a mail with HTML it keeps the HTML alone.
func moto(ctx context.Context, endpoint, from string) (messages []mail.Message, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint+"/moto-api/data.json", nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("moto answered %s; it cannot tell of mails while its Cognito has a member of a group", response.Status)
	}
	var data struct {
		SES struct {
			Message []struct {
				Source, Subject, Body string
				Destinations          struct{ ToAddresses, CcAddresses, BccAddresses []string }
			}
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&data); err != nil {
		return nil, err
	}
	for _, sent := range data.SES.Message {
		if sent.Source != from {
			continue
		}
		to := sent.Destinations
		if len(to.ToAddresses) != 1 || len(to.CcAddresses) != 0 || len(to.BccAddresses) != 0 {
			return nil, fmt.Errorf("a mail to %v", to)
		}
		message := mail.Message{To: to.ToAddresses[0], Subject: sent.Subject, Text: sent.Body}
		if strings.HasPrefix(sent.Body, "<") {
			message.Text, message.HTML = "", sent.Body
		}
		messages = append(messages, message)
	}
	return messages, nil
}

func TestSuite(t *testing.T) {
	endpoint := os.Getenv("MAIL_ENDPOINT")
	if endpoint == "" {
		t.Skip("MAIL_ENDPOINT is not set: no server that speaks the API of SES to test against (see make peers)")
	}
	asker, err := account.From(os.Getenv, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	client := sesmail.NewClient(asker)
	open := func(t *testing.T, from string) *sesmail.Mailer {
		mailer, err := sesmail.New(client, sesmail.Options{From: from})
		if err != nil {
			t.Fatal(err)
		}
		return mailer
	}
	mailtest.Run(t, func(t *testing.T) mailtest.Medium {
		from := strings.ToLower(rand.Text()) + "@earshot.example"
		if _, err := client.CreateEmailIdentity(t.Context(), &sesv2.CreateEmailIdentityInput{EmailIdentity: &from}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if _, err := client.DeleteEmailIdentity(context.Background(),
				&sesv2.DeleteEmailIdentityInput{EmailIdentity: &from}); err != nil {
				t.Error(err)
			}
		})
		return mailtest.Medium{
			Mailer: open(t, from),
			Sent:   func(ctx context.Context) ([]mail.Message, error) { return moto(ctx, endpoint, from) },
		}
	}, mailtest.Options{HidesText: true, HidesMore: true})
}
