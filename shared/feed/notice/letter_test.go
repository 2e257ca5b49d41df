package notice_test

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"earshot/shared/feed/notice"
	"earshot/shared/mention"
	"earshot/shared/port/mail"
	"earshot/shared/summary"
)

var (
	tag     = regexp.MustCompile(`<[^>]*>`)
	link    = regexp.MustCompile(`href="([^"]*)"`)
	fetches = regexp.MustCompile(`^<(img|script|link|iframe)|src=|url\(|javascript:`)
	width   = regexp.MustCompile(`width[:=]"?(\d+)\b`)
)

// toPost begins the only links in a letter without Unsubscribe.
const toPost = `<a href="https://posts.example/1`

// wrote is a post that says the same everywhere.
func wrote(said string) mention.Mention {
	return mention.Mention{
		Source:           "reddit",
		URL:              "https://posts.example/1",
		Title:            text(said),
		Body:             text(said),
		AuthorName:       said,
		RelevanceComment: said,
		Sentiment:        mention.Negative,
		PostedAt:         time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC),
	}
}

// saidBy returns as many themes as a message shows, each with as many sentences.
func saidBy(title, sentence string) (themes []notice.Theme) {
	for range summary.MaxThemes {
		themes = append(themes, notice.Theme{Title: title, Sentences: []string{sentence, sentence, sentence}})
	}
	return themes
}

// digest has every part of a content.
func digest() notice.Content {
	untitled := wrote("We moved.\n\nIt has been solid.")
	untitled.Title, untitled.Sentiment = nil, mention.Positive
	return notice.Content{
		Says: "9 new mentions in “Launch”", More: 6, Unsubscribe: "https://earshot.example/unsubscribe?token=a",
		Figures: []notice.Figure{{"Mentions", "9", "+14 %"}, {"Reach", "1,200", ""}},
		Themes:  saidBy("login error, password reset", "“The <b>login</b> error is back.”"),
		Groups: []notice.Group{{Name: "northwind", Total: 7, Mentions: []mention.Mention{hostile(), untitled}},
			{Name: "tidewater", Mentions: []mention.Mention{wrote("مرحبا\u202e")}}, {Name: "quiet", Total: 3}},
	}
}

func letter(t *testing.T, c notice.Content) mail.Message {
	t.Helper()
	message, err := notice.Mail("a@mail.example", c)
	if err != nil {
		t.Fatal(err)
	}
	if err := mail.Check(message); err != nil {
		t.Error(err)
	}
	return message
}

func TestMail(t *testing.T) {
	message := letter(t, digest())
	golden(t, "letter.mail.txt", "Subject: "+message.Subject+"\n\n"+message.Text)
	golden(t, "letter.mail.html", message.HTML)
}

func words(s string) []string {
	return slices.Sorted(slices.Values(strings.FieldsFunc(s,
		func(c rune) bool { return !unicode.In(c, unicode.L, unicode.N) })))
}

func TestMail_SameFacts(t *testing.T) {
	message := letter(t, digest())
	_, body, _ := strings.Cut(message.HTML, "<body")
	shown := strings.ReplaceAll(tag.ReplaceAllString("<body"+body, " "), "Open the post", "")
	for _, to := range link.FindAllStringSubmatch(body, -1) {
		address, err := url.PathUnescape(to[1])
		if err != nil {
			t.Fatal(err)
		}
		shown += " " + address
	}
	if got, want := words(message.Text), words(html.UnescapeString(shown)); !slices.Equal(got, want) {
		t.Errorf("the text has %q\nthe HTML %q", got, want)
	}
}

func TestMail_Layout(t *testing.T) {
	page := letter(t, digest()).HTML
	for _, part := range []string{`"color-scheme" content="light dark"`, "@media (prefers-color-scheme: dark)", "max-width:100%"} {
		if !strings.Contains(page, part) {
			t.Errorf("Mail has no %s", part)
		}
	}
	for _, found := range width.FindAllStringSubmatch(page, -1) {
		if n, err := strconv.Atoi(found[1]); err != nil || n > 600 {
			t.Errorf("%s is more than 600 pixels", found[0])
		}
	}
}

// Whatever strangers write, and however much, a letter is within its size, fetches nothing and counts what it leaves out.
func TestMail_Hostile(t *testing.T) {
	for name, said := range map[string]string{
		"emoji":   strings.Repeat("🔥", 10_000),
		"turned":  strings.Repeat("\u202eمرحبا\u202c ", 2_000),
		"lines":   strings.Repeat("a\n\n\n", 5_000),
		"markup":  strings.Repeat("<script>alert(1)</script><img src=//evil.example> @everyone ", 200),
		"escaped": strings.Repeat("+'\"", 4_000),
		"none":    "",
	} {
		m := wrote(said)
		m.URL += strings.Repeat("(", 1900) // each becomes three bytes
		for _, n := range []int{1, 20, 100} {
			c := notice.OfMentions(said, slices.Repeat([]mention.Mention{m}, n), n+3)
			c.Says = said + "."
			c.Figures = slices.Repeat([]notice.Figure{{said, said, said}}, 50)
			c.Themes = saidBy(said, said)
			c.Groups = append(c.Groups, slices.Repeat([]notice.Group{{Name: said, Total: 9}}, 50)...)
			message := letter(t, c)
			quoted, more := strings.Count(message.Text, "2026-11-20 09:30 UTC"), 0
			_, last, _ := strings.Cut(message.Text, "\n\nand ")
			if _, err := fmt.Sscanf(last, "%d more", &more); err != nil || quoted == 0 || quoted+more != n+3 {
				t.Errorf("%s: Mail quotes %d and tells of %d more, want %d in all", name, quoted, more, n+3)
			}
			if size := len(message.HTML); size > 100_000 {
				t.Errorf("%s: Mail has %d bytes of HTML", name, size)
			}
			if rows := strings.Count(message.HTML, "<br>"); rows > 20*quoted && n > 1 || rows > 350 {
				t.Errorf("%s: Mail has %d rows for %d mentions", name, rows, quoted)
			}
			if strings.ContainsFunc(message.HTML+message.Text, func(c rune) bool { return unicode.Is(unicode.Bidi_Control, c) }) {
				t.Errorf("%s: Mail has a mark that turns the direction", name)
			}
			for _, is := range tag.FindAllString(message.HTML, -1) {
				if fetches.MatchString(is) || strings.Contains(is, "://") && !strings.HasPrefix(is, toPost) {
					t.Errorf("%s: Mail has the tag %s", name, is)
				}
			}
		}
	}
}

func TestMail_ManyLarge(t *testing.T) {
	large := wrote(strings.Repeat("word ", 2_000))
	message := letter(t, notice.OfMentions("Launch", slices.Repeat([]mention.Mention{large}, 20), 20))
	if n := strings.Count(message.Text, "09:30 UTC"); n != 20 || len(message.HTML) > 100_000 {
		t.Errorf("Mail quotes %d of 20 mentions in %d bytes", n, len(message.HTML))
	}
}

func TestMail_Sentiments(t *testing.T) {
	for sentiment, shown := range map[mention.Sentiment]bool{
		mention.Positive: true, mention.Neutral: true, mention.Negative: true, "": false, "Angry": false,
	} {
		message := letter(t, notice.OfMentions("Launch", []mention.Mention{{Source: "x", Sentiment: sentiment}}, 1))
		class, word := `<span class="`+strings.ToLower(string(sentiment))+`"`, " UTC · "+string(sentiment)
		if strings.Contains(message.HTML, class) != shown || strings.Contains(message.Text, word) != shown {
			t.Errorf("Mail shows the sentiment %q: %v, want %v", sentiment, !shown, shown)
		}
	}
}

func TestMail_Unsubscribe(t *testing.T) {
	for address, shown := range map[string]bool{
		"https://a.example/u": true, "http://localhost:1/u": true, "": false, "javascript:alert(1)": false,
	} {
		message := letter(t, notice.Content{Says: "x", Unsubscribe: address})
		if got := strings.Contains(message.HTML, `href="`+address+`"`); got != shown {
			t.Errorf("Mail(%q) has a link: %v, want %v", address, got, shown)
		}
		if got := strings.Contains(message.Text, "Unsubscribe: "+address); got != shown {
			t.Errorf("Mail(%q) has the address in its text: %v, want %v", address, got, shown)
		}
	}
}
