package architecture_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// storesMentions are the calls of mentionstore that write a mention's row.
var storesMentions = regexp.MustCompile(`\.(Ingest|IngestBilled|IngestLooked|ChangeMention|PutMentions?)\(`)

// A Lambda that links what writes rows of mentions packs them only when older code has ended: see PacksFrom.
func TestLambdas_PackMentionsLate(t *testing.T) {
	const functions = "earshot/functions"
	graph := list(t)
	source := func(path string) (text string) {
		files, err := filepath.Glob(filepath.Join("..", "..", strings.TrimPrefix(path, "earshot/"), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text += string(content)
		}
		return text
	}
	var writers []string
	for _, p := range graph.ours {
		if below(functions, p.ImportPath) && !below(functions+"/local", p.ImportPath) &&
			storesMentions.MatchString(source(p.ImportPath)) {
			writers = append(writers, p.ImportPath)
		}
	}
	held := 0
	for _, p := range graph.ours {
		if p.Name != "main" || !strings.HasSuffix(p.ImportPath, "/lambda") {
			continue
		}
		reached := graph.reached(p)
		if slices.ContainsFunc(writers, func(w string) bool { return reached[w] }) {
			held++
			if !strings.Contains(source(p.ImportPath), "PacksFrom(") {
				t.Errorf("%s may write rows of mentions: give its mentionstore PacksFrom", p.ImportPath)
			}
		}
	}
	if held < 5 {
		t.Errorf("%d Lambdas are held, by the writers %v", held, writers)
	}
}
