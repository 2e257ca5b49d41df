package candidate

import (
	"slices"
	"strings"
	"sync"

	"earshot/shared/keyword"
	"earshot/shared/match"
)

// generic are the words that no keyword is anchored by (rule A1): each stands beside a common word in any post, so that
// it lets through what it should keep out.
var generic = []struct{ reason, words string }{
	{
		"what every product is called",
		`app application software tool platform service solution product system technology tech suite package program module plugin
		feature framework stack engine version edition release api website site web webpage page homepage portal internet online offline digital
		cloud saas paas device screen interface dashboard button link data information info ai capability functionality offering`,
	},
	{
		"what every company is called",
		`company business enterprise startup firm corporation organization organisation agency brand vendor provider supplier
		industry sector customer client consumer user buyer audience people person everyone team member staff employee colleague worker manager
		leader founder owner professional expert individual partner group world country office work job`,
	},
	{
		"what every page praises",
		`free best new better good great top leading leader powerful simple easy fast quick smart modern advanced ultimate perfect unique amazing awesome
		beautiful seamless effortless intuitive robust flexible scalable secure reliable trusted affordable cheap premium innovative
		efficient effective comprehensive complete full custom personalized dedicated exclusive quality value excellence success successful
		popular favorite favourite global local international national worldwide future today instant real powerfully easily quickly simply
		seamlessly beautifully effortlessly securely delightful world-class cutting-edge state-of-the-art next-generation next-gen all-in-one end-to-end
		high-quality high-performance real-time user-friendly easy-to-use award-winning`,
	},
	{
		"what every text tells one to do",
		`help helping make making build building create creating manage managing get getting use using start starting try buy sell sign
		join learn discover explore find grow improve increase boost reduce enable enabling empower empowering provide providing
		offer deliver delivering drive driving support supporting connect connecting share sharing keep run running working built made designed
		powered based used known allow allowing let need want love trust transform transforming simplify streamline accelerate unlock
		leverage optimize optimise maximize achieve ensure bring add set turn contact demo install upgrade subscribe
		click see check choose focus develop developed become becoming include including`,
	},
	{
		"units and names of everything else",
		`thing stuff way part place point case example idea question answer option type kind number level list line end result
		goal step resource experience access power speed time day week month year hour minute life space
		guide tip faq account name detail term terms cookie cookies right rights insight insights
		multiple several many different variety range lot lots across every around anywhere anyone anything everywhere everything
		million billion thousand hundred first second third one two three`,
	},
}

// madeOf are the ends of words with a hyphen that only praise ("purpose-built", "AI-powered").
var madeOf = []string{
	"-built", "-based", "-powered", "-driven", "-friendly", "-ready", "-grade", "-class", "-level", "-wide", "-scale",
	"-leading", "-proof",
}

// genericWords are all of them.
var genericWords = sync.OnceValue(func() map[string]bool {
	var words []string
	for _, group := range generic {
		words = append(words, strings.Fields(group.words)...)
	}
	return setOf(words)
})

// Generic says whether a word says nothing of what a company does (rule A1), in singular or plural; of several words,
// whether all of them do, as function words of English do too ("the best tools for teams", "your"). Those of other
// languages are words of English now and then ("todo lists").
func Generic(term string) bool {
	words := termWords(term)
	return len(words) > 0 &&
		!slices.ContainsFunc(words, func(word string) bool { return !genericWord(word) && !englishFunctionWord(word) })
}

func genericWord(word string) bool {
	for _, form := range singulars(word) {
		if genericWords()[form] {
			return true
		}
	}
	return slices.ContainsFunc(madeOf, func(end string) bool { return strings.HasSuffix(word, end) })
}

// genericNames are what every product and company is called: who offers one of them as a term is told that it is
// refused, while what every text praises and tells is just passed over.
var genericNames = sync.OnceValue(func() []string { return strings.Fields(generic[0].words + " " + generic[1].words) })

func genericName(word string) bool {
	return slices.ContainsFunc(singulars(word), func(form string) bool { return slices.Contains(genericNames(), form) })
}

// singulars are the word and what it is the plural of, if it is one.
func singulars(word string) []string {
	forms := []string{word}
	if stem, ok := strings.CutSuffix(word, "ies"); ok {
		forms = append(forms, stem+"y")
	}
	if stem, ok := strings.CutSuffix(word, "es"); ok {
		forms = append(forms, stem)
	}
	if stem, ok := strings.CutSuffix(word, "s"); ok && !strings.HasSuffix(stem, "s") {
		forms = append(forms, stem)
	}
	return forms
}

// termWords are the words of a term, folded, with their hyphens but without the signs around them.
func termWords(term string) []string {
	words := strings.Fields(match.Form(term[:min(len(term), longest)]))
	for i, word := range words {
		words[i] = strings.TrimSuffix(strings.Trim(word, `.,;:!?"'“”‘’«»()[]{}<>*/\|…–—-_~`), "'s")
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}

// Anchorable says whether a term can anchor a keyword: it is plain text (rule K5) of at most keyword.MaxText
// characters, in which at least one word of three letters or more is neither generic (rule A1) nor a function word.
func Anchorable(term string) bool {
	if usable(term) == "" || len([]rune(term)) > keyword.MaxText {
		return false
	}
	return slices.ContainsFunc(termWords(term), telling)
}

// telling says whether a word says something of what a company does.
func telling(word string) bool {
	letters := strings.Trim(word, "0123456789.,-+%$€£#")
	return (len(letters) > 2 || len([]rune(letters)) == 2 && len(letters) > 3) && !genericWord(word) &&
		!functionWord(word) // two signs of Chinese say enough
}
