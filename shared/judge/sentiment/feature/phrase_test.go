package feature

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// someLists and somePhrases make a small table.
func someLists() []List {
	return []List{
		{English, "deny", []string{"no", "never"}},
		{English, "fault", []string{"issues", "trouble", "no"}},
	}
}

func somePhrases(t testing.TB) *Phrases {
	t.Helper()
	file, err := BuildPhrases([]Phrase{
		{English, Praise, []string{"like", "a", "charm"}, false, false},
		{English, Praise, []string{"{deny}", "{fault}"}, false, false},
		{English, Blame, []string{"like", "a", "charm", "once"}, false, false},
		{English, Blame, []string{"falls", "_", "apart"}, false, false},
		{English, Fact, []string{"fixed", "a"}, true, false},
		{English, Fact, []string{"dm", "sent"}, false, false},
		{English, Courtesy, []string{"kind", "regards"}, false, true},
		{English, Thanks, []string{"thanks"}, false, true},
		{English, Query, []string{"how", "to"}, true, false},
		{French, Query, []string{"quel"}, true, false},
		{French, Blame, []string{"like", "a", "charm"}, false, false},
		{English, Blame, []string{"like", "a", "charm"}, false, false}, // the first counts
	}, someLists(), 8)
	if err != nil {
		t.Fatal(err)
	}
	p, err := OpenPhrases(string(file))
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

// A phrase leans the odds to its class, and the words that it covers no longer count.
func TestHear(t *testing.T) {
	p, l := somePhrases(t), tables(t)
	for _, c := range []struct {
		rule, text string
		language   Language
		class      int // Classes: no phrase is heard
		rest       string
	}{
		{"praise", "it runs like a charm today", English, Positive, "it runs today"},
		{"the longest phrase", "like a charm once", English, Negative, ""},
		{"another language", "like a charm", French, Negative, ""},
		{"a language without the phrase", "like a charm", German, Classes, "like a charm"},
		{"no language", "like a charm", Unknown, Classes, "like a charm"},
		{"cut short", "like a", English, Classes, "like a"},
		{"cut by a mark", "like a, charm", English, Classes, "like a , charm"},
		{"words of lists", "never trouble here", English, Positive, "here"},
		{"a word is in one list", "no no", English, Classes, "no no"},
		{"any word", "it falls quite apart", English, Negative, "it"},
		{"a word is missing", "it falls apart", English, Classes, "it falls apart"},
		{"negated praise", "not quite like a charm", English, Negative, "not quite"},
		{"negated blame", "never falls right apart", English, Classes, "never falls right apart"},
		{"praise that is taken back", "no issues until friday", English, Classes, "no issues until friday"},
		{"praise in question", "no issues?", English, Classes, "no issues ?"},
		{"a fact covers its clause", "fixed a bad bad crash, good", English, Neutral, ", good"},
		{"a fact covers what is before it", "hello. bad dm sent now", English, Neutral, "hello ."},
		{"a fact that a contrast follows", "fixed a crash, but it is still bad", English, Classes, ", but it is still bad"},
		{"a fact that a sentence contradicts", "fixed a crash. and yet it is still bad", English, Classes,
			". and yet it is still bad"},
		{"a fact that its clause contradicts", "fixed a crash but it is still bad", English, Classes, "but it is still bad"},
		{"a contrast that a fact describes", "fixed a crash where it ran, but it was still bad", English, Neutral,
			", but it was still bad"},
		{"a contrast that is far", "fixed a crash. good. but it is still bad", English, Neutral,
			". good . but it is still bad"},
		{"a fact that its clause limits", "fixed a crash but not here", English, Neutral, ""},
		{"a fact that a few words limit", "fixed a crash, but not here", English, Neutral, ", but not here"},
		{"praise in a longer question", "does it run like a charm on linux, too?", English, Positive,
			"does it run on linux , too ?"},
		{"praise in a question", "does it run like a charm on the new linux?", English, Classes,
			"does it run like a charm on the new linux ?"},
		{"a fact at the beginning of a clause alone", "it fixed a leak", English, Classes, "it fixed a leak"},
		{"a negated fact", "no dm sent yet", English, Classes, "no dm sent yet"},
		{"a courtesy", "we are here kind regards", English, Classes, "we are here"},
		{"a courtesy alone", "kind regards", English, Classes, "kind regards"},
		{"a courtesy that goes on", "kind regards to all of you", English, Classes, "kind regards to all of you"},
		{"thanks", "we are here now. thanks", English, Classes, "we are here now . thanks"},
		{"thanks after a fact", "dm sent. thanks", English, Neutral, "."},
		{"a question", "how to be good", English, Neutral, "how to be good"},
		{"a question with its mark", "quel bus, demain?", French, Neutral, "quel bus , demain ?"},
		{"no question", "quel bus. demain?", French, Classes, "quel bus . demain ?"},
		{"negative words of blame count", "like a charm once bad", English, Negative, "bad"},
		{"a quoted phrase", `he said it ran "like a charm" here`, English, Classes, "he said it ran like a charm here"},
		{"a phrase quoted in German", "he said it ran „like a charm“ here", English, Classes,
			"he said it ran like a charm here"},
		{"a text that is a quotation", `"it runs like a charm today"`, English, Positive, "it runs today"},
		{"a phrase behind a quotation", `"the lamp" runs like a charm today`, English, Positive, "the lamp runs today"},
		{"a mark of inches", `the 5" lamp runs like a charm today`, English, Positive, "the 5 lamp runs today"},
		{"supposed praise", "if it runs like a charm, call", English, Classes, "if it runs like a charm , call"},
		{"supposed blame", "and even if it falls quite apart, call", English, Classes,
			"and even if it falls quite apart , call"},
		{"praise behind what is supposed", "if you call, it runs like a charm", English, Positive, "if you call , it runs"},
		{"praise before what is supposed", "it runs like a charm if you call", English, Positive, "it runs if you call"},
		{"nothing", "", English, Classes, ""},
	} {
		var r reading
		r.split(&l.Lexicon, c.language, Whole, c.text)
		lean, heard := r.hear(p, c.language)
		var rest []string
		for i := range r.tokens[:r.count] {
			rest = append(rest, string(r.spelt(i)))
		}
		if got := strings.Join(rest, " "); got != c.rest {
			t.Errorf("%s: %q leaves %q, want %q", c.rule, c.text, got, c.rest)
		}
		if heard != (c.class < Classes) {
			t.Errorf("%s: hear(%q) = %v, want %v", c.rule, c.text, heard, c.class < Classes)
		}
		if heard && Best(lean) != c.class {
			t.Errorf("%s: %q leans to %v, want class %d", c.rule, c.text, lean, c.class)
		}
	}
}

// The bytes and tokens of a reading agree after phrases are taken out, whatever the text.
func TestHear_Hostile(t *testing.T) {
	p, l := somePhrases(t), tables(t)
	part := rapid.SampledFrom([]string{
		"like", "a", "charm", "once", "never", "no", "issues", "fixed", "dm", "sent", "kind", "regards", "thanks", ".", "?",
		"😡", "falls", "apart", "how", "to", "\xff", "good", ":",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 0, 400).Draw(t, "parts"), " ")
		var r reading
		r.split(&l.Lexicon, English, Whole, text)
		r.turn(English)
		before := r.count
		r.hear(p, English)
		end := 1
		for i := range r.tokens[:r.count] {
			token := &r.tokens[i]
			if token.start != end || token.end <= token.start || r.bytes[token.end] != ' ' {
				t.Fatalf("token %d is from %d to %d behind %d", i, token.start, token.end, end)
			}
			end = token.end + 1
		}
		if r.count > before || r.length != end || r.turned > r.length {
			t.Fatalf("%d tokens of %d, %d bytes, want %d", r.count, before, r.length, end)
		}
	})
}

func TestBuildPhrases_Malformed(t *testing.T) {
	word := []string{"a"}
	for what, p := range map[string]Phrase{
		"no language":         {Unknown, Blame, word, false, false},
		"no meaning":          {English, Meaningless, word, false, false},
		"an unknown meaning":  {English, meanings, word, false, false},
		"no words":            {English, Blame, nil, false, false},
		"too many words":      {English, Blame, strings.Fields(strings.Repeat("a ", maxPhrase+1)), false, false},
		"any word first":      {English, Blame, []string{"_", "a"}, false, false},
		"any word last":       {English, Blame, []string{"a", "_"}, false, false},
		"a list that is none": {English, Blame, []string{"{none}"}, false, false},
		"another language's":  {French, Blame, []string{"{deny}"}, false, false},
	} {
		if _, err := BuildPhrases([]Phrase{p}, someLists(), 8); err == nil {
			t.Errorf("BuildPhrases with %s succeeds, want an error", what)
		}
	}
	if _, err := BuildPhrases(nil, make([]List, maxLists+1), 8); err == nil {
		t.Error("BuildPhrases with too many lists succeeds, want an error")
	}
	for _, bits := range []int{0, 1, 25} {
		if _, err := BuildPhrases([]Phrase{{English, Blame, []string{"a", "b", "c"}, false, false}}, nil, bits); err == nil {
			t.Errorf("BuildPhrases with %d bits succeeds, want an error", bits)
		}
	}
}

func TestOpenPhrases_Malformed(t *testing.T) {
	file, err := BuildPhrases(nil, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	good := string(file)
	for _, bad := range []string{
		"", good[:8], good[:len(good)-1], good + "x", "PHR2" + good[4:], "PHR1\xff\xff\xff\xff" + good[8:],
	} {
		if _, err := OpenPhrases(bad); err == nil {
			t.Errorf("OpenPhrases of %d bytes succeeds, want an error", len(bad))
		}
	}
	full, err := OpenPhrases(good[:8] + strings.Repeat("\xff", knownBytes) + strings.Repeat("\x01\x00\x00\x00\xff", 4))
	if err != nil {
		t.Fatal(err)
	}
	full.node(1 << 40) // ends, although no slot is empty
}
