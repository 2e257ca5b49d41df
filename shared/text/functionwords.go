package text

import "strings"

// FunctionWords returns the words of a language, by its full name, that hold sentences together and say nothing of a
// text's subject. They are in lowercase, and in the form of fold.Form. The list has the words that every user leaves
// out; a user adds words of its own. FunctionWords returns a copy, and nil if the language has no list.
func FunctionWords(language string) []string { return strings.Fields(functionWords[language]) }

// FunctionWordLanguages returns the languages that have a list, in no order.
func FunctionWordLanguages() []string {
	languages := make([]string, 0, len(functionWords))
	for language := range functionWords {
		languages = append(languages, language)
	}
	return languages
}

var functionWords = map[string]string{
	"english": `a about above after again against all almost also although always am among an and another any are
		as at back be because been before being below between both but by can cannot could did do does doing done
		down during each either else enough etc even ever few for from further go going had has have having he her
		here hers him his how however i if in into is it its itself just last least less like may me might mine
		more most much must my near never no nobody none nor not nothing now of off often on once only onto or
		other others our ours out over own per perhaps please quite rather same say says she should since so some
		someone something still such take than that the their theirs them themselves then there these they this
		those though through thus to together too under until up upon us very via was we well were what whatever
		when where whether which while who whole whom whose why will with within without would yes yet you your
		yours yourself can't don't it's that's we're you're`,
	"german": `aber alle als am an auch auf aus bei bis da damit das dass dem den denn der des die dies diese
		dieser durch ein eine einem einen einer es für gegen haben hat ich ihr ihre im in ist kann können man mehr
		mit nach nicht noch nur ob oder ohne sehr sein seine sich sie sind so über um und uns unser unter vom von
		vor war was weil wenn wer werden wie wir wird wo zu zum zur zwischen`,
	"french": `à au aux avec ce ces cet cette chez comme dans de des du elle en est et il ils je la le les leur
		leurs lui ma mais mes mon ne nos notre nous on ont ou où par pas plus pour qu que qui sa sans se ses si
		son sont sous sur ta tes ton tous tout toute très tu un une vos votre vous`,
	"spanish": `al como con cuando de del desde donde el ella ellos en entre es esta este esto ha hasta la las le
		les lo los más me mi muy ni no nos o para pero por porque que se ser si sin sobre son su sus también te
		todo todos tu un una uno y ya`,
	"portuguese": `ao aos as com como da das de do dos e é ela ele em essa esse esta este eu foi mais mas me meu
		minha muito na não nas nem no nos o os ou para pela pelo por quando que quem são se sem ser seu sua também
		te tem um uma você`,
	"italian": `ai al alla alle anche che chi ci come con cui da dal dalla dei del della delle di e è gli ha il in
		la le lei lo ma mi ne nei nel nella noi non o per perché più quando questa questo se si sono su sua sul
		sulla suo tra un una uno voi`,
	"dutch": `aan als bij dan dat de deze die dit door een en er geen haar heb hebben heeft het hij hoe ik in is
		je kan maar met mijn naar niet nog of om ons ook op over te tot u uit van voor was wat we wij worden wordt
		zij zijn zo`,
	"polish": `ale by być był co czy dla do go ich i jak jako jej jest już które który ma może na nie niż od oraz
		po pod przez są się tak też to tu tylko w we za z że`,
	"swedish": `att av den det detta din du där en ett för från går han har hon hur inte jag kan man med men mer
		mig min mot nu när och om oss på sig ska som så till under upp ut vad var vi vill är`,
	"turkish": `bir bu çok da daha de değil diye en gibi her için ile kadar ki mi ne o olan olarak sen siz şu ve
		veya ya`,
	"russian": `а без бы был была были было быть в вам вас все всё вы где да для до его ее её если есть еще ещё же
		за и из или им их к как когда кто ли мне может мы на над нас не него нет ни но ну о об он она они от по
		под при с со так также там то только ты у уже чем что чтобы это этот эта я`,
	"ukrainian": `або але був буде в від він вона вони де для до є за з зі і й із її їх коли ми на не ні про та
		так також те ти то у це ці чи що як я`,
	"arabic": `في من على إلى عن مع هذا هذه ذلك التي الذي ما لا لم لن أن إن كان كانت هو هي و أو ثم قد كل بعد قبل`,
	"hebrew": `את של על זה זאת לא כן אני אתה הוא היא הם עם כי אם או גם רק יש אין מה מי כל`,
	"hindi":  `के का की को में से है हैं था थे थी और या पर यह वह ये वे नहीं भी तो ही एक जो कि ने`,
}
