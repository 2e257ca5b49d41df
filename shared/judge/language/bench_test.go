package language_test

import (
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"earshot/shared/judge/language"
	names "earshot/shared/language"
)

// open opens a file of real data, which is not part of the project.
func open(b *testing.B, name string) *os.File {
	b.Helper()
	folder := os.Getenv("DATA_DIR")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		b.Skipf("no real data (DATA_DIR names its folder): %v", err)
	}
	b.Cleanup(func() { file.Close() })
	return file
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := language.New(); err != nil {
			b.Fatal(err)
		}
	}
}

// The first detection pays for the pages of the table that it touches.
func BenchmarkFirst(b *testing.B) {
	start := time.Now()
	detector(b).Detect(sentences["german"])
	first := time.Since(start)
	for b.Loop() {
		detector(b).Detect(sentences["german"])
	}
	b.ReportMetric(float64(first.Microseconds()), "µs-first")
}

func BenchmarkSentences(b *testing.B) {
	d := detector(b)
	var texts []string
	for _, name := range d.Names() {
		texts = append(texts, sentences[name])
	}
	measure(b, d, texts)
}

func BenchmarkLongText(b *testing.B) {
	measure(b, detector(b), []string{strings.Repeat(sentences["english"]+". ", 1500)})
}

func BenchmarkHackerNews(b *testing.B) {
	rows, err := csv.NewReader(open(b, "language/hn_posts_2016_dev.csv")).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	d := detector(b)
	right := 0
	var texts []string
	for _, row := range rows[1:] {
		texts = append(texts, row[1])
		if d.Detect(row[1]) == "english" {
			right++
		}
	}
	measure(b, d, texts)
	b.ReportMetric(100*float64(right)/float64(len(texts)), "%english")
}

// Accuracy is the mean over the languages that both have; -v lists them.
func BenchmarkLingua(b *testing.B) {
	file, err := io.ReadAll(open(b, "language/lingua_sentences_dev.tsv"))
	if err != nil {
		b.Fatal(err)
	}
	d := detector(b)
	all, right := map[string]int{}, map[string]int{}
	var texts []string
	for line := range strings.Lines(string(file)) {
		code, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
		texts = append(texts, text)
		if name, ok := names.FromISO(code); ok {
			all[name]++
			if d.Detect(text) == name {
				right[name]++
			}
		}
	}
	macro, languages := 0.0, 0
	for _, name := range d.Names() {
		if all[name] > 0 {
			accuracy := 100 * float64(right[name]) / float64(all[name])
			b.Logf("%-12s %5.1f %% of %d", name, accuracy, all[name])
			macro += accuracy
			languages++
		}
	}
	measure(b, d, texts)
	b.ReportMetric(macro/float64(languages), "%macro")
}

func measure(b *testing.B, d *language.Detector, texts []string) {
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		d.Detect(texts[i])
		if i++; i == len(texts) {
			i = 0
		}
	}
}
