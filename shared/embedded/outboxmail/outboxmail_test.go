package outboxmail_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/outboxmail"
	"earshot/shared/embedded/sqlitefile"
	"earshot/shared/embedded/sqliteidentity"
	"earshot/shared/port/clock"
	"earshot/shared/port/mail"
	"earshot/shared/port/mail/mailtest"
)

func open(t *testing.T, path string, now clock.Clock) *outboxmail.Outbox {
	t.Helper()
	outbox, err := outboxmail.Open(path, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := outbox.Close(); err != nil {
			t.Error(err)
		}
	})
	return outbox
}

func TestSuite(t *testing.T) {
	mailtest.Run(t, func(t *testing.T) mailtest.Medium {
		outbox := open(t, filepath.Join(t.TempDir(), "mail.db"), clock.System{})
		return mailtest.Medium{Mailer: outbox, Sent: func(ctx context.Context) (messages []mail.Message, err error) {
			sent, err := outbox.List(ctx, 1000)
			for _, s := range sent {
				messages = append(messages, s.Message)
			}
			return messages, err
		}}
	}, mailtest.Options{})
}

var message = mail.Message{To: "quietharbor@northwind.example", Subject: "x", Text: "x"}

// numbered is a message with its number as the subject.
func numbered(i int) mail.Message {
	m := message
	m.Subject = fmt.Sprint(i)
	return m
}

// The latest is first, by the order of sending even where the clock was turned back.
func TestList(t *testing.T) {
	now := &clock.Adjustable{}
	now.Freeze(time.Date(2026, 1, 2, 3, 4, 5, 678_999_999, time.UTC))
	outbox := open(t, filepath.Join(t.TempDir(), "mail.db"), now)
	for i := range 5 {
		if err := outbox.Send(t.Context(), numbered(i)); err != nil {
			t.Fatal(err)
		}
		now.Freeze(now.Now().Add(-time.Hour))
	}
	sent, err := outbox.List(t.Context(), 3)
	if err != nil || len(sent) != 3 || sent[0].Subject != "4" || sent[2].Subject != "2" {
		t.Fatalf("List(3) = %v, %v, want the mails 4, 3 and 2", sent, err)
	}
	if want := time.Date(2026, 1, 1, 23, 4, 5, 678_000_000, time.UTC); !sent[0].At.Equal(want) ||
		sent[0].At.Location() != time.UTC {
		t.Errorf("sent at %s, want %s", sent[0].At, want)
	}
	if err := outbox.Empty(t.Context()); err != nil {
		t.Fatal(err)
	}
	if sent, err := outbox.List(t.Context(), 3); err != nil || len(sent) != 0 {
		t.Fatalf("List(3) = %v, %v, want none", sent, err)
	}
}

// Mails outlive the one who sent them, and several may send at once.
func TestOutbox_SeveralOnOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mail.db")
	var group sync.WaitGroup
	for i := range 4 {
		outbox := open(t, path, clock.System{})
		group.Go(func() {
			for j := range 10 {
				if err := outbox.Send(t.Context(), numbered(10*i+j)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	sent, err := open(t, path, clock.System{}).List(t.Context(), 100)
	subjects := map[string]bool{}
	for _, s := range sent {
		subjects[s.Subject] = true
	}
	if err != nil || len(sent) != 40 || len(subjects) != 40 {
		t.Fatalf("List() = %d mails with %d subjects, %v, want 40 with 40", len(sent), len(subjects), err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the file: %v, %v", info.Mode(), err)
	}
}

// The file of another program is left alone.
func TestOpen_OtherProgramsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	people, err := sqliteidentity.Open(path, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	if err := people.Close(); err != nil {
		t.Fatal(err)
	}
	var other *sqlitefile.ErrOtherVersion
	if _, err := outboxmail.Open(path, clock.System{}); !errors.As(err, &other) {
		t.Fatal(err)
	}
}
