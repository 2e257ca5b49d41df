package notice

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"earshot/shared/feed"
	"earshot/shared/summary"
)

// Limits of the products, of which some room is left. Characters are counted as UTF-16 units, the larger count.
const (
	// maxSlackChat is for a whole message: Slack refuses about 13,000 characters, which nothing documents.
	maxSlackChat = 12_000
	// maxSlackBlocks is Slack's (Block Kit, "Blocks").
	maxSlackBlocks = 50
	// maxSlackHeader is of a header's text ("Header block").
	maxSlackHeader = 150

	// maxDiscordChat is for the texts of all embeds together ("Embed limits").
	maxDiscordChat   = 6_000
	maxDiscordEmbeds = 10
	maxDiscordTitle  = 256
	maxDiscordText   = 4_096
	maxDiscordFooter = 2_048
	// maxDiscordContent is of a message's own text ("Execute Webhook").
	maxDiscordContent = 2_000

	// maxTeamsChat is a message's size in bytes, of 28 KB ("Limits and specifications for Microsoft Teams").
	maxTeamsChat = 27 << 10

	// maxChatText is how much of a post's text a chat shows, in characters.
	maxChatText = 600
)

// facts returns the figures as one line, such as "Mentions 120 (+14 %) · Negative 9"; empty for none.
func (c Content) facts() string {
	var all []string
	for _, f := range c.Figures {
		all = append(all, f.fact())
	}
	return line(strings.Join(all, " · "), maxDiscordContent/2)
}

// fact returns the figure as words, such as "Mentions 120 (+14 %)".
func (f Figure) fact() string {
	if f.Note == "" {
		return f.Name + " " + f.Value
	}
	return f.Name + " " + f.Value + " (" + f.Note + ")"
}

// Chat returns the body that a product's webhook takes for a content. Strangers' words stand where the product shows them as
// they are: they mention nobody, and have no markup. Mentions that have no room are counted in the last line.
func Chat(format feed.WebhookFormat, c Content) ([]byte, error) {
	var body any
	switch format {
	case feed.FormatSlack:
		text, blocks := c.slack()
		body = object{"text": text, "blocks": blocks, "unfurl_links": false, "unfurl_media": false}
	case feed.FormatDiscord:
		body = c.discord()
	case feed.FormatTeams:
		return c.teams()
	default:
		return nil, fmt.Errorf("write a message: %q is no chat's format", format)
	}
	return encoded(body)
}

// SlackMessage returns the message that Slack's Web API takes for a content, with the text and the blocks that Chat gives to
// Slack's webhooks.
func SlackMessage(c Content) (feed.SlackMessage, error) {
	text, blocks := c.slack()
	written, err := encoded(blocks)
	return feed.SlackMessage{Text: text, Blocks: written}, err
}

// encoded writes JSON without escapes that HTML alone needs.
func encoded(body any) ([]byte, error) {
	var to bytes.Buffer
	e := json.NewEncoder(&to)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		return nil, fmt.Errorf("write a message: %w", err)
	}
	return bytes.TrimSpace(to.Bytes()), nil
}

type object map[string]any

// chatGroups cuts the mentions to what chats show.
func (c Content) chatGroups() []quotedGroup { return c.quote(maxChatText * max(1, c.quotedOf())) }

// more returns the last line, with the mentions of groups that had no room. Empty if there are none.
func (c Content) more(left int) string {
	if left += c.More; left > 0 {
		return fmt.Sprintf("and %d more", left)
	}
	return ""
}

func units(s string) int { return len(utf16.Encode([]rune(s))) }

// cutUnits cuts a text to so many UTF-16 units.
func cutUnits(s string, most int) string {
	if units(s) <= most {
		return s
	}
	n := 0
	for i, r := range s {
		if n += utf16.RuneLen(max(r, 0)); n > most-1 {
			return strings.TrimSpace(s[:i]) + "…"
		}
	}
	return s
}

// slack returns the text and the blocks of a message. Rich text shows its texts as they are, so that <!channel> calls nobody.
func (c Content) slack() (plain string, blocks []object) {
	said := cutUnits(c.Says, maxSlackHeader)
	blocks = []object{{"type": "header", "text": object{"type": "plain_text", "text": said, "emoji": false}}}
	room := maxSlackChat - 2*units(said) - 100 // the text beside the blocks, and the last line
	add := func(elements ...object) bool {
		size := 0
		for _, e := range elements {
			size += units(fmt.Sprint(e["text"])) + 2
			if url, is := e["url"].(string); is {
				size += units(url)
			}
		}
		if size > room || len(blocks) >= maxSlackBlocks-1 {
			return false
		}
		room -= size
		blocks = append(blocks, object{
			"type": "rich_text", "elements": []object{{"type": "rich_text_section", "elements": elements}},
		})
		return true
	}
	text := func(s string, style string) object {
		e := object{"type": "text", "text": s}
		if style != "" {
			e["style"] = object{style: true}
		}
		return e
	}
	if facts := c.facts(); facts != "" {
		add(text(facts, "bold"))
	}
	for i, t := range c.said() {
		elements := []object{text(t.Title, "bold")}
		if i == 0 {
			elements = []object{text(saidHeading+"\n", "bold"), elements[0]}
		}
		for _, sentence := range t.Sentences {
			elements = append(elements, text("\n"+sentence, ""))
		}
		add(elements...)
	}
	left := 0
	for _, g := range c.chatGroups() {
		if g.Name != "" {
			add(text(fmt.Sprintf("%s: %d", g.Name, g.Total), "bold"))
		}
		for _, q := range g.Mentions {
			elements := []object{text(q.byline(), "italic")}
			for _, part := range []struct{ said, style string }{{q.Title, "bold"}, {q.Text, ""}} {
				if part.said != "" {
					elements = append(elements, text("\n"+part.said, part.style))
				}
			}
			if q.URL != "" {
				elements = append(elements, text("\n", ""), object{"type": "link", "url": q.URL, "text": "Open the post"})
			}
			if !add(elements...) {
				left++
			}
		}
	}
	if more := c.more(left); more != "" {
		blocks = append(
			blocks,
			object{"type": "context", "elements": []object{{"type": "plain_text", "text": more, "emoji": false}}},
		)
	}
	// Notifications and old programs show this text, with Slack's markup in it.
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(said), blocks
}

// discordMarks are the characters that Discord's markup is made of.
const discordMarks = "\\*_~`|>#-[]<:@"

// unmarked escapes a stranger's words for Discord, within so many UTF-16 units.
func unmarked(s string, most int) string {
	var to strings.Builder
	n := 0
	for _, r := range s {
		escaped := strings.ContainsRune(discordMarks, r)
		size := utf16.RuneLen(max(r, 0))
		if escaped {
			size++
		}
		if n += size; n > most-1 {
			return strings.TrimSpace(to.String()) + "…"
		}
		if escaped {
			to.WriteByte('\\')
		}
		to.WriteRune(r)
	}
	return to.String()
}

// discord writes a message for a webhook: an embed for each mention. It calls nobody.
func (c Content) discord() object {
	content := []string{"**" + unmarked(c.Says, 400) + "**"}
	if facts := c.facts(); facts != "" {
		content = append(content, unmarked(facts, 800))
	}
	embeds, room, left := []object{}, maxDiscordChat, 0
	if themes := c.said(); len(themes) > 0 {
		description, size := discordThemes(themes)
		room -= size + units(saidHeading)
		embeds = append(embeds, object{"title": saidHeading, "description": description})
	}
	for _, g := range c.chatGroups() {
		for _, q := range g.Mentions {
			title, text := unmarked(q.Title, maxDiscordTitle), unmarked(q.Text, maxDiscordText)
			footer := cutUnits(q.byline(), maxDiscordFooter) // without markup
			if g.Name != "" {
				footer = cutUnits(g.Name+" · "+footer, maxDiscordFooter)
			}
			if title == "" && q.URL != "" {
				title = "Open the post" // a title alone is a link
			}
			size := units(title) + units(text) + units(footer)
			if size > room || len(embeds) == maxDiscordEmbeds {
				left++
				continue
			}
			room -= size
			embed := object{"footer": object{"text": footer}}
			for name, value := range map[string]string{"title": title, "description": text, "url": q.URL} {
				if value != "" {
					embed[name] = value
				}
			}
			embeds = append(embeds, embed)
		}
	}
	if more := c.more(left); more != "" {
		content = append(content, more)
	}
	return object{
		"content": cutUnits(strings.Join(content, "\n"), maxDiscordContent),
		"embeds":  embeds, "allowed_mentions": object{"parse": []string{}},
	}
}

// maxDiscordThemes bounds what was said, so that mentions have room too.
const maxDiscordThemes = 2_400

// discordThemes writes themes as far as they have room, and returns their size.
func discordThemes(themes []Theme) (description string, size int) {
	var all strings.Builder
	for _, t := range themes {
		part := "**" + unmarked(t.Title, maxDiscordTitle) + "**\n"
		for _, sentence := range t.Sentences {
			part += unmarked(sentence, 2*summary.MaxSentence) + "\n"
		}
		if size+units(part) > maxDiscordThemes {
			break
		}
		size += units(part)
		all.WriteString(part)
	}
	return strings.TrimSpace(all.String()), size
}

// teams writes an Adaptive Card in the message that the Workflows of Teams take. Runs of rich text have no markup.
func (c Content) teams() ([]byte, error) {
	run := func(s string, with object) object {
		r := object{"type": "TextRun", "text": s}
		for name, value := range with {
			r[name] = value
		}
		return r
	}
	block := func(runs ...object) object { return object{"type": "RichTextBlock", "inlines": runs} }
	card := func(body []object) ([]byte, error) {
		return encoded(object{"type": "message", "attachments": []object{{
			"contentType": "application/vnd.microsoft.card.adaptive",
			"content": object{
				"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4",
				"msteams": object{"width": "Full"}, "body": body,
			},
		}}})
	}
	body := []object{block(run(cutUnits(c.Says, 400), object{"size": "Large", "weight": "Bolder"}))}
	if facts := c.facts(); facts != "" {
		body = append(body, block(run(facts, object{"weight": "Bolder"})))
	}
	frame, err := card(body)
	if err != nil {
		return nil, err
	}
	room, left := maxTeamsChat-len(frame)-200, 0 // for the last line
	add := func(blocks ...object) (bool, error) {
		written, err := encoded(blocks)
		if err != nil || len(written) > room {
			return false, err
		}
		room -= len(written)
		body = append(body, blocks...)
		return true, nil
	}
	for i, t := range c.said() {
		var blocks []object
		if i == 0 {
			blocks = append(blocks, block(run(saidHeading, object{"weight": "Bolder", "size": "Medium"})))
		}
		blocks = append(blocks, block(run(t.Title, object{"weight": "Bolder"})))
		for _, sentence := range t.Sentences {
			blocks = append(blocks, block(run(sentence, nil)))
		}
		if _, err := add(blocks...); err != nil {
			return nil, err
		}
	}
	for _, g := range c.chatGroups() {
		if g.Name != "" {
			if _, err := add(block(run(fmt.Sprintf("%s: %d", g.Name, g.Total), object{"weight": "Bolder"}))); err != nil {
				return nil, err
			}
		}
		for _, q := range g.Mentions {
			blocks := []object{block(run(q.byline(), object{"isSubtle": true}))}
			blocks[0]["separator"] = true
			if q.Title != "" {
				blocks = append(blocks, block(run(q.Title, object{"weight": "Bolder"})))
			}
			if q.Text != "" {
				blocks = append(blocks, block(run(q.Text, nil)))
			}
			if q.URL != "" {
				open := object{"type": "Action.OpenUrl", "url": q.URL}
				blocks = append(blocks, block(run("Open the post", object{"color": "Accent", "selectAction": open})))
			}
			had, err := add(blocks...)
			if err != nil {
				return nil, err
			}
			if !had {
				left++
			}
		}
	}
	if more := c.more(left); more != "" {
		body = append(body, block(run(more, object{"isSubtle": true})))
	}
	return card(body)
}
