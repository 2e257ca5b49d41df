package notice_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/feed"
	"earshot/shared/feed/notice"
	"earshot/shared/mention"
)

var update = flag.Bool("update", false, "write the goldens of notifications' messages anew")

func text(s string) *string { return &s }

// hostile is a post that tries what a message could be tricked by.
func hostile() mention.Mention {
	return mention.Mention{
		ID: 1, SourceID: "x", Source: "hacker\r\nnews", PostedAt: time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC),
		URL:    "https://posts.example/?a=1&b=\"><script>alert(1)</script>",
		Title:  text("Sale\r\nBcc: victim@mail.example\r\n\r\n<img src=x onerror=alert(1)>"),
		Body:   text("<!channel> <@U1> </p></body><script>alert(1)</script>\r\n{{.Name}} \u202egnp.exe\u202c \x1b[31mred\x07\n\nhttps://evil.example & more"),
		Author: text("<b>mallory</b>"), AuthorName: "Mallory\u2028<i>",
	}
}

func TestMessages(t *testing.T) {
	plain := mention.Mention{
		Source:   "hackernews",
		URL:      "https://posts.example/41907231",
		PostedAt: time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC),
		Body:     text("We moved our alerts to Northwind last month.\n\nIt has been solid."),
		Author:   text("quietharbor"),
	}
	bare := mention.Mention{Source: "github", URL: "javascript:alert(1)", PostedAt: plain.PostedAt}
	n := feed.Notification{ID: 3, Name: `Launch <alerts> & "co"`}
	for name, m := range map[string]mention.Mention{"plain": plain, "hostile": hostile(), "bare": bare} {
		message, err := notice.TestMail(n, "someone@mail.example", "", m)
		if err != nil {
			t.Fatal(err)
		}
		if message.To != "someone@mail.example" {
			t.Errorf("it goes to %s", message.To)
		}
		golden(t, name+".mail.txt", "Subject: "+message.Subject+"\n\n"+message.Text)
		golden(t, name+".mail.html", message.HTML)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "notification."+name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%s is not as it was (%v); run with -update and look at what changes:\n%s", path, err, got)
	}
}

// Whatever a stranger writes, a subject is one line, HTML has no tag but the template's, and texts are bounded.
func TestMessages_AnyText(t *testing.T) {
	any := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("<>&\"'\r\n\u2028\u202e\x00`={}"))))
	rapid.Check(t, func(t *rapid.T) {
		body, title, author := any.Draw(t, "body"), any.Draw(t, "title"), any.Draw(t, "author")
		m := mention.Mention{
			Body:   &body,
			Title:  &title,
			Author: &author,
			Source: any.Draw(t, "source"),
			URL:    any.Draw(t, "url"),
		}
		n := feed.Notification{Name: any.Draw(t, "name")}
		message, err := notice.TestMail(n, "a@mail.example", "", m)
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsFunc(message.Subject, unicode.IsControl) || utf8.RuneCountInString(message.Subject) > 150 ||
			message.Subject == "" {
			t.Errorf("subject %q", message.Subject)
		}
		tags := strings.Count(message.HTML, "<") - strings.Count(message.HTML, "<br>")
		if most := strings.Count(pattern(t), "<"); tags > most {
			t.Errorf("%d tags in %s", tags, message.HTML)
		}
		turns := func(c rune) bool { return c != '\n' && unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) }
		if strings.ContainsFunc(message.Text, turns) || !utf8.ValidString(message.Text) {
			t.Errorf("text %q", message.Text)
		}
	})
}

// pattern is a message with every part there is.
func pattern(t *rapid.T) string {
	m := mention.Mention{Title: text("a"), Body: text("b"), Author: text("c"), Source: "d", URL: "https://posts.example/"}
	message, err := notice.TestMail(feed.Notification{Name: "e"}, "a@mail.example", "", m)
	if err != nil {
		t.Fatal(err)
	}
	return message.HTML
}

func TestMessages_LongText(t *testing.T) {
	long := strings.Repeat("é ", 20_000)
	m := mention.Mention{
		Title:  &long,
		Body:   &long,
		Author: &long,
		Source: "x",
		URL:    "https://posts.example/" + strings.Repeat("x", 3000),
	}
	message, err := notice.TestMail(feed.Notification{Name: "n"}, "a@mail.example", "", m)
	if err != nil {
		t.Fatal(err)
	}
	if n := utf8.RuneCountInString(message.Text); n > 11_000 || !strings.Contains(message.Text, "…") {
		t.Errorf("a mail of %d characters", n)
	}
	if strings.Contains(message.HTML, "posts.example") {
		t.Error("a part of an address is shown")
	}
}

func TestMessages_Addresses(t *testing.T) {
	for url, shown := range map[string]bool{
		"https://posts.example/a?b=c#d": true, "http://posts.example": true, "https://bücher.example/": true,
		"": false, "javascript:alert(1)": false, "javascript://posts.example/%0aalert(1)": false, "data:text/html,x": false,
		"ftp://posts.example/": false,
		"//posts.example/":     false, "https:posts.example": false, "https://user:word@posts.example/": false,
		"https://posts.example/\r\nx":      false,
		"https://posts.example/a b\u202ec": true, "HTTPS://posts.example/": true,
	} {
		message, err := notice.TestMail(feed.Notification{Name: "n"}, "a@mail.example", "",
			mention.Mention{Source: "x", URL: url})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(message.HTML, "<a ") && strings.Contains(message.Text, "://"); got != shown {
			t.Errorf("%q: %v\n%s", url, got, message.HTML)
		}
	}
}
