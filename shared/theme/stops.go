package theme

import (
	"strings"
	"sync"

	"earshot/shared/text"
)

// stopped has the stop words of each list that was asked for: as many as there are lists.
var stopped sync.Map

// stopsOf returns the words of a language and of English that make no theme, or those of all languages if it is not
// known. Of a language without blanks they are the pairs of characters, or threes, by which its posts are compared.
func stopsOf(language string) map[string]bool {
	switch {
	case !isLanguage(language):
		language = ""
	case moreStops[language] == "" && text.FunctionWords(language) == nil:
		language = english
	}
	if known, ok := stopped.Load(language); ok {
		return known.(map[string]bool)
	}
	languages := []string{english, language}
	if language == "" {
		languages = text.FunctionWordLanguages()
		for name := range moreStops {
			languages = append(languages, name)
		}
	}
	stops := map[string]bool{}
	for _, name := range languages {
		for _, word := range append(text.FunctionWords(name), strings.Fields(moreStops[name])...) {
			stops[word] = true
		}
	}
	stopped.Store(language, stops)
	return stops
}

// moreStops are function words of languages that the matcher and the dictionary do not treat, and words of others that
// stand in posts on anything.
var moreStops = map[string]string{
	"english": `i'm i've i'd i'll he's she's they're we've you've you'll there's what's that'd isn't aren't wasn't weren't
		don didn doesn isn wasn aren won couldn wouldn shouldn ve ll re dont doesnt didnt cant isnt im ive gonna wanna`,
	"german": `sei sind war waren wäre dann doch mal schon hier dort jetzt heute immer eben halt also etwas alles nichts
		euch dich mich dir mir ihm ihn habe hatte hätte wurde wurden würde müssen muss sollte soll könnte viel viele ganz
		gar ja nein bin bist seit ab ins keine kein keinen damit dazu daß neue neuen`,
	"french": `c'est j'ai d'un d'une n'est qu'il qu'on l'on peut fait faire être avoir aussi bien non oui si très sera
		doit alors donc même quand quoi rien cela ça après avant encore été étaient était déjà deux chaque entre depuis
		pas peu moins toujours ici là y`,
	"spanish": `ser estar fue era eran ha han hay hacer hace hecho está están eso esos esas estas estos aquí ahí así ya
		tan tanto cada uno dos tiene tienen tengo puede pueden algo nada mucho mucha muchos quien qué cómo cuál bien sólo
		solo hoy ahora después antes siempre porque aunque sino mismo`,
	"portuguese": `está estão estava são era ter tem tinha há isso isto aqui lá assim já tão cada dois pode podem algo nada
		muita muitos bem só hoje agora depois antes sempre então mesmo vai vou fazer feito pra pro nós vocês`,
	"italian": `ho hai abbiamo hanno era erano essere fare fatto questi queste quello quella quelli ancora sempre solo già
		molto tutto tutti tutta ogni due può possono bene qui lì così poi prima dopo adesso oggi cosa quindi però`,
	"dutch": `deze dat daar dus nu wel al alle alles andere haar hun hem kunnen moet moeten zou zal mag maken gaat gaan
		goed veel meer zeer zelf toch nog eens iets niets waar wie dit toen want`,
	"russian": `этого этому этом эти этих той того тем том там тут вот ведь даже уже просто очень будет есть нужно можно
		который которая которые себя свой свои сейчас теперь потом всех всем один раз мой моя вообще`,
	"turkish": `bana sana ona biz onlar bunu şunu onu böyle şöyle öyle yok var olan oldu olduğunu ancak yani hem artık
		sonra önce her şey şimdi bugün ben ise yine bile`,
	"arabic": `أنا أنت نحن هم كما وقد فقد لقد الذين التى اللي كل بعض هناك هنا تم يتم حتى أو عند منذ غير بين حول ذلك تلك أي`,
	"finnish": `ja on ei se että oli mutta tai kun niin kuin myös joka jotka ovat sekä hän ne jos vain mitä mikä tämä sen
		minä sinä olen olla ole voi ollut nyt sitten vielä jo noin`,
	"danish": `og i at det er en til på som for med den der har ikke af et de jeg men vi han var kan om så fra eller skal
		vil du hvad hun blev være nu her også efter`,
	"norwegian": `og i at det er en til på som for med den der har ikke av et de jeg men vi han var kan om så fra eller
		skal vil du hva hun ble være nå her også etter`,
	"swedish":  `detta här där nu bara blir blev vara varit skulle kunde alla allt några något också efter sedan mycket`,
	"czech":    `a i v ve na se si je že to z ze s k do o pro po jako jsou byl bylo ale jak nebo co když už by tak jen i ten ta`,
	"romanian": `și în de la cu pe nu o un este sunt care din mai pentru ce sau dar fi a fost am ai au se să că`,
	"greek":    `και το της η ο να που τα με για στο σε από δεν του τους τον θα είναι μας στη στην τη μια ένα`,
	"hungarian": `a az és hogy nem is egy ez azt de van meg csak volt már ha még vagy mint mert ki kell lehet nagyon úgy
		akkor`,
	"indonesian": `yang dan di ke dari ini itu untuk dengan tidak ada pada akan juga saya kami kita anda bisa sudah atau
		karena oleh dalam adalah lebih tapi`,
	"malay": `yang dan di ke dari ini itu untuk dengan tidak ada pada akan juga saya kami kita anda boleh sudah atau
		kerana oleh dalam adalah lebih tetapi`,
	"vietnamese": `và của là có không được cho trong với một các những này đó khi người đã sẽ để từ như cũng thì mà tôi`,
	"persian":    `و در به از که این را با است آن برای یک هم خود تا کرد شد می ها های`,
	"catalan":    `el la els les de del i a en que un una per amb no és són com més però al dels va ha`,
	"korean": `있다 있는 있었다 하는 한다 했다 것은 것이 것을 그리고 그러나 하지만 우리 이것 저는 나는 너무 정말 진짜 그냥 같은 대한 위해
		통해 따라 수 것 및 등 이런 그런 때문 때문에 합니다 입니다 있습니다 없는 없다 다른 많은 모든 지난`,
	"japanese": `今日 今回 自分 場合 必要 時間 今年 本当 最近 以上 以下 一番 全部 皆様 方法 コト モノ`,
	"chinese": `我们 你们 他们 没有 可以 不能 就是 因为 所以 但是 如果 这个 那个 什么 怎么 一个 已经 还是 不是 自己 现在 时候 知道 觉得
		真的 这样 非常 完全 一定 这些 那些 不会 不要 很多 大家 这种 起来 出来 之后 我們 你們 他們 沒有 因為 這個 那個 什麼 怎麼 一個
		已經 還是 現在 時候 覺得 這樣 很多 也是 都是 的人 了一 是一 的是 一些 了我 我的 你的 他的`,
	"thai": `การ ที่ และ ของ ใน ให้ ได้ มี เป็น ไม่ จะ ว่า กับ จาก ควา วาม แล้ ล้ว ด้ว ้วย เมื ื่อ ประ อง ่าง`,
}
