package suggest

import (
	"strings"
	"sync"

	"earshot/shared/mention"
)

// stopWords are words that say nothing of a post's subject, by the language in which they do so: "die" says something in English and
// nothing in German. Those of any language are under anyLanguage. The maps are made when they are first asked for:
// who lists suggestions that are stored needs none.
var stopWords = sync.OnceValue(func() map[string]map[string]bool {
	words := map[string]map[string]bool{anyLanguage: {}}
	for language, list := range functionWords {
		words[language] = map[string]bool{}
		for _, word := range strings.Fields(list) {
			words[language][word], words[anyLanguage][word] = true, true
		}
	}
	return words
})

const (
	markup      = "markup"
	anyLanguage = ""
)

// isStop says whether a word, in lowercase, says nothing in a text of the language, by its full name. English is everywhere; a text whose
// language is not known may be of any. What excludes a language is a filter of languages.
func isStop(word, language string) bool {
	if language == mention.Undetermined {
		language = anyLanguage
	}
	stop := stopWords()
	return stop[language][word] || stop["english"][word] || stop[markup][word]
}

// functionWords are the stop words of the languages that most posts are in, and what addresses and markup are made of.
var functionWords = map[string]string{
	"english": `a about above after again against all almost also although always am among an and another any anyone anything are aren around as at
	back be became because been before being below between both but by came can cannot could couldn did didn do does doesn doing don done
	down during each either else enough etc even ever every everyone everything few first for from further get gets getting give go goes
	going gone good got had hadn has hasn have haven having he her here hers herself him himself his how however i if im in into is isn it its
	itself just keep know last least less let like ll lot made make makes many may maybe me might mine more most much must my myself near
	need never new next no nobody none nor not nothing now of off often ok on once one only onto or other others our ours ourselves out over
	own per perhaps please put quite rather re really right said same say says see seem seems seen shall she should shouldn since so some
	someone something still such sure take than that thats the their theirs them themselves then there these they thing things think this
	those though through thus to today together too two under until up upon us use used using ve very via want was wasn way we well went were
	weren what whatever when where whether which while who whole whom whose why will with within without won would wouldn yeah yes yet you
	your yours yourself can't couldn't didn't doesn't don't i'd i'll i'm i've isn't it's let's that's there's they're wasn't we're what's
	won't wouldn't you're dont didnt doesnt isnt cant wont youre theyre ive`,
	markup: `http https www com org net html htm php amp nbsp quot gt lt href src img utm rss url link`,
	"german": `aber alle als also am an auch auf aus bei bin bis bist da damit dann das dass daß dein deine dem den denn der des dich die dies diese
	dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch für gegen gibt habe haben hat hatte hier ich ihm ihn
	ihnen ihr ihre im immer in ist ja jede jetzt kann kein keine können man mehr mein meine mich mir mit muss nach nicht nichts noch nun nur ob
	oder ohne schon sehr sein seine sich sie sind so soll über um und uns unser unter viel vom von vor war waren was weil wenn wer werden wie
	wieder will wir wird wo wurde zu zum zur zwischen`,
	"french": `à au aussi aux avec avoir bien car ce cela ces cet cette chez comme dans de des deux donc dont du elle elles en encore entre est et été
	être eu fait faire il ils je la le les leur leurs lui ma mais même mes moi mon ne nos notre nous on ont ou où par pas peu peut plus pour
	qu quand que quel quelle qui sa sans se ses si son sont sous sur ta te tes toi ton tous tout toute très tu un une va vos votre vous y ça`,
	"spanish": `al algo ante antes así aunque cada como con contra cual cuando de del desde donde dos durante el él ella ellas ellos en entre era es esa
	ese eso esta está están estas este esto estos fue ha hace hacer han hasta hay la las le les lo los más me mi mis mucho muy nada ni no nos
	nosotros o otra otro para pero poco por porque puede que qué quien se sea ser si sí sin sobre son su sus también tan tanto te tiene todo
	todos tu un una uno unos usted y ya yo`,
	"portuguese": `ao aos as às até com como da das de depois do dos e é ela elas ele eles em então era essa esse esta está este eu foi há isso isto já lhe
	mais mas me mesmo meu minha muito na não nas nem no nos nós num numa o os ou para pela pelo por porque quando que quem são se sem ser seu
	sua só também te tem têm tinha tudo um uma vai você vocês`,
	"italian": `ai al alla alle anche che chi ci come con cosa cui da dal dalla degli dei del della delle di dove due e è ed era essere fa fatto gli ha
	hanno ho il in io la le lei lo loro lui ma mi mio molto ne nei nel nella no noi non nostro o ogni per perché più poi quando quanto quella
	quello questa questo qui se sei si sia siamo solo sono sta su sua sul sulla suo tra tu tutti tutto un una uno voi`,
	"dutch": `aan al alle als bij daar dan dat de deze die dit doen door dus een en er ge geen haar had heb hebben heeft hem het hier hij hoe hun ik in
	is ja je kan kunnen maar me meer men met mij mijn moet na naar niet nog nu of om omdat ons ook op over te tegen toch toen tot u uit van veel
	voor want waren was wat we wel werd wij worden wordt zal ze zei zelf zich zij zijn zo zonder zou`,
	"polish": `ale by być był co czy dla do go ich i jak jako jej jest już które który ma może na nie niż od oraz po pod przez są się tak też to tu tylko w
	we za z że att av den det detta din du där en ett för från går han har hon hur inte jag kan man med men mer mig min mot nu när och om oss på
	sig ska som så till under upp ut vad var vi vill är`,
	"turkish": `bir bu çok da daha de değil diye en gibi her için ile kadar ki mi ne o olan olarak sen
	siz şu ve veya ya`,
	"russian": `а без бы был была были было быть в вам вас все всё вы где да для до его ее её если есть еще ещё же за и из или им их к как когда кто ли
	мне может мы на над нас не него нет ни но ну о об он она они от по под при с со так также там то только ты у уже чем что чтобы это этот эта я`,
	"ukrainian": `або але був буде в від він вона вони де для до є за з зі і й із її їх коли ми на не ні про та так також те ти то у це ці чи що як я`,
	"arabic":    `في من على إلى عن مع هذا هذه ذلك التي الذي ما لا لم لن أن إن كان كانت هو هي و أو ثم قد كل بعد قبل`,
	"hebrew": `את של על זה זאת לא כן אני אתה הוא היא הם עם כי אם
	או גם רק יש אין מה מי כל`,
	"hindi": `के का की को में से है हैं था थे थी और या पर यह वह ये वे नहीं भी तो ही एक जो कि ने`,
}
