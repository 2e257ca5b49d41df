package suggest

import (
	"strings"
	"sync"

	"earshot/shared/mention"
	"earshot/shared/text"
)

// stopWords are words that say nothing about a post's subject, by language: "die" says something in English and nothing
// in German. Those of any language are under anyLanguage. The maps are made at first use, because listing stored
// suggestions needs none.
var stopWords = sync.OnceValue(func() map[string]map[string]bool {
	words := map[string]map[string]bool{anyLanguage: {}}
	add := func(language string, list []string) {
		if words[language] == nil {
			words[language] = map[string]bool{}
		}
		for _, word := range list {
			words[language][word], words[anyLanguage][word] = true, true
		}
	}
	for _, language := range text.FunctionWordLanguages() {
		add(language, text.FunctionWords(language))
	}
	for language, list := range otherStops {
		add(language, strings.Fields(list))
	}
	return words
})

const (
	markup      = "markup"
	anyLanguage = ""
)

// isStop reports whether a word, in lowercase, says nothing in a text of the language, by its full name. English words
// occur everywhere, and a text of unknown language may be of any. To exclude a language, people filter by language.
func isStop(word, language string) bool {
	if language == mention.Undetermined {
		language = anyLanguage
	}
	stop := stopWords()
	return stop[language][word] || stop["english"][word] || stop[markup][word]
}

// otherStops are further words that say nothing about a post's subject, besides the function words of the most frequent
// languages: common verbs, contractions, and parts of addresses and markup.
var otherStops = map[string]string{
	markup: `http https www com org net html htm php amp nbsp quot gt lt href src img utm rss url link`,
	"english": `anyone anything aren around became came couldn didn doesn don every everyone everything first get
		gets getting give goes gone good got hadn hasn haven herself himself im isn keep know let ll lot made make
		makes many maybe myself need new next ok one ourselves put re really right said see seem seems seen shall
		shouldn sure thats thing things think today two use used using ve want wasn way went weren won wouldn yeah
		couldn't didn't doesn't i'd i'll i'm i've isn't let's there's they're wasn't what's won't wouldn't dont
		didnt doesnt isnt cant wont youre theyre ive`,
	"german": `also bin bist dann daß dein deine dich dieses dir doch dort du eines er etwas euch gibt habe hatte
		hier ihm ihn ihnen immer ja jede jetzt kein keine mein meine mich mir muss nichts nun schon soll viel
		waren wieder will wurde`,
	"french": `aussi avoir bien car cela deux donc dont elles encore entre été être eu fait faire même moi peu
		peut quand quel quelle te toi va y ça`,
	"spanish": `algo ante antes así aunque cada contra cual dos durante él ellas era esa ese eso está están estas
		estos fue hace hacer han hay mis mucho nada nosotros otra otro poco puede qué quien sea sí tan tanto tiene
		unos usted yo`,
	"portuguese": `às até depois elas eles então era está há isso isto já lhe mesmo nós num numa porque só têm
		tinha tudo vai vocês`,
	"italian": `cosa degli dove due ed era essere fa fatto hanno ho io loro lui mio molto no nostro ogni poi
		quanto quella quello qui sei sia siamo solo sta tu tutti tutto`,
	"dutch": `al alle daar doen dus ge had hem hier hun ja kunnen me meer men mij moet na nu omdat tegen toch toen
		veel want waren wel werd zal ze zei zelf zich zonder zou`,
}
