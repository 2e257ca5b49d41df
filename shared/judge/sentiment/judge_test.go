package sentiment_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"earshot/shared/judge/sentiment"
	"earshot/shared/judge/sentiment/rated"
	"earshot/shared/mention"
)

func judge(t testing.TB) *sentiment.Judge {
	t.Helper()
	j, err := sentiment.New()
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestJudge(t *testing.T) {
	j := judge(t)
	for _, c := range []struct {
		rule, text string
		want       mention.Sentiment
	}{
		{"nothing", "", mention.Neutral},
		{"blanks", " \t\r\n\u00a0\u3000", mention.Neutral},
		{"marks only", "... --- ,,, ;", mention.Neutral},
		{"an address only", "https://example.com/love/great/best", mention.Neutral},
		{"a handle only", "@lovely_great_person", mention.Neutral},
		{"invalid UTF-8", "\xff\xfe\x80\xc3(", mention.Neutral},
		{"characters that were replaced", "\ufffd\ufffd \ufffd", mention.Neutral},
		{"controls", "\x00\x01\u200e\u200f\ufeff", mention.Neutral},
		{"praise", "I love this, it works great", mention.Positive},
		{"thanks", "Thank you so much, this is awesome!", mention.Positive},
		{"a complaint", "Terrible support, I hate this company", mention.Negative},
		{"anger", "This is the worst update ever, absolutely disgusting", mention.Negative},
		{"thanks for nothing", "Thank you for nothing, @airline", mention.Negative},
		{"thanks for nothing at the end", "so much for support, thanks for nothing", mention.Negative},
		{"a complaint in facts", "on hold for two hours and nobody picks up", mention.Negative},
		{"a polite complaint", "my parcel never arrived, please help. thanks", mention.Negative},
		{"praise for what happens again", "wonderful, another delay", mention.Negative},
		{"praise for another pleasure", "great, another lovely win", mention.Positive},
		{"praise in a comparison", "The new crew could not be better", mention.Positive},
		{"praise by no trouble", "two winters, never had a single problem", mention.Positive},
		{"praise by no complaint", "cannot complain about the food", mention.Positive},
		{"praise without end", "can't recommend this bakery enough", mention.Positive},
		{"praise that is taken back", "no issues until it caught fire", mention.Negative},
		{"no recommendation", "I can't recommend this hotel", mention.Negative},
		{"praise by no fault", "Six months in and not one outage", mention.Positive},
		{"praise by nothing bad", "I honestly have nothing bad to say about them", mention.Positive},
		{"praise by a wish", "couldn't ask for a smoother setup", mention.Positive},
		{"a complaint that thanks", "Hello, my order hasn't shipped and it has been three weeks. Thank you.",
			mention.Negative},
		{"thanks for a loss", "Thanks for losing my luggage twice in one trip @cloudair", mention.Negative},
		{"irony about an idea", "Genius move to hide the cancel button behind a phone call", mention.Negative},
		{"what used to be", "Used to be a solid phone, now it reboots twice a day", mention.Negative},
		{"a bug as a user reports it", "Scheduler panics after a daylight saving change", mention.Negative},
		{"a bug that is fixed", "Resolved several crashes in the PDF viewer", mention.Neutral},
		{"a bug that was fixed", "A deadlock in the scheduler was fixed by #882", mention.Neutral},
		{"a complaint after a fix", "Fixed a crash, but the app is still unusable and support ignores me", mention.Negative},
		{"a complaint in a changelog", "v3.2: fixed a leak in the parser. And yet it still eats all my memory, I am fed up.",
			mention.Negative},
		{"a contrast of a few words", "Fixed a crash, but not here. The next release comes on Monday.", mention.Neutral},
		{"a bug with a contrast", "Fixed a bug where the dialog opens, but stays blank", mention.Neutral},
		{"a fix that thanks", "you fixed my issue in an hour, thank you so much!", mention.Positive},
		{"a polite fact", "DMed you. Thank you", mention.Neutral},
		{"a reply of a service", "Thanks for contacting us, please DM us your postcode.", mention.Neutral},
		{"a bug that comes back", "Bluetooth keeps dropping on my headset", mention.Negative},
		{"a code of an error", "API returns 500 whenever the name has an umlaut", mention.Negative},
		{"a failure to find a fault", "We have yet to find a bug", mention.Positive},
		{"regret of having waited", "Should have bought this years ago", mention.Positive},
		{"praise until", "It was decent until they added ads", mention.Negative},
		{"a question about failures", "How do we migrate failed jobs to another queue?", mention.Neutral},
		{"a fact", "The meeting is at five", mention.Neutral},
		{"a question", "What time does it open?", mention.Neutral},
		{"a title", "Show HN: a tool for X", mention.Neutral},
		{"negated praise", "this is NOT good", mention.Negative},
		{"contracted negation", "I don't love this", mention.Negative},
		{"typographic apostrophe", "I don’t like it", mention.Negative},
		{"drawn-out praise", "soooo goooood", mention.Positive},
		{"drawn-out blame", "sooooo baaaad", mention.Negative},
		{"capitals", "GREAT product!!!", mention.Positive},
		{"an emoticon", "this fixed it :)", mention.Positive},
		{"a sad emoticon", "this sucks :(", mention.Negative},
		{"emoji that love", "😍😍", mention.Positive},
		{"emoji that rage", "😡😡", mention.Negative},
		{"an emoji with a variation selector", "❤️❤️", mention.Positive},
		{"an emoji with a skin tone", "👍🏽👍🏽 great", mention.Positive},
		{"invalid UTF-8 between words", "I love \xff\xfe this, it works great", mention.Positive},
		{"right-to-left marks", "\u200fI love this\u200e, it works great\u200f", mention.Positive},
	} {
		if got := j.Judge(c.text); got != c.want {
			t.Errorf("%s: %q is %s, not %s: %.2f", c.rule, c.text, got, c.want, j.Chances("english", c.text))
		}
	}
}

// A word that strengthens, weakens or turns a text moves its chances accordingly, whatever class the text ends in.
func TestChances_Direction(t *testing.T) {
	j := judge(t)
	tone := func(text string) float64 { c := j.Chances("english", text); return c.Positive - c.Negative }
	for _, c := range []struct{ rule, lower, higher string }{
		{"negation", "the app is not good", "the app is good"},
		{"negation two words before", "it is not very good", "it is very good"},
		{"negation of blame", "it is bad", "it is not bad"},
		{"a full stop ends a negation", "this is not useful", "I said no. this is useful"},
		{"exclamation", "it works", "it works!!!"},
		{"an emoji", "we launched", "we launched 🎉"},
		{"an angry emoji", "we launched 😡", "we launched"},
		{"an emoticon", "we will see", "we will see :)"},
		{"the side after but", "the app is great but the support is awful", "the support is awful but the app is great"},
		{"a longer word drawn out", "that is okay", "that is awesooooome"},
	} {
		if low, high := tone(c.lower), tone(c.higher); low >= high {
			t.Errorf("%s: %q has %.3f, %q has %.3f", c.rule, c.lower, low, c.higher, high)
		}
	}
}

func TestJudgeIn(t *testing.T) {
	j := judge(t)
	for _, c := range []struct {
		rule, language, text string
		want                 mention.Sentiment
	}{
		{"English", "english", "I love this", mention.Positive},
		{"undetermined is judged as English", mention.Undetermined, "love it", mention.Positive},
		{"a language not known", "", "love it", mention.Positive},
		{"words of a language without tones say nothing", "danish", "De rate var fatal, so bad", mention.Neutral},
		{"English words say nothing in Dutch", "dutch", "De rate was fatal, so bad", mention.Neutral},
		{"a word that English has too", "german", "Wir fahren nach Bad Tölz", mention.Neutral},
		{"French blame", "french", "C'est une honte, je suis très déçu", mention.Negative},
		{"French praise", "french", "Merci, une équipe formidable !", mention.Positive},
		{"French negation", "french", "Ce n'est pas bon du tout", mention.Negative},
		{"a word after an elision", "french", "quelle belle journée, l'amour", mention.Positive},
		{"Spanish blame", "spanish", "Es una vergüenza, un desastre total", mention.Negative},
		{"Spanish praise", "spanish", "Una maravilla, excelente", mention.Positive},
		{"Spanish without accents", "spanish", "que decepcion, pesimo y vergüenza", mention.Negative},
		{"Italian blame", "italian", "Servizio pessimo, una vergogna", mention.Negative},
		{"Italian praise", "italian", "Davvero ottimo, grazie", mention.Positive},
		{"Portuguese blame", "portuguese", "Que horrível, um péssimo serviço", mention.Negative},
		{"Portuguese praise", "portuguese", "Obrigado, foi maravilhoso", mention.Positive},
		{"German blame", "german", "Das war schrecklich, ich bin enttäuscht", mention.Negative},
		{"German praise", "german", "Wunderschön, herzlichen Dank", mention.Positive},
		{"a German fact", "german", "Die Sitzung beginnt um 9 Uhr", mention.Neutral},
		{"words that nobody knows", "german", "qwrtz xkcd blorf", mention.Neutral},
		{"emoji are no language's", "spanish", "me encanta 😍", mention.Positive},
		{"nor are emoticons", "german", "schon wieder kaputt :(", mention.Negative},
		{"anger", "japanese", "また壊れた😡", mention.Negative},
		{"emoji that cancel out", "french", "👍 👎", mention.Neutral},
		{"nothing", "french", "", mention.Neutral},
		{"praise for what happens again", "french", "Génial, encore un retard", mention.Negative},
		{"the same in German", "german", "Toll, schon wieder Stau auf der A3", mention.Negative},
		{"the same in Italian", "italian", "Fantastico, un altro treno in ritardo", mention.Negative},
		{"the same in Portuguese", "portuguese", "Maravilha, mais uma queda de energia", mention.Negative},
		{"the same in Spanish", "spanish", "Perfecto, otra vez sin agua", mention.Negative},
		{"thanks once more", "french", "Super, encore merci !", mention.Positive},
		{"waiting for hours", "italian", "aspetto da tre ore un tecnico", mention.Negative},
		{"the same in Portuguese", "portuguese", "Há três horas esperando o técnico", mention.Negative},
		{"the same in French", "french", "j'attends depuis quarante minutes au guichet", mention.Negative},
		{"waiting for what will come", "spanish", "Espero con ganas el concierto", mention.Neutral},
		{"no waiting", "spanish", "Me atendieron sin espera, en pocos minutos, perfecto", mention.Positive},
		{"a denied fault", "german", "Keine Probleme beim Aufbau, läuft", mention.Positive},
		{"a denied fault behind de", "french", "pas de souci, tout marche", mention.Positive},
		{"a denied fault in few words", "spanish", "Nada mal", mention.Positive},
		{"a negation cut short", "italian", "Nessun difetto, funziona", mention.Positive},
		{"nothing to complain about", "portuguese", "Não há do que reclamar", mention.Positive},
		{"a fault behind not only", "german", "Nicht nur schlecht, auch noch teuer", mention.Negative},
		{"a fault in another clause", "french", "ça marche pas, gros problème", mention.Negative},
		{"a fault behind what fails", "french", "ça marche pas problème de connexion", mention.Negative},
		{"a fault that never was", "french", "Je n'ai jamais eu le moindre problème avec eux", mention.Positive},
		{"a fault that nobody gave", "spanish", "En cinco años no me ha dado ni un problema", mention.Positive},
		{"French litotes", "french", "Franchement pas ouf comme casque", mention.Negative},
		{"a French idiom", "french", "Ça ne casse pas trois pattes à un canard", mention.Negative},
		{"a Spanish idiom", "spanish", "Va como la seda", mention.Positive},
		{"an Italian idiom", "italian", "Una presa in giro, mai più", mention.Negative},
		{"an exclamation is no question", "french", "Quelle galère ce site", mention.Negative},
		{"a Portuguese idiom", "portuguese", "Funciona que é uma beleza", mention.Positive},
		{"a German idiom", "german", "Da ist Hopfen und Malz verloren", mention.Negative},
		{"a German particle", "german", "Hab nix zu meckern, Lieferung kam pünktlich", mention.Positive},
		{"a bug that is fixed", "portuguese", "Corrigida falha que encerrava a sessão", mention.Neutral},
		{"a polite fact", "italian", "Ho inviato la mail con il numero d'ordine, grazie", mention.Neutral},
		{"what a German app no longer does", "german", "Nach dem Update startet die App nicht mehr", mention.Negative},
		{"an Italian comparison", "italian", "Il servizio clienti è una barzelletta", mention.Negative},
		{"Dutch praise", "dutch", "Erg tevreden, binnen een dag in huis", mention.Positive},
		{"Dutch praise by no trouble", "dutch", "Nooit problemen mee gehad", mention.Positive},
		{"Dutch blame", "dutch", "Al een maand geen reactie van de helpdesk", mention.Negative},
		{"negated Dutch praise", "dutch", "Ik ben niet blij met deze fiets", mention.Negative},
		{"Polish praise", "polish", "Bardzo miła obsługa i szybka wysyłka", mention.Positive},
		{"Polish blame", "polish", "Aplikacja ciągle się zawiesza", mention.Negative},
		{"a Polish fact", "polish", "Poprawiono błędy w module płatności", mention.Neutral},
		{"a fault far behind", "spanish", "no me resuelven el problema", mention.Negative},
		{"a French complaint of nothing at all", "french", "Trois mails et même pas de réponse", mention.Negative},
		{"what is not even done", "french", "Ça marche même pas", mention.Negative},
		{"what is not even needed", "french", "Même pas besoin d'un plan de cent pages", mention.Neutral},
	} {
		if got := j.JudgeIn(c.language, c.text); got != c.want {
			t.Errorf("%s: %q in %q is %s, not %s", c.rule, c.text, c.language, got, c.want)
		}
	}
}

// Chances are probabilities, and Judge decides by them.
func TestChances(t *testing.T) {
	j := judge(t)
	for _, text := range append(slices.Clone(posts), "", "!", "😍") {
		c := j.Chances("english", text)
		if sum := c.Negative + c.Neutral + c.Positive; math.Abs(sum-1) > 1e-9 || min(c.Negative, c.Neutral, c.Positive) < 0 {
			t.Errorf("%q: %v adds up to %v", text, c, sum)
		}
		likeliest := mention.Neutral
		if most := max(c.Negative, c.Neutral, c.Positive); c.Negative == most {
			likeliest = mention.Negative
		} else if c.Positive == most {
			likeliest = mention.Positive
		}
		if got := j.Judge(text); got != likeliest {
			t.Errorf("%q is %s at %v", text, got, c)
		}
	}
}

// Only the beginning is read.
func TestJudge_LongText(t *testing.T) {
	j := judge(t)
	praise := strings.Repeat("I love this, it works great. ", 60)
	for _, c := range []struct {
		rule, text string
		want       mention.Sentiment
	}{
		{"words", praise + strings.Repeat("I hate this terrible thing. ", 4000), mention.Positive},
		{"one word", strings.Repeat("ab", 50<<10), mention.Neutral},
		{"blanks", strings.Repeat(" ", 100<<10), mention.Neutral},
		{"one emoji again and again", strings.Repeat("😡", 25<<10), mention.Negative},
		{"an address", "https://" + strings.Repeat("love/", 20<<10), mention.Neutral},
	} {
		if got := j.Judge(c.text); got != c.want {
			t.Errorf("%s: %s, not %s: %.2f", c.rule, got, c.want, j.Chances("english", c.text))
		}
	}
}

func TestJudge_NoAllocation(t *testing.T) {
	j := judge(t)
	for _, text := range posts {
		if n := testing.AllocsPerRun(20, func() { j.Judge(text); j.JudgeIn("spanish", text); j.Chances("english", text) }); n != 0 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}

func FuzzJudge(f *testing.F) {
	for _, text := range posts {
		f.Add(text)
	}
	for _, text := range []string{"", "'", "a'", "’", ":)", "<3", "\xff", "❤️", "***", "a*", "@", "www.",
		strings.Repeat("x ", 300), strings.Repeat("é", 700)} {
		f.Add(text)
	}
	j := judge(f)
	f.Fuzz(func(t *testing.T, text string) {
		got := j.Judge(text)
		if !slices.Contains(mention.Sentiments(), got) || !slices.Contains(mention.Sentiments(), j.JudgeIn("german", text)) {
			t.Errorf("%q is %q", text, got)
		}
		if again := judge(t).Judge(strings.Clone(text)); again != got {
			t.Errorf("%q is %s, then %s", text, got, again)
		}
		if c := j.Chances("english", text); math.IsNaN(c.Negative + c.Neutral + c.Positive) {
			t.Errorf("%q has %v", text, c)
		}
	})
}

// A text without evidence has low chances, whatever its language. So does a language without tones.
func TestChances_NoEvidence(t *testing.T) {
	j := judge(t)
	for _, c := range []struct{ language, text string }{
		{"english", ""}, {"english", "..."}, {"german", ""}, {"german", "qwrtz"}, {"japanese", "また壊れた"}, {"japanese", "😡"},
	} {
		got := j.Chances(c.language, c.text)
		if most := max(got.Negative, got.Neutral, got.Positive); most > 0.6 {
			t.Errorf("Chances(%q, %q) = %.2f, want none above 0.6", c.language, c.text, got)
		}
	}
}

// The judge agrees with the labels of the rated texts: each half of it alone is below one of the floors.
func TestJudge_Rated(t *testing.T) {
	texts, err := rated.English()
	if err != nil {
		t.Fatal(err)
	}
	j := judge(t)
	classes := []mention.Sentiment{mention.Negative, mention.Neutral, mention.Positive}
	for from, floor := range map[string]float64{"tweets": 0.74, "products": 0.645} {
		var right, count [3]float64
		for _, x := range append(rated.Chosen(texts, rated.Dev, from), rated.Chosen(texts, rated.Test, from)...) {
			count[x.Class]++
			if j.Judge(x.Text) == classes[x.Class] {
				right[x.Class]++
			}
		}
		macro := (right[0]/count[0] + right[1]/count[1] + right[2]/count[2]) / 3
		t.Logf("%s: macro recall %.4f", from, macro)
		if macro < floor {
			t.Errorf("%s: macro recall %.3f, want at least %.3f", from, macro, floor)
		}
	}
}
