package notice_test

import (
	"html"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"earshot/shared/feed"
	"earshot/shared/feed/notice"
	"earshot/shared/port/mail"
)

// givenUp is a destination of hostile names.
func givenUp(name, workspace string) notice.Disabled {
	return notice.Disabled{
		Workspace: workspace, Name: name, Kind: feed.Webhook, Gone: true, Enable: "/api/v2/feeds/3/enable",
		Recover: "/api/v2/feeds/3/recover", Unsubscribe: "https://earshot.example/unsubscribe?token=a",
	}
}

type failer interface {
	Helper()
	Fatal(...any)
	Error(...any)
}

func disabledMail(t failer, d notice.Disabled) mail.Message {
	t.Helper()
	message, err := d.Mail("boss@mail.example")
	if err != nil {
		t.Fatal(err)
	}
	if err := mail.Check(message); err != nil {
		t.Error(err)
	}
	return message
}

func TestDisabled_Mail(t *testing.T) {
	message := disabledMail(t, givenUp(`Launch <alerts> & "co"`, "North\r\nwind </p><script>alert(1)</script>"))
	if message.To != "boss@mail.example" {
		t.Errorf("the mail goes to %s", message.To)
	}
	golden(t, "disabled.mail.txt", "Subject: "+message.Subject+"\n\n"+message.Text)
	golden(t, "disabled.mail.html", message.HTML)
}

// It is a letter like the others: both schemes, 600 pixels at most, and both parts state the same.
func TestDisabled_IsALetter(t *testing.T) {
	for _, kind := range []feed.DestinationType{feed.Webhook, feed.Email, feed.Slack} {
		for _, isGone := range []bool{true, false} {
			d := givenUp("Launch", "Northwind")
			d.Kind, d.Gone = kind, isGone
			message := disabledMail(t, d)
			head, body, _ := strings.Cut(message.HTML, "<body")
			_, lettersBody, _ := strings.Cut(letter(t, digest()).HTML, "</head>")
			if lettersHead := strings.TrimSuffix(letter(t, digest()).HTML, "</head>"+lettersBody); styleOf(head) != styleOf(lettersHead) {
				t.Errorf("%s: the style is not the letter's", kind)
			}
			shown := tag.ReplaceAllString("<body"+body, " ")
			for _, to := range link.FindAllStringSubmatch(body, -1) {
				address, err := url.PathUnescape(to[1])
				if err != nil {
					t.Fatal(err)
				}
				shown += " " + address
			}
			if got, want := words(message.Text), words(html.UnescapeString(shown)); !slices.Equal(got, want) {
				t.Errorf("%s: the text has %q\nthe HTML %q", kind, got, want)
			}
			why := "five days"
			if isGone {
				why = map[feed.DestinationType]string{
					feed.Webhook: "wants no more",
					feed.Email:   "bounced",
					feed.Slack:   "channels",
				}[kind]
			}
			for _, part := range []string{why, "POST " + d.Enable, "POST " + d.Recover, "Unsubscribe: " + d.Unsubscribe} {
				if !strings.Contains(message.Text, part) {
					t.Errorf("%s: the text has no %q: %s", kind, part, message.Text)
				}
			}
		}
	}
}

// styleOf returns the style of a letter's head.
func styleOf(head string) string {
	_, style, _ := strings.Cut(head, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	return style
}

func TestDisabled_HostileNames(t *testing.T) {
	for name, said := range map[string]string{
		"emoji":   strings.Repeat("🔥", 10_000),
		"turned":  strings.Repeat("\u202eمرحبا\u202c ", 2_000),
		"lines":   strings.Repeat("a\n\n\n", 5_000),
		"markup":  strings.Repeat("<script>alert(1)</script><img src=//evil.example> @everyone ", 200),
		"escaped": strings.Repeat("+'\"", 4_000),
		"header":  "x\r\nBcc: victim@mail.example",
		"none":    "",
	} {
		message := disabledMail(t, givenUp(said, said))
		plain := disabledMail(t, givenUp("a", "b"))
		if got, want := len(tag.FindAllString(message.HTML, -1)), len(tag.FindAllString(plain.HTML, -1)); got != want {
			t.Errorf("%s: the mail has %d tags, want %d", name, got, want)
		}
		for _, is := range tag.FindAllString(message.HTML, -1) {
			if fetches.MatchString(is) {
				t.Errorf("%s: the mail has the tag %s", name, is)
			}
		}
		if size := len(message.HTML); size > 20_000 {
			t.Errorf("%s: the mail has %d bytes of HTML", name, size)
		}
	}
}

// Whatever people call their feeds, the subject is a line, and neither part has a mark that turns or ends one.
func TestDisabled_AnyName(t *testing.T) {
	any := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("<>&\"'\r\n\u2028\u202e\x00`={}"))))
	rapid.Check(t, func(t *rapid.T) {
		message := disabledMail(t, givenUp(any.Draw(t, "name"), any.Draw(t, "workspace")))
		turns := func(c rune) bool {
			return c != '\n' && unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) ||
				unicode.In(c, unicode.Zl, unicode.Zp)
		}
		if strings.ContainsFunc(message.Subject, unicode.IsControl) ||
			strings.ContainsFunc(message.Text+message.HTML, turns) {
			t.Error(message.Subject, message.Text)
		}
		if got, want := strings.Count(message.Text, "\n\n"), 5; got != want {
			t.Error("the text has another number of paragraphs:", message.Text)
		}
	})
}
