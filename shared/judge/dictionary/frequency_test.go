package dictionary_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/judge/dictionary"
)

func TestFrequency(t *testing.T) {
	for _, c := range []struct {
		word, language string
		want           dictionary.Level
	}{
		{"vivo", "portuguese", dictionary.Commonest},
		{"vivo", "spanish", dictionary.Commonest},
		{"vivo", "german", dictionary.Unlisted},
		{"vivo", "english", dictionary.Unlisted},
		{"éxito", "spanish", dictionary.Commonest},
		{"strasse", "german", dictionary.Commonest}, // folded
		{"żona", "polish", dictionary.Everyday},
		{"boulanger", "french", dictionary.Listed},
		{"sabah", "turkish", dictionary.Commonest},
		{"rasa", "indonesian", dictionary.Commonest}, // under Malay
		{"hvala", "serbian", dictionary.Commonest},   // under Croatian
		{"uke", "norwegian", dictionary.Commonest},
		{"free", "english", dictionary.Commonest},
		{"sony", "german", dictionary.Unlisted}, // known everywhere, and alike
		{"Vivo", "portuguese", dictionary.Unlisted},
		{"мир", "russian", dictionary.Unlisted},
		{"мир", "portuguese", dictionary.Unlisted},
		{"", "portuguese", dictionary.Unlisted},
		{"vivo", "", dictionary.Unlisted},
		{"\xff", "portuguese", dictionary.Unlisted},
		{strings.Repeat("a", 1000), "portuguese", dictionary.Unlisted},
	} {
		if got := dictionary.Frequency(c.word, c.language); got != c.want {
			t.Errorf("Frequency(%.20q, %s) = %d, want %d", c.word, c.language, got, c.want)
		}
	}
}

func TestCommon(t *testing.T) {
	for _, c := range []struct {
		word, language string
		want           bool
	}{
		{"vivo", "portuguese", true},
		{"vivo", "english", false},
		{"zymurgy", "english", true}, // however seldom
		{"harbor", "german", false},
		{"figma", "english", false},
		{"vivo", "klingon", false},
	} {
		if got := dictionary.Common(c.word, c.language); got != c.want {
			t.Errorf("Common(%s, %s) = %v, want %v", c.word, c.language, got, c.want)
		}
	}
}

func TestEverydayWord(t *testing.T) {
	for word, want := range map[string]bool{
		"vivo":   true,
		"sabah":  true,
		"jago":   false, // seldom enough
		"the":    false, // English alone
		"google": false,
		"figma":  false,
	} {
		if got := dictionary.EverydayWord(word); got != want {
			t.Errorf("EverydayWord(%s) = %v, want %v", word, got, want)
		}
	}
}

func TestSpoken(t *testing.T) {
	names := dictionary.Spoken()
	if len(names) != 25 || names[0] != "english" || slices.Contains(names, "") {
		t.Errorf("Spoken() = %q", names)
	}
	for _, name := range []string{"german", "french", "spanish", "italian", "portuguese", "dutch", "swedish", "danish",
		"norwegian", "polish", "turkish", "malay"} {
		if !slices.Contains(names, name) {
			t.Errorf("Spoken() lacks %s", name)
		}
	}
}

// Whatever words are encoded, they are found with their postings, and no others are.
func TestEncodeSpoken(t *testing.T) {
	word := rapid.StringMatching(`[a-dé]{1,6}|[a-zñß]{1,40}`)
	posting := rapid.Custom(func(t *rapid.T) dictionary.Posting {
		return dictionary.Posting{
			Language: rapid.IntRange(0, 30).Draw(t, "language"),
			Level:    dictionary.Level(rapid.IntRange(1, 4).Draw(t, "level")),
		}
	})
	codes := slices.Repeat([]string{"xx"}, 31)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.MapOfN(word, rapid.SliceOfN(posting, 1, 31), 0, 100).Draw(t, "words")
		table, err := dictionary.EncodeSpoken(codes, words)
		if err != nil {
			t.Fatal(err)
		}
		for one, want := range words {
			got := dictionary.PostingsOf(string(table), one)
			if len(got) != len(want) {
				t.Fatalf("%q has %d postings, want %d", one, len(got), len(want))
			}
			for i, p := range want {
				if int(got[i]>>3) != p.Language || dictionary.Level(got[i]>>1&3)+1 != p.Level {
					t.Fatalf("%q: posting %d is %x, want %v", one, i, got[i], p)
				}
			}
		}
		for _, other := range rapid.SliceOfN(word, 0, 20).Draw(t, "others") {
			if _, known := words[other]; !known && dictionary.PostingsOf(string(table), other) != "" {
				t.Fatalf("%q has postings", other)
			}
		}
	})
	fine := []dictionary.Posting{{Level: dictionary.Listed}}
	for name, words := range map[string]map[string][]dictionary.Posting{
		"an empty word":        {"": fine},
		"a long word":          {strings.Repeat("a", 65): fine},
		"no posting":           {"a": nil},
		"no level":             {"a": {{Language: 1}}},
		"a level too high":     {"a": {{Level: 5}}},
		"an unknown language":  {"a": {{Language: 31, Level: 1}}},
		"a sign before a to z": {"A": fine},
	} {
		if _, err := dictionary.EncodeSpoken(codes, words); err == nil {
			t.Errorf("%s is encoded", name)
		}
	}
}

func TestFrequency_NothingIsLoaded(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { dictionary.Frequency("éxito", "spanish") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if info, err := os.Stat("spoken.bin"); err != nil || info.Size() > 1400<<10 {
		t.Error(info.Size(), err)
	}
}

func BenchmarkFrequency(b *testing.B) {
	words := []string{"vivo", "éxito", "zzzz", "strasse", "monday"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		dictionary.Frequency(words[i%len(words)], "portuguese")
	}
}

func TestUsesOf(t *testing.T) {
	spoken := dictionary.Spoken()
	for word, want := range map[string]string{
		"éxito":  "spanish",
		"straße": "german", // as folded
		"zzzz":   "",
		"мир":    "",
		"":       "",
		"\xff":   "",
	} {
		uses := dictionary.UsesOf([]byte(word))
		names := []string{}
		for i := range uses.Len() {
			place, level := uses.At(i)
			if level != dictionary.Frequency(strings.ReplaceAll(word, "ß", "ss"), spoken[place]) {
				t.Errorf("%q in %s has the level %d", word, spoken[place], level)
			}
			names = append(names, spoken[place])
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("UsesOf(%q) = %q, want %q", word, got, want)
		}
	}
	if n := testing.AllocsPerRun(10, func() { dictionary.UsesOf([]byte("vivo")) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
