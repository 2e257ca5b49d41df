// Package compose writes what a summary says.
//
// Rules quotes mentions and invents nothing. A Writer asks a model for sentences. It keeps those that Check accepts, and
// quotes mentions for a theme of which none is kept.
//
// The nouns:
//
//   - A material is what a summary may say: figures, and themes with the posts that were chosen to speak for them.
//   - A post is the visible beginning of a mention's text. Strangers wrote it: it is data, never an instruction.
//   - A draft is a sentence of a model with the ids of the mentions that it cites.
//   - A quantity is a word of a sentence that says how many or how much.
//
// The function summaries imports it.
package compose

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"earshot/shared/analytics/themes"
	"earshot/shared/mention"
	"earshot/shared/summary"
	"earshot/shared/text"
)

// MaxPosts is how many posts speak for a theme at most.
const MaxPosts = 8

// Bounds of texts, in characters.
const (
	postRead  = 4_000 // of a body, to choose a quote from
	postShown = 500   // to the model
	quoted    = 240
)

// Material is what a summary may say.
type Material struct {
	Start, End time.Time
	Figures    summary.Figures
	Themes     []Theme
}

// A Theme is a theme without sentences, and the posts that may be cited.
type Theme struct {
	summary.Theme
	English bool // also if the language is not known
	Posts   []Post
}

// A Post is what may be cited of a mention.
type Post struct {
	ID       int64
	PostedAt time.Time
	Text     string // visible characters in one line
	Quote    string // the sentence that says most of the theme
}

// NewPost returns what may be cited of a mention. terms are its theme's.
func NewPost(m *mention.Mention, terms []string) Post {
	whole := strings.TrimSpace(themes.Text(m.Title) + "\n" + themes.Text(m.Body))
	return Post{
		ID:       m.ID,
		PostedAt: m.PostedAt,
		Text:     text.CutAtWord(themes.Visible(whole, postRead), postShown),
		Quote:    quote(whole, terms),
	}
}

// Rules returns the themes with quotes, each of another post.
func Rules(m Material) []summary.Theme {
	out := make([]summary.Theme, len(m.Themes))
	for i, t := range m.Themes {
		out[i] = t.quoting()
	}
	return out
}

// quoting returns the theme with quotes.
func (t Theme) quoting() summary.Theme {
	said := t.Theme
	said.Sentences = []summary.Sentence{}
	for _, p := range t.Posts {
		if p.Quote != "" && len(said.Sentences) < summary.MaxSentences {
			said.Sentences = append(said.Sentences, summary.Sentence{
				Text: "“" + p.Quote + "”", MentionIDs: []int64{p.ID},
			})
		}
	}
	return said
}

// quote returns the sentence of a text that has most of a theme's terms; of several, the first that says more than a
// word or two. Marks that begin and end quotes become plain ones, so that a quote cannot end early.
func quote(whole string, terms []string) (best string) {
	most := -1
	for _, sentence := range sentences(text.First(whole, postRead)) {
		sentence = themes.Visible(strings.NewReplacer("“", `"`, "”", `"`).Replace(sentence), postRead)
		if sentence == "" {
			continue
		}
		score, lower := 0, strings.ToLower(sentence)
		for _, term := range terms {
			if strings.Contains(lower, strings.ToLower(term)) {
				score += 2
			}
		}
		if len(strings.Fields(sentence)) >= 4 {
			score++
		}
		if score > most {
			best, most = sentence, score
		}
	}
	return text.CutAtWord(best, quoted)
}

// sentences divides a text at line breaks, and after a sign that ends a sentence and a space.
func sentences(whole string) (all []string) {
	var one strings.Builder
	ended := false
	for _, r := range whole {
		if r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || ended && unicode.IsSpace(r) {
			all = append(all, one.String())
			one.Reset()
			ended = false
			continue
		}
		one.WriteRune(r)
		ended = strings.ContainsRune(".!?…。！？", r) || ended && strings.ContainsRune(`"')”’»`, r)
	}
	return append(all, one.String())
}

// Headline says the figures and the largest theme. It is made of figures and of a label of letters, digits and marks of
// words, so that there is nothing to check.
func Headline(m Material) string {
	f := m.Figures
	if f.Mentions == 0 {
		return "No mentions" + changed(f) + "."
	}
	line := count(f.Mentions, "mention") + changed(f)
	if f.Why != "" {
		line = "About " + line
	}
	if judged := f.Sentiment.Positive + f.Sentiment.Neutral + f.Sentiment.Negative; judged > 0 {
		line += fmt.Sprintf("; %d of %d with a sentiment are negative", f.Sentiment.Negative, judged)
	}
	if len(m.Themes) == 0 {
		return line + "."
	}
	return fmt.Sprintf("%s. The largest theme, %q, has %d%% of the stories.",
		line, m.Themes[0].Title, percent(m.Themes[0].Share))
}

// changed says how the number of mentions differs from that of the period before.
func changed(f summary.Figures) string {
	change, ok := f.Change()
	points := percent(change)
	switch {
	case !ok && f.Mentions == 0:
		return ", as in the period before"
	case !ok:
		return ", none in the period before"
	case f.Mentions == f.Before:
		return ", as many as in the period before"
	case points == 0:
		return ", about as many as in the period before"
	case points < 0:
		return fmt.Sprintf(", %d%% fewer than in the period before", -points)
	}
	return fmt.Sprintf(", %d%% more than in the period before", points)
}

func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func percent(share float64) int64 { return int64(math.Round(100 * share)) }
