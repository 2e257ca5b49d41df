package candidate_test

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"testing"

	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

func TestCommon(t *testing.T) {
	for _, text := range []string{
		"Box", "Go", "X", "Stripe", "Notion", "linear", "ZOOM", "Slack", "SAP", "MAN", "The Box", "a box", "Box!", "“Box”",
		"e-mail", "LaTeX", "IndiGo",
		"Monday", "Oslo", "Claude", "Hudson", "Ｂｏｘ", "Bo\u00adx", " box ", "G2", "360", "yeet", "kaizen", "nube", "roadmap",
		"colour", "theatre",
		"vivo", "Q&A", "r&d", "The B&B", "Müller", "été", "Sabah", // everyday words of other languages
	} {
		if !candidate.Common(text) {
			t.Errorf("%q is no common word", text)
		}
	}
	for _, text := range []string{
		"", " ", "!", "Figma", "Zapier", "C++", "C#", ".NET", "Node.js", "monday.com", "C3.ai", "1Password", "37signals",
		"@box", "#box", "box/x", "AT&T",
		"Google", "Airbus", "Siemens", "TypeScript", "Red Hat", "the red box", "open table", "小米", "Boulanger", "DHL",
		"1.1.1.1", "a\x00b", "\xff",
	} {
		if candidate.Common(text) {
			t.Errorf("%q is a common word", text)
		}
	}
}

// A word that is not said every day is common where its language is spoken.
func TestCommonIn(t *testing.T) {
	for _, c := range []struct {
		text, language string
		want           bool
	}{
		{"Boulanger", "french", true},
		{"le Boulanger", "french", false}, // two words
		{"boulanger!", "french", true},
		{"Boulanger", "german", false},
		{"Boulanger", "", false},
		{"Messaggero", "italian", true},
		{"Jago", "indonesian", true},
		{"Box", "french", true}, // English is spoken everywhere
		{"Siemens", "german", false},
		{"Spotify", "swedish", false},
		{"@boulanger", "french", false},
		{"boulanger.com", "french", false},
	} {
		if got := candidate.CommonIn(c.text, c.language); got != c.want {
			t.Errorf("CommonIn(%q, %s) = %v, want %v", c.text, c.language, got, c.want)
		}
	}
	if got := candidate.WordOf("Boulanger", "german", "french"); got != "french" {
		t.Errorf("WordOf(Boulanger) = %q, want french", got)
	}
	if got := candidate.WordOf("Red Box", "english"); got != "" {
		t.Errorf("WordOf(Red Box) = %q, want none", got)
	}
}

func TestSpoken(t *testing.T) {
	for _, c := range []struct {
		site    string
		sampled map[string]int
		want    []string
	}{
		{"portuguese", nil, []string{"portuguese"}},
		{"english", nil, nil},
		{"undetermined", nil, nil},
		{"", map[string]int{"english": 10, "spanish": 3}, []string{"spanish"}},
		{"english", map[string]int{"english": 10, "spanish": 2}, nil},   // too few
		{"english", map[string]int{"english": 100, "spanish": 20}, nil}, // too small a share
		{"german", map[string]int{"german": 5, "undetermined": 5}, []string{"german"}},
		{"german", map[string]int{"swedish": 9, "danish": 9}, []string{"german", "danish", "swedish"}},
	} {
		if got := candidate.Spoken(c.site, c.sampled); !slices.Equal(got, c.want) {
			t.Errorf("Spoken(%q, %v) = %q, want %q", c.site, c.sampled, got, c.want)
		}
	}
}

// The judgement beside SCOWL's sizes alone, on names that people labelled. The reviewed words were written with this
// list at hand, so that what they add is told apart.
func TestCommonOnLabelledNames(t *testing.T) {
	file, err := os.Open("testdata/names.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	measure := func(name string, judge func(row []string) bool) (precision, recall float64) {
		var right, said, common float64
		for _, row := range rows[1:] {
			judged, is := judge(row), row[1] == "1"
			if judged {
				said++
			}
			if is {
				common++
			}
			if judged && is {
				right++
			}
		}
		t.Logf("%-24s precision %.3f recall %.3f of %d names", name, right/said, right/common, len(rows)-1)
		return right / said, right / common
	}
	upTo := func(size int) func([]string) bool {
		return func(row []string) bool {
			n, err := strconv.Atoi(row[3])
			return err == nil && n <= size
		}
	}
	measure("SCOWL up to 60", upTo(60))
	bare, baseline := measure("SCOWL up to 70", upTo(proposal.CommonLevel))
	if precision, recall := measure("the lists that ship",
		func(row []string) bool { return candidate.InDictionary(row[0]) }); precision < bare || recall < baseline {
		t.Errorf("precision %.3f recall %.3f, below SCOWL alone", precision, recall)
	}
	if precision, recall := measure("Common",
		func(row []string) bool { return candidate.Common(row[0]) }); precision < 0.95 || recall < 0.95 {
		t.Errorf("precision %.3f recall %.3f", precision, recall)
	}
}

// Companies of thirteen languages, labelled by reading before anything was run on them. Half of them, by a hash of the
// name, was not looked at while the lists were made.
func TestCommonIn_LabelledCompanies(t *testing.T) {
	file, err := os.Open("testdata/companies.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, half := range []string{"dev", "test"} {
		var right, said, common float64
		for _, row := range rows[1:] {
			name, language, labelled := row[0], row[1], row[2] == "1"
			if row[4] != half {
				continue
			}
			judged := candidate.CommonIn(name, candidate.Spoken(language, nil)...)
			if judged {
				said++
			}
			if labelled {
				common++
			}
			if judged && labelled {
				right++
			}
		}
		f1 := 2 * right / (said + common)
		t.Logf("%s: precision %.3f recall %.3f F1 %.3f", half, right/said, right/common, f1)
		if f1 < 0.85 {
			t.Errorf("%s: F1 %.3f, want at least .85", half, f1)
		}
	}
}

func TestClass(t *testing.T) {
	for text, want := range map[string]proposal.Class{
		"Figma": proposal.ClassDistinctive, "Box": proposal.ClassCommon, "The Box": proposal.ClassCommon,
		"issue tracking": proposal.ClassPhrase,
		"acme.com":       proposal.ClassDomain, "docs.acme.co.uk": proposal.ClassDomain,
		"quietharbor.example": proposal.ClassDomain, "müller.de": proposal.ClassDomain,
		"@acme": proposal.ClassHandle, "Node.js": proposal.ClassDistinctive, "C++": proposal.ClassDistinctive,
		"":     proposal.ClassDistinctive,
		"e.g.": proposal.ClassDistinctive, "acme..com": proposal.ClassDistinctive,
	} {
		if got := candidate.Class(text); got != want {
			t.Errorf("%q is %s, not %s", text, got, want)
		}
	}
}

func TestGeneric(t *testing.T) {
	for _, word := range []string{"app", "Apps", "tool", "software", "platforms", "service", "solutions", "company",
		"companies", "businesses", "team", "data",
		"cloud", "online", "free", "best", "new", "website", "business", "the best tool", "AI-powered", "purpose-built",
		"Platform!"} {
		if !candidate.Generic(word) || candidate.Anchorable(word) {
			t.Errorf("%q is not generic", word)
		}
	}
	for _, word := range []string{"payments", "kubernetes", "cloud storage", "issue tracking", "video", "email",
		"project management", "zahlungen", "class", "bus",
		"海运", "open-source"} {
		if candidate.Generic(word) || !candidate.Anchorable(word) {
			t.Errorf("%q is generic", word)
		}
	}
	for _, term := range []string{"", " ", "the", "und", "of the", "3", "ab", `"pay"`, "-pay", "pay OR bill", "pa*y",
		"\xff", "12%"} {
		if candidate.Anchorable(term) {
			t.Errorf("%q can anchor", term)
		}
	}
}

func BenchmarkCommon(b *testing.B) {
	names := []string{"Stripe", "Figma", "kaizen", "The Box", "Node.js", "zzzzzz", "aardvark", "Monday"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		candidate.Common(names[i%len(names)])
	}
}
