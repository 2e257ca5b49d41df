package candidate

import (
	"slices"
	"strings"
	"sync"
)

// functions are the words that hold sentences together, in the languages of most sites: they are in any post of theirs.
var functions = []struct{ language, words string }{
	{"english", `a about above after again against ago all almost alone along already also although always am among an and another any are as at away
		back be because been before behind being below between beyond both but by can cannot come could did do does doing done down during each
		either else enough etc even ever far few for from further go going had has have having he her here hers him his how however i if in
		inside instead into is it its itself just last least less like may me might mine more most much must my near never no nobody none nor not
		nothing now of off often on once only onto or other others our ours out outside over own per perhaps please quite rather same say says she
		should since so some someone something soon still such take than that the their theirs them themselves then there these they this those
		though through thus to together too toward towards under until up upon us very via was we well were what whatever when where whether which
		while who whole whom whose why will with within without would yes yet you your yours yourself it's you're we're that's don't can't`},
	{"german", `aber alle als am an auch auf aus bei bis da damit das dass dem den denn der des die dies diese dieser durch ein eine einem einen einer
		es für gegen hat haben ich ihr ihre ihren im in ist ist's kann können man mehr mit nach nicht noch nur ob oder ohne sehr sein seine sich sie sind so
		über um und uns unser unsere unter vom von vor war was weil wenn wer werden wie wir wird wo zu zum zur zwischen`},
	{"french", `à au aux avec ce ces cet cette chez comme dans de des du elle en est et eux il ils je la le les leur leurs lui ma mais mes mon ne nos
		notre nous on ont ou où par pas plus pour qu que qui sa sans se ses si son sont sous sur ta tes ton tous tout toute toutes très tu un une vos votre vous`},
	{"spanish", `al como con cuando de del desde donde el ella ellos en entre es esta este esto ha hasta la las le les lo los más me mi muy ni no nos nuestra
		nuestro o para pero por porque que se ser si sin sobre son su sus también te todo todos tu un una uno y ya`},
	{"italian", `ai al alla alle anche che chi ci come con cui da dal dalla dei del della delle di e è gli ha i il in la le lei lo ma mi ne nei nel nella noi
		non o per perché più quando questa questo se si sono su sua sue sui sul sulla suo tra un una uno vi voi`},
	{"portuguese", `ao aos as com como da das de do dos e ela ele em entre é essa esse esta este eu foi mais mas me meu minha muito na não nas nem no nos nossa nosso
		o os ou para pela pelo por quando que quem se sem ser seu sua são também te tem um uma você`},
	{"dutch", `aan als bij dan dat de deze die dit door een en er geen haar heb hebben heeft het hij hoe ik in is je jouw kan maar met mijn naar niet nog of om
		onder ons onze ook op over te tot u uit uw van voor waar was wat we wij worden wordt zijn zij zo`},
}

// functionWords are all of them, sorted. Whose language they are is of no account: a word that holds sentences together anywhere is no anchor.
var functionWords = sync.OnceValue(func() []string {
	var words []string
	for _, language := range functions {
		words = append(words, strings.Fields(language.words)...)
	}
	slices.Sort(words)
	return slices.Compact(words)
})

// englishFunctionWords are those of the first language of the table.
var englishFunctionWords = sync.OnceValue(func() []string { return slices.Sorted(strings.FieldsSeq(functions[0].words)) })

func englishFunctionWord(word string) bool {
	_, found := slices.BinarySearch(englishFunctionWords(), word)
	return found
}

func functionWord(word string) bool {
	_, found := slices.BinarySearch(functionWords(), word)
	return found
}
