package relevance_test

import (
	"strings"
	"testing"

	"earshot/shared/judge/relevance"
	"earshot/shared/judge/words"
)

// What a profile says in a few words is known by the word's neighbours: those of its sense speak for a post, and those
// of its other senses against it, though neither is in the profile.
func TestJudge_Neighbours(t *testing.T) {
	s := space(t)
	for _, c := range []struct {
		keyword, profile, text string
		wanted                 bool
	}{
		{"seal", "An animal that lives in the sea.", "a penguin and a seal lay side by side", true},
		{"seal", "An animal that lives in the sea.", "the letter bears the seal of the emperor and his signature", false},
		{"seal", "The stamp of an office on a document.", "the shield and the motto are on the great seal of the state",
			true},
		{"seal", "The stamp of an office on a document.", "the seal swam off between the penguins and the whales", false},
		{"java", "A programming language for servers.", "java runs on unix and linux with the same compiler", true},
		{"java", "A programming language for servers.", "we took the ferry from sumatra to java and climbed the volcano",
			false},
		{"java", "An island of Indonesia with rice and volcanoes.", "the sultan of java sent ships to borneo", true},
		{"java", "An island of Indonesia with rice and volcanoes.", "my java applet needs a newer browser plugin", false},
		{"pebble", "A watch that shows messages of the phone.", "a pebble beach with white sand and shallow water", false},
		{"target", "A chain of shops that sells clothes and toys.", "target is cheaper than walmart and costco this week",
			true},
		{"target", "A chain of shops that sells clothes and toys.", "the missile missed its target by a mile", false},
		{"orange", "A company for phones and internet in France.", "orange and vodafone raised their tariffs again", true},
		{"orange", "A company for phones and internet in France.", "add the juice of an orange and a lemon", false},
		{"mercury", "A planet near the sun.", "mercury and venus stood above the horizon", true},
		{"mercury", "A planet near the sun.", "the fish had too much mercury and lead in it", false},
		{"apple", "A maker of computers and phones.", "apple cider and pears from the orchard", false},
		{"apple", "A maker of computers and phones.", "microsoft and apple support the codec now", true},
	} {
		subject := s.Subject(relevance.Wish{Keyword: c.keyword, Profile: []string{c.profile}})
		got := s.Judge(subject, s.Read(words.Cut(c.text)), relevance.English)
		if got.LogOdds > 0 != c.wanted {
			t.Errorf("%s as %q: %q has log odds of %v", c.keyword, c.profile, c.text, got.LogOdds)
		}
	}
}

// A single exclude term tells of its own sense. It makes no other text about something else pass for what is meant.
func TestJudge_OneExcludeTerm(t *testing.T) {
	s := space(t)
	for _, c := range []struct{ keyword, profile, term, text string }{
		{"seal", "An animal that lives in the sea.", "singer", "the letter bears the seal of the emperor and his signature"},
		{"seal", "An animal that lives in the sea.", "singer", "the pump needs a new rubber seal"},
		{"mercury", "A planet near the sun.", "singer", "the fish had too much mercury and lead in it"},
		{"apple", "A maker of computers and phones.", "Gwyneth", "apple cider and pears from the orchard"},
		{"java", "A programming language for servers.", "coffee", "the rebels fled to java after the war"},
		{"orange", "A company for phones and internet in France.", "County", "add the juice of an orange and a lemon"},
	} {
		w := relevance.Wish{Keyword: c.keyword, Profile: []string{c.profile}, Exclude: []string{c.term}}
		if got := s.Judge(s.Subject(w), s.Read(words.Cut(c.text)), relevance.English); got.LogOdds > 0 {
			t.Errorf("%s as %q without %q: %q has log odds of %v", c.keyword, c.profile, c.term, c.text, got.LogOdds)
		}
	}
}

// Where the odds are even follows from the terms: a text far from exclude terms of one sense is of the other, and one
// that is as far from terms of many senses need not be.
func TestJudge_ManyExcludeTerms(t *testing.T) {
	s := space(t)
	island := relevance.Wish{
		Keyword: "java", Profile: []string{"An island of Indonesia with rice and volcanoes."},
		Exclude: strings.Fields("programming software code developer compiler server library class application Oracle"),
	}
	singer := relevance.Wish{
		Keyword: "seal", Profile: []string{"A British singer of soul and pop songs."},
		Exclude: strings.Fields(
			"animal whale ocean beach fish hunting gasket valve engine leak pump emblem stamp signature wax"),
	}
	for _, c := range []struct {
		wish   relevance.Wish
		text   string
		wanted bool
	}{
		{island, "she learned to dance and sing in java as a girl", true},
		{island, "the parser was ported from java last year", false},
		{singer, "seal will tour with his band in may", true},
		{singer, "a golden seal of the prince was found in the church", false},
	} {
		if got := s.Judge(s.Subject(c.wish), s.Read(words.Cut(c.text)), relevance.English); got.LogOdds > 0 != c.wanted {
			t.Errorf("%q as %q: log odds of %v", c.text, c.wish.Profile[0], got.LogOdds)
		}
	}
}
