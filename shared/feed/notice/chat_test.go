package notice_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/feed"
	"earshot/shared/feed/notice"
	"earshot/shared/mention"
)

var chats = []feed.WebhookFormat{feed.FormatSlack, feed.FormatDiscord, feed.FormatTeams}

func TestChat(t *testing.T) {
	plain := mention.Mention{
		Source:   "hackernews",
		URL:      "https://posts.example/41907231",
		PostedAt: time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC),
		Body:     text("We moved our alerts to Northwind last month."),
		Author:   text("quietharbor"),
	}
	content := notice.Content{
		Says: "3 new mentions in “Launch”", Figures: []notice.Figure{{"Mentions", "3", "+2"}},
		Themes: saidBy("login error, password reset", "“<!channel> The *login* error is back.”")[:2],
		Groups: []notice.Group{{Name: "northwind", Total: 2, Mentions: []mention.Mention{plain, hostile()}}}, More: 1,
	}
	for _, format := range chats {
		body, err := notice.Chat(format, content)
		if err != nil {
			t.Fatal(err)
		}
		var indented any
		if err := json.Unmarshal(body, &indented); err != nil {
			t.Fatal(err)
		}
		pretty, _ := json.MarshalIndent(indented, "", "  ")
		golden(t, "chat."+string(format)+".json", string(pretty)+"\n")
	}
	var chat, message feed.SlackMessage
	body, err := notice.Chat(feed.FormatSlack, content)
	if err == nil {
		err = json.Unmarshal(body, &chat)
	}
	if err == nil {
		message, err = notice.SlackMessage(content)
	}
	if err != nil || message.Text != chat.Text || string(message.Blocks) != string(chat.Blocks) {
		t.Errorf("SlackMessage() = %s, %v, want %s", message.Blocks, err, chat.Blocks)
	}
	if _, err := notice.Chat(feed.FormatStandard, content); err == nil {
		t.Error("an event was written as a chat's message")
	}
}

// units counts as the products do at most.
func units(s string) int { return len(utf16.Encode([]rune(s))) }

// texts are the strings of a value below a key, and those below any key if it is empty.
func textsOf(value any, below string) (all []string) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			if said, is := inner.(string); is && (below == "" || key == below) {
				all = append(all, said)
				continue
			}
			all = append(all, textsOf(inner, below)...)
		}
	case []any:
		for _, inner := range v {
			all = append(all, textsOf(inner, below)...)
		}
	}
	return all
}

// within fails the test unless a body is within the recorded limits of its product.
func within(t interface{ Errorf(string, ...any) }, format feed.WebhookFormat, body []byte) {
	if !utf8.Valid(body) {
		t.Errorf("%s: no UTF-8", format)
	}
	switch format {
	case feed.FormatSlack:
		var m struct {
			Text   string
			Blocks []map[string]any
		}
		if err := json.Unmarshal(body, &m); err != nil {
			t.Errorf("%v", err)
		}
		size := units(m.Text)
		for _, block := range m.Blocks {
			for _, key := range []string{"text", "url"} {
				for _, said := range textsOf(block, key) {
					size += units(said)
				}
			}
			if header, is := block["text"].(map[string]any); is &&
				(header["type"] != "plain_text" || units(header["text"].(string)) > 150) {
				t.Errorf("header %v", header)
			}
		}
		for _, kind := range textsOf(map[string]any{"blocks": anyOf(m.Blocks)}, "type") {
			if kind == "mrkdwn" {
				t.Errorf("markup in %s", body)
			}
		}
		if size > 12_000 || len(m.Blocks) > 50 || strings.ContainsAny(m.Text, "<>") {
			t.Errorf("slack: %d characters, %d blocks, %s", size, len(m.Blocks), m.Text)
		}
	case feed.FormatDiscord:
		var m struct {
			Content string
			Embeds  []struct {
				Title, Description, URL string
				Footer                  struct{ Text string }
			}
			Mentions struct{ Parse *[]string } `json:"allowed_mentions"`
		}
		if err := json.Unmarshal(body, &m); err != nil {
			t.Errorf("%v", err)
		}
		size := 0
		for _, e := range m.Embeds {
			size += units(e.Title) + units(e.Description) + units(e.Footer.Text)
			if units(e.Title) > 256 || units(e.Description) > 4096 || units(e.Footer.Text) > 2048 ||
				e.Title+e.Description == "" && e.Footer.Text == "" {
				t.Errorf("discord: %+v", e)
			}
			for _, said := range []string{e.Title, e.Description} {
				if strings.Contains(said, "<") && !strings.Contains(said, "\\<") || strings.Contains(said, " @") {
					t.Errorf("discord shows markup: %s", said)
				}
			}
		}
		if size > 6000 || len(m.Embeds) > 10 || units(m.Content) > 2000 || m.Mentions.Parse == nil ||
			len(*m.Mentions.Parse) != 0 {
			t.Errorf("discord: %d characters, %d embeds, %d of content, %v", size, len(m.Embeds), units(m.Content), m.Mentions)
		}
	case feed.FormatTeams:
		if len(body) > 28<<10 {
			t.Errorf("teams: %d bytes", len(body))
		}
		var card any
		if err := json.Unmarshal(body, &card); err != nil {
			t.Errorf("%v", err)
		}
		for _, kind := range textsOf(card, "type") {
			if kind == "TextBlock" {
				t.Errorf("markup in %s", body)
			}
		}
	}
}

func anyOf(blocks []map[string]any) (all []any) {
	for _, b := range blocks {
		all = append(all, b)
	}
	return all
}

// Whatever strangers write, and however much, a message is within its product's limits and mentions nobody.
func TestChat_Limits(t *testing.T) {
	post := func(said string) mention.Mention {
		return mention.Mention{Source: "reddit", Title: text(said), Body: text(said), Author: text(said), AuthorName: said,
			URL: "https://posts.example/" + strings.Repeat("a", 1900), PostedAt: time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)}
	}
	for _, said := range []string{
		strings.Repeat("🔥", 10_000), strings.Repeat("مرحبا بالعالم ", 2_000),
		strings.Repeat("<script>alert(1)</script> @everyone <!channel> <@1> ", 300),
		strings.Repeat("*_~`|>#\\", 3_000), strings.Repeat("\x00\x1b\u202e", 4_000), strings.Repeat(`"\`, 9_000), "",
	} {
		for _, n := range []int{1, 10, 500} {
			if n > 10 {
				said = string([]rune(said)[:min(700, len([]rune(said)))])
			}
			var mentions []mention.Mention
			for range n {
				mentions = append(mentions, post(said))
			}
			for _, format := range chats {
				content := notice.OfMentions(said, mentions, n+3)
				content.Figures = []notice.Figure{{"Mentions", fmt.Sprint(n), said}}
				content.Themes = saidBy(said, said)
				body, err := notice.Chat(format, content)
				if err != nil {
					t.Fatal(err)
				}
				within(t, format, body)
				if n == 500 && !strings.Contains(string(body), "more") {
					t.Errorf("%s does not say that there are more", format)
				}
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.String().Draw(t, "said")
		for _, format := range chats {
			content := notice.OfMentions(said, []mention.Mention{post(said)}, 1)
			content.Themes = saidBy(said, said)
			body, err := notice.Chat(format, content)
			if err != nil {
				t.Fatal(err)
			}
			within(t, format, body)
		}
	})
}
