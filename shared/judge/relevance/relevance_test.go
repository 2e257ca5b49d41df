package relevance_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"earshot/shared/judge/relevance"
	"earshot/shared/judge/vocabulary"
	"earshot/shared/judge/words"
)

func TestGuidelines(t *testing.T) {
	for text, want := range map[string]struct{ wanted, refused []string }{
		"":                                     {nil, nil},
		"Posts about espresso machines.":       {[]string{"espresso", "machines"}, nil},
		"Not about travel.":                    {nil, []string{"travel"}},
		"Ignore recipes but show restaurants.": {[]string{"restaurants"}, []string{"recipes"}},
		"Espresso. No tea or juice":            {[]string{"espresso"}, []string{"tea", "juice"}},
		"Everything except job ads":            {nil, []string{"job", "ads"}},
		"Ignore jobs unless senior":            {[]string{"senior"}, []string{"jobs"}},
		"Not only espresso, grinders as well.": {[]string{"espresso", "grinders", "well"}, nil},
		"Espresso.\nNot espresso":              {nil, nil},
		"Coffee, not tea. Tea is not coffee":   {nil, nil}, // each is wanted and refused
	} {
		got := relevance.ReadGuidelines(text)
		got.For = without(got.For, "and", "the")
		got.Against = without(got.Against, "and", "the")
		if !slices.Equal(got.For, want.wanted) || !slices.Equal(got.Against, want.refused) {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func without(list []string, others ...string) []string {
	return slices.DeleteFunc(list, func(word string) bool { return slices.Contains(others, word) })
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		" a \r\n b\t":               "a b",
		"\u202ea\u2066b\x00c\xff":   "a b c",
		"abcdefghijklmnop":          "abcdefghij…",
		"日本語日本語日本語日本語":              "日本語日本語日本語日…",
		"abcdefghij":                "abcdefghij",
		"<b>x</b>":                  "<b>x</b>",
		strings.Repeat("\u200b", 9): "",
	} {
		got := relevance.Clean(text, 10)
		if got != want || utf8.RuneCountInString(got) > 11 {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func space(t testing.TB) *relevance.Space {
	t.Helper()
	s, err := relevance.New()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// wish is the wish of a workspace that means the animal.
var wish = relevance.Wish{
	Keyword: "seal", Domain: "https://www.Seals.example/", Products: []string{"Pup Patrol"},
	Profile: []string{"We rescue seals, whales and other marine mammals on the coast and in the ocean."},
	Exclude: []string{"coat of arms", "singer", "gasket"},
}

// Each kind of evidence moves the odds in its direction, whatever the other kinds say.
func TestEvidence(t *testing.T) {
	s := space(t)
	subject := s.Subject(wish)
	odds := func(text string) float32 { return s.Judge(subject, s.Read(words.Cut(text)), relevance.English).LogOdds }
	plain := odds("the seal was there")
	for text, more := range map[string]bool{
		"the seal was there with a dolphin":               true,
		"the seal was there with a lawyer and a contract": false,
		"the seal was there http://seals.example/a":       true,
		"the seal was there http://blog.seals.example":    true,
		"the seal was there, says pup patrol":             true,
		"the seal was there on the coat of arms":          false,
		"the singer seal was there":                       false,
		"the seals were there in the ocean":               true,
		"seal's beach and ocean":                          true,
	} {
		if got := odds(text); (got > plain) != more {
			t.Errorf("%q: %.2f, %.2f without", text, got, plain)
		}
	}
	if a, b := odds("the seal was there http://notseals.example"), plain; a != b {
		t.Errorf("a host that ends alike counts: %.2f, %.2f", a, b)
	}
}

// A sign or a number that the matcher asks for tells a name from the word in it, so that the name is believed.
func TestSignedNames(t *testing.T) {
	s := space(t)
	for _, c := range []struct{ keyword, text, language string }{
		{".NET", "What's new in .NET 10", relevance.English},
		{".NET", "The economics of .NET", relevance.English},
		{".NET", ".NET charged me twice, avoid", relevance.English},
		{"7-Eleven", "7-Eleven charged me twice, and nobody answered", relevance.English},
		{"7-Eleven", "7-Eleven ist heute wieder sehr langsam", "german"},
	} {
		subject := s.Subject(relevance.Wish{
			Keyword: c.keyword, Named: true, Profile: []string{"A free developer platform for building apps."},
		})
		if got := s.Judge(subject, s.Read(words.Cut(c.text)), c.language).LogOdds; got < 0 {
			t.Errorf("log odds of %q = %.2f, want at least 0", c.text, got)
		}
	}
}

// Where every noun has a capital, a brand that all know is no person for being a person's name too.
func TestKnownBrands(t *testing.T) {
	s := space(t)
	for keyword, want := range map[string]bool{"Yahoo": true, "Ford": true, "Otto": false, "Jordan": false} {
		subject := s.Subject(relevance.Wish{
			Keyword: keyword, Named: true, Profile: []string{"Cars, mail, clothes and news for everyone."},
		})
		text := "Ich finde, " + keyword + " ist heute wieder sehr langsam"
		if got := s.Judge(subject, s.Read(words.Cut(text)), "german").LogOdds; got >= 0 != want {
			t.Errorf("log odds of %q = %.2f, want relevant %t", text, got, want)
		}
	}
}

// Malformed labels and too many labels do no harm.
func TestLabels(t *testing.T) {
	s := space(t)
	animal := s.Vector(s.Read(words.Cut("a seal with its pup on the beach")))
	w := wish
	for i := range 1000 {
		w.Labels = append(w.Labels,
			relevance.Label{
				Relevant: i%3 == 0,
				Vector:   [][]byte{animal, nil, {1}, make([]byte, len(animal)), slices.Repeat([]byte{0xff}, len(animal))}[i%5],
			})
	}
	if o := s.Judge(s.Subject(w), s.Read(words.Cut("a seal on the beach")), relevance.English); o.LogOdds != o.LogOdds ||
		o.Comment() == "" {
		t.Errorf("%v", o.LogOdds)
	}
	if len(animal) == 0 || len(animal) > 128 || s.Vector(s.Read(nil)) != nil ||
		s.Vector(s.Read(words.Cut("zorblatt 12"))) != nil {
		t.Errorf("%d bytes", len(animal))
	}
}

// A comment quotes the workspace's own terms and single words of the table, not the post.
func TestComment_NoQuoteOfPost(t *testing.T) {
	s := space(t)
	subject := s.Subject(wish)
	for _, text := range []string{"seal zzgrmblx ocean whale", "seal zzgrmblx contract lawyer court", "zzgrmblx", "seal zzgrmblx"} {
		for _, spoken := range []string{relevance.English, "portuguese"} {
			if c := s.Judge(subject, s.Read(words.Cut(text)), spoken).Comment(); strings.Contains(c, "zzgrmblx") ||
				!strings.HasSuffix(c, ".") {
				t.Errorf("%q", c)
			}
		}
	}
}

// A name that no dictionary has, and a handle, are believed whatever stands around them. A word that people use is not.
func TestJudge_DistinctiveNames(t *testing.T) {
	s := space(t)
	profile := []string{"We rescue seals, whales and other marine mammals on the coast and in the ocean."}
	const other = " lawyer files a bankruptcy contract in court over the payday"
	for name, want := range map[string]bool{
		"google":    true,
		"Facebook":  true,
		"intel":     true,
		"microsoft": true,
		"@united":   true,
		"@seal":     true,
		"united":    false,
		"apple":     false,
		"seal":      false,
		"austin":    false, // a place and a person
		"uk":        false, // two letters
	} {
		subject := s.Subject(relevance.Wish{Keyword: name, Profile: profile})
		got := s.Judge(subject, s.Read(words.Cut(name+other)), relevance.English)
		if got.LogOdds > 0 != want {
			t.Errorf("Judge(%q%s) = %.2f (%s), want relevant %v", name, other, got.LogOdds, got.Comment(), want)
		}
	}
}

// A post to an account of the company is meant, whatever it says. Another account, and an address, tell nothing.
func TestJudge_Accounts(t *testing.T) {
	s := space(t)
	airline := relevance.Wish{
		Keyword: "united",
		Profile: []string{"An airline with flights to many cities and countries."},
		Handles: []string{"unitedairlines", "@UAL_Help"},
		Exclude: []string{"church"},
	}
	const other = " still waiting for a voucher, the lawyer files a payday contract in court, united"
	for text, want := range map[string]bool{
		"@united" + other:                 true,
		"Hey (@United)!" + other:          true,
		".@unitedAirlines" + other:        true,
		"@united_airlines church" + other: true,
		"@unitedair" + other:              true, // begins the name
		"@ualhelp" + other:                true,
		"@unitedsupport" + other:          true,
		"@united_fans" + other:            false,
		"@united.":                        true,
		"@untied" + other:                 false,
		"joe@united" + other:              false,
		"united" + other:                  false,
		"#united" + other:                 false,
	} {
		for _, spoken := range []string{relevance.English, "portuguese"} {
			got := s.Judge(s.Subject(airline), s.Read(words.Cut(text)), spoken)
			if got.LogOdds > 0 != want && spoken == relevance.English {
				t.Errorf("Judge(%q) = %.2f (%s), want relevant %v", text, got.LogOdds, got.Comment(), want)
			}
			if want && !strings.Contains(got.Comment(), "is addressed to") {
				t.Errorf("Judge(%q) says %q", text, got.Comment())
			}
		}
	}
}

// Users who keep marking posts to an account as noise are heard.
func TestJudge_LabelsOnAccount(t *testing.T) {
	s := space(t)
	w := relevance.Wish{Keyword: "@united", Profile: []string{"An airline with flights to many cities and countries."}}
	text := s.Read(words.Cut("@united in prayer, the church and the gospel choir sing"))
	for range 20 {
		w.Labels = append(w.Labels, relevance.Label{Vector: s.Vector(text)})
	}
	if got := s.Judge(s.Subject(w), text, relevance.English); got.LogOdds > 0 {
		t.Errorf("Judge(%q) = %.2f after 20 labels against it", "@united in prayer", got.LogOdds)
	}
}

// A text writes a name with a capital, and an ordinary word without one. A text without capitals tells nothing.
func TestJudge_Naming(t *testing.T) {
	s := space(t)
	odds := func(named bool, text string) float32 {
		return s.Judge(s.Subject(relevance.Wish{Keyword: "box", Named: named}), s.Read(words.Cut(text)), relevance.English).
			LogOdds
	}
	plain := odds(true, "i moved all my old files to box last week")
	for text, more := range map[string]bool{
		"I moved all my old files to Box last week":         true,
		"Box's outage hid all my old files last week":       true,
		"Moving All Your Old Files to Box in a Week":        true,
		"I think that Box employees moved all my old files": true,
		"I moved all my old files to a box last week":       false,
		"I moved all my old files to Bird Box last week":    false,
		"I moved all my old files into boxes last week":     false,
	} {
		if got := odds(true, text); got > plain != more {
			t.Errorf("Judge(%q) = %.2f, want more than %.2f: %v", text, got, plain, more)
		}
		if got := odds(false, text); got != odds(false, strings.ToLower(text)) {
			t.Errorf("Judge(%q) = %.2f for a keyword that is no name, want %.2f as in lowercase", text, got, plain)
		}
	}
}

// Brand tells the words that are brands to most people, of the dictionary too, from words that companies took.
func TestSpace_Brand(t *testing.T) {
	s := space(t)
	for word, want := range map[string]bool{
		"twitter":  true,
		"yahoo":    true,
		"oracle":   true,
		"adobe":    true,
		"amazon":   true,
		"medium":   false,
		"box":      false,
		"target":   false,
		"united":   false,
		"signal":   false,
		"zorblatt": false,
	} {
		if got := s.Brand(word); got > 0.5 != want {
			t.Errorf("Brand(%q) = %.2f, want above 0.5: %v", word, got, want)
		}
	}
}

// A name that is a word of the post's language is a name by how the post writes it, and by words of the profile. German
// writes every noun with a capital, so that only a small letter tells.
func TestJudge_WordsOfOtherLanguages(t *testing.T) {
	s := space(t)
	vivo := relevance.Wish{
		Keyword: "vivo",
		Named:   true,
		Profile: []string{"Operadora brasileira de celular, internet e televisão."},
	}
	spiegel := relevance.Wish{Keyword: "spiegel", Named: true, Profile: []string{"Magazin aus Politik und Wirtschaft."}}
	sharp := relevance.Wish{Keyword: "sharp", Named: true, Profile: []string{"Téléviseurs et imprimantes."}}
	boussole := relevance.Wish{Keyword: "boussole", Named: true, Profile: []string{"Logiciel de devis pour artisans."}}
	doctolib := relevance.Wish{Keyword: "doctolib", Named: true, Profile: []string{"Prise de rendez-vous médicaux."}}
	for _, c := range []struct {
		wish     relevance.Wish
		language string
		text     string
		want     bool
	}{
		{boussole, "french", "J'ai perdu ma boussole en forêt hier soir", false}, // seldom written
		{boussole, "french", "Le devis de Boussole est encore faux", true},
		{doctolib, "french", "J'ai pris un doctolib pour demain matin", true}, // no word, however it is written
		{vivo, "portuguese", "A conta da Vivo veio errada outra vez", true},
		{vivo, "portuguese", "Show ao vivo do Caetano na praia", false},
		{vivo, "portuguese", "a internet da vivo caiu", true},
		{vivo, "portuguese", "música ao vivo toda sexta", false},
		{vivo, "german", "Bei vivo gab es gestern ein Angebot", true}, // no German word
		{spiegel, "german", "Der Artikel stand gestern im Spiegel", true},
		{spiegel, "german", "Das Magazin Spiegel wird heute hundert", true},
		{spiegel, "german", "Ein Artikel aus Der Spiegel von gestern", true},
		{spiegel, "german", "Im Spiegel sah er gestern sehr alt aus", false}, // any noun has a capital
		{spiegel, "german", "Wir spiegel das Bild an der Achse", false},
		{sharp, "french", "Mon Sharp est encore en panne", true},
		{sharp, "french", "Un look très sharp pour la soirée", false}, // an English word, which no list of French has
		{sharp, "german", "Das Bild ist sharp genug", false},
		{sharp, "french", "le service de sharp est nul", true}, // a text without capitals tells nothing
	} {
		got := s.Judge(s.Subject(c.wish), s.Read(words.Cut(c.text)), c.language)
		if got.LogOdds > 0 != c.want {
			t.Errorf("Judge(%q) = %.2f (%s), want relevant %v", c.text, got.LogOdds, got.Comment(), c.want)
		}
	}
}

// A capital says less of a name that is a place too: both are written with one.
func TestJudge_NamesOfPlaces(t *testing.T) {
	s := space(t)
	odds := func(name string) float32 {
		text := s.Read(words.Cut("Yesterday we went on to " + name + " with the others"))
		return s.Judge(s.Subject(relevance.Wish{Keyword: name, Named: true}), text, relevance.English).LogOdds
	}
	if place, word := odds("Jordan"), odds("Meteor"); place >= word {
		t.Errorf("Judge(Jordan) = %.2f, want less than Judge(Meteor) = %.2f", place, word)
	}
}

// A word that is seldom written is a word all the same, unless it is a known brand's.
func TestJudge_RareWords(t *testing.T) {
	s := space(t)
	text := s.Read(words.Cut("The combine harvester broke down in the barley field"))
	wish := relevance.Wish{
		Keyword: "harvester",
		Named:   true,
		Profile: []string{"Expense management, corporate cards and invoice approval."},
	}
	if got := s.Judge(s.Subject(wish), text, relevance.English); got.LogOdds > 0 {
		t.Errorf("Judge(harvester) = %.2f (%s), want not relevant", got.LogOdds, got.Comment())
	}
	docker := s.Read(words.Cut("We moved everything to docker and deploys got slower"))
	if got := s.Judge(s.Subject(relevance.Wish{Keyword: "Docker", Named: true}), docker, relevance.English); got.LogOdds <= 0 {
		t.Errorf("Judge(docker) = %.2f (%s), want relevant", got.LogOdds, got.Comment())
	}
}

// A name that people or places have too, with another name right behind it, is a person's or a place's. A word of the
// profile is no such name.
func TestJudge_Surnames(t *testing.T) {
	s := space(t)
	for _, language := range []string{relevance.English, "french", "german"} {
		odds := func(text string, profile ...string) float32 {
			w := relevance.Wish{Keyword: "oscar", Named: true, Profile: profile}
			return s.Judge(s.Subject(w), s.Read(words.Cut(text)), language).LogOdds
		}
		plain := odds("yesterday we talked with Oscar about it again")
		for text, less := range map[string]bool{
			"yesterday we talked with Oscar Niemeyer about it again":   true,
			"yesterday we talked with Oscar Wilde about it again":      true,
			"yesterday we talked with Oscar Niemeyer's wife again":     true,
			"yesterday we talked with Oscar, Niemeyer and them again":  false,
			"yesterday we talked with Oscar niemeyer about it again":   false,
			"yesterday we talked with Oscar. Niemeyer was there again": false,
		} {
			if got := odds(text); got < plain-0.1 != less {
				t.Errorf("Judge(%q) = %.2f in %s, %.2f without a further name, want less: %v", text, got, language, plain, less)
			}
		}
		const product = "yesterday we talked with Oscar Zorblatt about it again"
		if own, others := odds(product, "Zorblatt"), odds(product); own <= others {
			t.Errorf("Judge(%q) = %.2f in %s with Zorblatt in the profile, want above %.2f", product, own, language, others)
		}
	}
}

// Where every noun has a capital, a name that people have too is the company's only if something near it speaks of
// companies or of the profile. What is written right before it may say that a person is meant.
func TestJudge_GivenNamesAmongCapitals(t *testing.T) {
	s := space(t)
	subject := s.Subject(relevance.Wish{
		Keyword: "Oscar",
		Named:   true,
		Profile: []string{"Oscar ist der Versandhandel für Gartenmöbel und Grillgeräte."},
	})
	for _, c := range []struct {
		text string
		want bool
		why  string
	}{
		{"Gestern hat Oscar beim Skat wieder alles gewonnen", false, "a name of people or places too"},
		{"Mein Onkel Oscar wird morgen neunzig und feiert", false, "a part of another name"},
		{"Mein Onkel Oscar hat eine Rechnung im Garten gefunden", false, "a part of another name"},
		{"Die Rechnung von Oscar kam erst nach drei Wochen an", true, "words that people use of companies"},
		{"Gestern wurde beim Händler Oscar wieder eingebrochen", true, "words that people use of companies"},
		{"Der Grill von Oscar ist nach einem Jahr verrostet", true, "words of your profile"},
	} {
		got := s.Judge(subject, s.Read(words.Cut(c.text)), "german")
		if got.LogOdds > 0 != c.want || !strings.Contains(got.Comment(), c.why) {
			t.Errorf("Judge(%q) = %.2f (%s), want relevant %v since %q", c.text, got.LogOdds, got.Comment(), c.want, c.why)
		}
	}
}

// A few English words that pass for German do not make a known brand doubtful.
func TestJudge_EnglishTakenForGerman(t *testing.T) {
	s := space(t)
	w := relevance.Wish{Keyword: "Amazon", Named: true, Profile: []string{"An online shop with cloud services."}}
	if got := s.Judge(s.Subject(w), s.Read(words.Cut("Amazon Mobile Redesign")), "german"); got.LogOdds <= 0 {
		t.Errorf("Judge(Amazon) = %.2f (%s), want relevant", got.LogOdds, got.Comment())
	}
}

// A word of the profile speaks for an English post too, in any of its forms. A word that only begins alike does not.
func TestJudge_FormsOfWordsOfTheProfile(t *testing.T) {
	s := space(t)
	// The space has none of these words, so that they have no meaning to weigh.
	w := relevance.Wish{Keyword: "meteor", Profile: []string{"A framework with zorblattings and plimsonic servers."}}
	subject := s.Subject(w)
	odds := func(word string) float32 {
		return s.Judge(subject, s.Read(words.Cut("we tried meteor with "+word+" again")), relevance.English).LogOdds
	}
	none := odds("quuxed")
	for word, more := range map[string]bool{
		"zorblattings": true,
		"zorblatts":    false, // too long an ending
		"zorblatting":  true,
		"plimsonics":   true,
		"plimsonicbox": true,
		"plimsollia":   false,
		"plims":        true,
		"plim":         false,
	} {
		if got := odds(word); got > none != more {
			t.Errorf("odds with %q = %.2f, %.2f with an unknown word, want more: %v", word, got, none, more)
		}
	}
}

// An abbreviation before a name is no other name, unlike a word with a capital.
func TestJudge_AbbreviationBeforeName(t *testing.T) {
	s := space(t)
	odds := func(before string) float32 {
		text := s.Read(words.Cut("yesterday we bought a " + before + " Box for all of them"))
		return s.Judge(s.Subject(relevance.Wish{Keyword: "box", Named: true}), text, relevance.English).LogOdds
	}
	if upper, capital := odds("ZRB"), odds("Zrb"); upper <= capital {
		t.Errorf("odds behind ZRB = %.2f, want above %.2f behind Zrb", upper, capital)
	}
}

// Words that are as common as those of the profile do not make a text relevant: texts of words that were drawn from
// another part of the vocabulary are as likely to be.
func TestJudge_CommonnessOfWords(t *testing.T) {
	s := space(t)
	all, err := vocabulary.Open()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	drawn := func(from, to, n int) string {
		var text []string
		for range n {
			text = append(text, all.Word(from+random.IntN(to-from)))
		}
		return strings.Join(text, " ")
	}
	parts := [2][2]int{{1_000, 3_000}, {20_000, 30_000}}
	const draws = 400
	same, other := 0.0, 0.0
	for range draws {
		for at, part := range parts {
			subject := s.Subject(relevance.Wish{Keyword: "seal", Profile: []string{drawn(part[0], part[1], 12)}})
			for of, part := range parts {
				text := s.Read(words.Cut("the seal " + drawn(part[0], part[1], 8)))
				odds := float64(s.Judge(subject, text, relevance.English).LogOdds) / (2 * draws)
				if of == at {
					same += odds
				} else {
					other += odds
				}
			}
		}
	}
	if math.Abs(same-other) > 2 {
		t.Errorf("words drawn as the profile's are judged %.2f in the mean, others %.2f, want at most 2 apart", same, other)
	}
}
