package modeltest

import (
	"encoding/json"
	"regexp"
	"strings"

	"earshot/shared/port/model"
)

// marked is a line that delimits data.
var marked = regexp.MustCompile(`(?m)^=== DATA \S+ ===$`)

// documents returns the pieces of data in a text. Each stands between two equal lines.
func documents(text string) []string {
	var found []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if !marked.MatchString(lines[i]) {
			continue
		}
		for j := i + 1; j < len(lines); j++ {
			if lines[j] == lines[i] {
				found = append(found, strings.Join(lines[i+1:j], "\n"))
				i = j
				break
			}
		}
	}
	return found
}

// A brief is the part of the first message that the good agent reads.
type brief struct {
	Profile struct {
		Company string `json:"company"`
	} `json:"profile"`
	Candidates []candidate `json:"candidates"`
}

type candidate struct {
	Ref     string   `json:"ref"`
	Text    string   `json:"text"`
	Tag     string   `json:"tag"`
	Route   string   `json:"route"`
	Common  bool     `json:"common_word"`
	Confirm bool     `json:"confirm_handle"`
	Anchors []string `json:"anchors"`
	Volume  *struct {
		Band string `json:"band"`
	} `json:"volume"`
	Sample *sample `json:"sample"`
}

type sample struct {
	Posts     int     `json:"posts"`
	Relevance float64 `json:"relevance_rate"`
	Anchors   []struct {
		Term     string `json:"term"`
		Relevant int    `json:"relevant"`
		Noise    int    `json:"noise"`
	} `json:"anchors"`
}

// readBrief reads the first message.
func readBrief(c model.Conversation) (b brief, ok bool) {
	for _, block := range c.Messages[0].Blocks {
		for _, document := range documents(block.Text) {
			if json.Unmarshal([]byte(document), &b) == nil && len(b.Candidates) > 0 {
				return b, true
			}
		}
	}
	return brief{}, false
}

// A check is the part of a check's result that the good agent reads.
type check struct {
	OK       bool      `json:"ok"`
	Findings []finding `json:"findings"`
}

type finding struct {
	Rule string `json:"rule"`
	Ref  string `json:"ref"`
	Text string `json:"text"`
}

// readChecks returns what all checks found, and whether the last one found nothing.
func readChecks(c model.Conversation) (found []finding, ok bool) {
	for _, text := range results(c) {
		for _, document := range documents(text) {
			var read check
			if json.Unmarshal([]byte(document), &read) == nil && strings.Contains(document, `"findings"`) {
				found, ok = append(found, read.Findings...), read.OK
			}
		}
	}
	return found, ok
}

// results returns the texts of all results, in order.
func results(c model.Conversation) []string {
	var texts []string
	for _, m := range c.Messages {
		for _, b := range m.Blocks {
			if b.Result != nil {
				texts = append(texts, b.Result.Text+b.Result.JSON)
			}
		}
	}
	return texts
}

// lastWords returns the user's texts besides the results of the last message.
func lastWords(c model.Conversation) string {
	var words []string
	for _, b := range c.Messages[len(c.Messages)-1].Blocks {
		words = append(words, b.Text)
	}
	return strings.Join(words, "\n")
}

// encoded returns the JSON of a value that has one.
func encoded(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic("modeltest: " + err.Error())
	}
	return string(text)
}
