package mailtest_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"earshot/shared/port/mail"
	"earshot/shared/port/mail/mailtest"
)

// memory keeps what it is sent, but for its fault.
type memory struct {
	fault string

	mu   sync.Mutex
	sent []mail.Message
}

func (m *memory) Send(ctx context.Context, message mail.Message) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := mail.Check(message); err != nil && m.fault != "checks nothing" {
		if m.fault == "tells the message" {
			return fmt.Errorf("%w: %q", err, message)
		}
		if m.fault == "keeps what is invalid" {
			m.sent = append(m.sent, message)
		}
		return err
	}
	if err := ctx.Err(); err != nil && m.fault != "goes on when canceled" {
		return err
	}
	switch m.fault {
	case "takes a repeat for the same":
		if len(m.sent) > 0 && m.sent[0] == message {
			return nil
		}
	case "sends twice":
		m.sent = append(m.sent, message)
	case "loses the HTML":
		message.HTML = ""
	case "loses the headers":
		message.Unsubscribe = ""
	case "loses the workspace":
		message.Workspace = ""
	case "trims":
		message.Subject = strings.TrimSpace(message.Subject)
	case "folds addresses":
		message.To = strings.ToLower(message.To)
	case "turns line ends":
		message.Text = strings.ReplaceAll(message.Text, "\r\n", "\n")
	case "speaks ASCII":
		message.Subject = strings.ToValidUTF8(message.Subject[:min(len(message.Subject), 9)], "?")
	case "cuts":
		message.Text = message.Text[:min(len(message.Text), 64<<10)]
	case "one at a time":
		if len(m.sent) == 1 {
			m.sent[0] = message
			return nil
		}
	}
	m.sent = append(m.sent, message)
	return nil
}

// barred refuses everything.
type barred struct{ fault string }

func (b barred) Send(_ context.Context, message mail.Message) error {
	switch b.fault {
	case "refuses in its own words":
		return fmt.Errorf("refused")
	case "names whom it refuses":
		return fmt.Errorf("%w: %s", mail.ErrRefused, message.To)
	}
	return mail.ErrRefused
}

const faultVariable = "MAILTEST_FAULT"

// TestSuite runs the suite on the memory with the fault that the environment names.
func TestSuite(t *testing.T) {
	mailtest.Run(t, func(*testing.T) mailtest.Medium {
		m := &memory{fault: os.Getenv(faultVariable)}
		return mailtest.Medium{Mailer: m, Barred: barred{m.fault}, Sent: func(context.Context) ([]mail.Message, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			return m.sent, nil
		}}
	}, mailtest.Options{})
}

// Each fault fails the suite, in the test that is for it.
func TestSuite_FindsFaults(t *testing.T) {
	if os.Getenv(faultVariable) != "" {
		t.Skip("it runs for a fault already")
	}
	for fault, found := range map[string]string{
		"checks nothing": "Invalid", "tells the message": "Invalid", "keeps what is invalid": "Invalid",
		"goes on when canceled":       "Canceled",
		"takes a repeat for the same": "Many", "sends twice": "One", "loses the HTML": "Many", "trims": "Texts",
		"folds addresses": "Addresses",
		"turns line ends": "Texts", "speaks ASCII": "Texts", "cuts": "Large", "one at a time": "AtOnce",
		"refuses in its own words": "Refused",
		"names whom it refuses":    "Refused", "loses the headers": "Headers", "loses the workspace": "Headers",
	} {
		t.Run(fault, func(t *testing.T) {
			command := exec.Command(os.Args[0], "-test.run=^TestSuite$", "-test.v", "-test.timeout=1m")
			command.Env = append(os.Environ(), faultVariable+"="+fault)
			output, err := command.CombinedOutput()
			if err == nil || !strings.Contains(string(output), "--- FAIL: TestSuite/"+found+" ") {
				t.Errorf("%v\n%.4000s", err, output)
			}
		})
	}
}
