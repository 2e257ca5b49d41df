package member

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/port/mail"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what is written (go test -update makes it so):\n%s", path, got)
	}
}

func TestLetter_Golden(t *testing.T) {
	ends := time.Date(2026, 12, 20, 10, 15, 0, 0, time.UTC)
	for name, letter := range map[string]letter{
		"plain": {Workspace: "Northwind", SignUpURL: "https://people.example/signup?client=1&lang=en", Invitation: Invitation{
			Email: "o'brien@northwind.example", Role: Ordinary, ExpiresAt: ends}},
		"nowhere": {
			Workspace:  "Northwind & Sons",
			Invitation: Invitation{Email: "first@northwind.example", Role: Admin, ExpiresAt: ends},
		},
		"hostile": {
			Workspace: "Acme\r\nBcc: all@northwind.example\r\n\r\n<script>alert('x')</script>\u202E\"><a href=\"javascript:y\">{{.Email}}\x00" +
				strings.Repeat("z", 100),
			SignUpURL:  "javascript:alert(1)",
			Invitation: Invitation{Email: "first@northwind.example", Role: Admin, ExpiresAt: ends},
		},
		"agency": {
			Agency:    "Harbour Agency",
			Workspace: "Northwind",
			SignUpURL: "https://people.example/signup",
			Invitation: Invitation{
				Email: "newcomer@harbour.example", Role: Ordinary, ExpiresAt: ends},
		},
		"hostileagency": {
			Agency: "Harbour\r\nBcc: all@northwind.example\r\n\r\n<img src=x onerror=\"y\">\u202E{{.Email}}\x00" +
				strings.Repeat("z", 100),
			Workspace: "</strong><script>alert('x')</script>\u2028" + strings.Repeat("w", 100),
			Invitation: Invitation{
				Email: "newcomer@harbour.example", Role: Admin, ExpiresAt: ends},
		},
		"linked": {
			Agency:    "Harbour.com Agency",
			Workspace: "Payroll: confirm at https://evil.example/x?y=1 or pay@evil.example",
			Invitation: Invitation{
				Email: "newcomer@harbour.example", Role: Ordinary, ExpiresAt: ends},
		},
		"namelessworkspace": {
			Agency:     "Harbour Agency",
			Workspace:  "\u202E\n",
			Invitation: Invitation{Email: "newcomer@harbour.example", ExpiresAt: ends},
		},
	} {
		t.Run(name, func(t *testing.T) {
			message, err := letter.message()
			if err != nil {
				t.Fatal(err)
			}
			if err := mail.Check(message); err != nil {
				t.Error(err)
			}
			golden(t, name+".txt", "To: "+message.To+"\nSubject: "+message.Subject+"\n\n"+message.Text)
			golden(t, name+".html", message.HTML)
		})
	}
}

// Whatever a workspace and an agency are called, the mail can be sent, its subject is one line, and its HTML has no
// element that is not ours.
func TestLetter_AnyName(t *testing.T) {
	plain, err := letter{Workspace: "x", Invitation: Invitation{Email: "first@northwind.example"}}.message()
	if err != nil {
		t.Fatal(err)
	}
	names := rapid.OneOf(rapid.Just(""), rapid.String(), rapid.StringMatching(`[<>"'&{}a-z\r\n ]{0,200}`))
	rapid.Check(t, func(t *rapid.T) {
		letter := letter{Agency: names.Draw(t, "agency"), Workspace: names.Draw(t, "workspace"),
			Invitation: Invitation{Email: "first@northwind.example"}}
		message, err := letter.message()
		if err != nil {
			t.Fatal(err)
		}
		if err := mail.Check(message); err != nil {
			t.Errorf("%+v: %v", letter, err)
		}
		if strings.Count(message.HTML, "<") != strings.Count(plain.HTML, "<") ||
			strings.Count(message.HTML, `"`) != strings.Count(plain.HTML, `"`) {
			t.Errorf("%+v brings markup of its own: %s", letter, message.HTML)
		}
		if strings.Count(message.Text, "\n") != strings.Count(plain.Text, "\n") {
			t.Errorf("%+v brings lines of its own: %s", letter, message.Text)
		}
	})
}
