package mail_test

import (
	"errors"
	netmail "net/mail"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/member"
	"earshot/shared/port/mail"
)

// Whoever can be invited can be sent a mail.
func TestAddress_InvitedAddresses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		email := rapid.StringMatching(member.EmailPattern).Filter(member.ValidEmail).Draw(t, "email")
		if err := mail.Check(mail.Message{To: email, Subject: "x", Text: "x"}); err != nil {
			t.Fatalf("%q: %v", email, err)
		}
		if again := mail.FromMailbox(mail.Mailbox(email)); again != email {
			t.Fatalf("FromMailbox(Mailbox(%q)) = %q", email, again)
		}
	})
}

// FuzzAddress: what passes is one address to the standard library too, and could not end a header or begin another recipient.
func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"a@b.example", "a@b.example,c@d.example", "A <a@b.example>", "a@b\r\nBcc: c", `"a"@b`,
		"a@[::1]", "é@b", "@", "a@b(c)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, to string) {
		err := mail.Check(mail.Message{To: to, Subject: "x", Text: "x"})
		if err != nil {
			if !errors.Is(err, mail.ErrInvalid) {
				t.Error(err)
			}
			return
		}
		parsed, err := netmail.ParseAddressList(mail.Mailbox(to))
		if err != nil || len(parsed) != 1 || parsed[0].Address != to || parsed[0].Name != "" ||
			strings.ContainsAny(to, " \r\n,;<>\"()[]") ||
			len(to) > mail.MaxAddress {
			t.Errorf("%q is taken for an address: %v, %v", to, parsed, err)
		}
	})
}
