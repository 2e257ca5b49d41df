package agent

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/proposal"
)

// A fence delimits what strangers wrote: one JSON document on one line, between two lines that hold a marker. JSON
// leaves no line break in a text, so that no text can begin a line; the marker is not to be guessed by who wrote a
// text, and is taken out of texts all the same.
type fence struct{ marker string }

// fenceOf is a run's: the same each time it runs. A draft's id holds 80 random bits that nobody but its workspace sees.
func fenceOf(e proposal.Evidence) fence {
	sum := sha256.Sum256(fmt.Appendf(nil, "earshot agent fence\x00%s\x00%d", e.DraftID, e.Run))
	return fence{base32.StdEncoding.EncodeToString(sum[:])[:16]}
}

func (f fence) line() string { return "=== DATA " + f.marker + " ===" }

// around puts a value between the fence's lines.
func (f fence) around(value any) (string, error) {
	text, err := encode(value)
	if err != nil {
		return "", err
	}
	return f.line() + "\n" + text + "\n" + f.line(), nil
}

// text is a stranger's text as the model sees it: without what is no character to read, on one line, without the
// marker, and at most most characters.
func (f fence) text(text string, most int) string {
	var out strings.Builder
	space, count := false, 0
	for _, r := range text {
		// Format characters hide text from people that a model reads: marks of direction, zero widths, tags.
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			space = space || !unicode.Is(unicode.Cf, r)
			continue
		}
		if space && out.Len() > 0 {
			out.WriteByte(' ')
			count++
		}
		if space = r == ' '; space {
			continue
		}
		if count >= most {
			out.WriteRune('…')
			break
		}
		out.WriteRune(r)
		count++
	}
	return f.unmarked(out.String())
}

// unmarked takes the marker out, in capitals or not, and again until none is left: taking one out may join another.
func (f fence) unmarked(text string) string {
	for {
		at := strings.Index(capitals(text), f.marker)
		if at < 0 {
			return text
		}
		text = text[:at] + "…" + text[at+len(f.marker):]
	}
}

// capitals writes a marker's letters in capitals, and leaves every byte where it was.
func capitals(text string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, text)
}

// texts are the first of a list.
func (f fence) texts(texts []string, most, characters int) []string {
	shown := []string{}
	for _, text := range texts[:min(len(texts), most)] {
		if text = f.text(text, characters); text != "" {
			shown = append(shown, text)
		}
	}
	return shown
}

// encode writes JSON on one line; "<", ">" and "&" are escaped, so that no text looks like markup.
func encode(value any) (string, error) {
	var out bytes.Buffer
	if err := json.NewEncoder(&out).Encode(value); err != nil {
		return "", fmt.Errorf("agent: write for the model: %w", err)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}
