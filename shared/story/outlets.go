package story

import (
	"strings"
	"sync"
)

// outletNames are sites whose names follow the titles that people pass on. Feeds and previews add them. Companies that
// texts are often about are not listed, because a title may end with the name that tells it from another.
const outletNames = `ABC News|Al Jazeera|AP News|Associated Press|Ars Technica|Axios|BBC|BBC News|BBC Sport|Bloomberg|
	Bloomberg.com|Boing Boing|Business Insider|BuzzFeed|BuzzFeed News|CBC News|CBS News|CNBC|CNET|CNN|Daily Mail|
	Daily Mail Online|Der Spiegel|DER SPIEGEL|Deutsche Welle|Die Zeit|ZEIT ONLINE|El Mundo|EL PAÍS|Engadget|
	Fast Company|Financial Times|Forbes|Fortune|Fox News|France 24|FAZ|GeekWire|Gizmodo|Google News|
	Hacker News|Hacker Noon|Harvard Business Review|heise online|HuffPost|Huffington Post|Inc.com|Independent|InfoQ|
	InfoWorld|La Repubblica|Le Figaro|Le Monde|Le Monde.fr|Los Angeles Times|Lifehacker|Mashable|Medium|
	MIT News|MIT Technology Review|Motherboard|MSN|MSNBC|National Geographic|Nature|NBC News|Newsweek|New Scientist|
	New York Magazine|New York Times|NYTimes|NYTimes.com|New Yorker|NPR|PBS|PC Gamer|PCMag|PCWorld|Phys.org|
	Politico|POLITICO|Polygon|ProPublica|Quartz|Recode|Reuters|Rolling Stone|Salon|
	Salon.com|Scientific American|SFGate|Sky News|Slashdot|Slate|Slate Magazine|Spiegel Online|SPIEGEL ONLINE|
	Sports Illustrated|Süddeutsche.de|Tagesschau|tagesschau.de|TechCrunch|TechRadar|
	Tom's Hardware|The Atlantic|The Economist|The Guardian|The Hill|The Independent|The Information|The Intercept|
	The Next Web|The Register|The Telegraph|The Times|The Times of India|The Verge|The Wall Street Journal|
	The Washington Post|TIME|TIME.com|TNW|USA Today|USA TODAY|Variety|VentureBeat|VICE|VICE News|Vox|
	Vox.com|Washington Post|Wikipedia|Wired|WIRED|WSJ|WSJ.com|Yahoo Finance|Yahoo News|YouTube|ZDNet|
	日本経済新聞|朝日新聞デジタル|NHKニュース|Yahoo!ニュース|ITmedia NEWS|新浪网|凤凰网|人民网|新华网|腾讯网|연합뉴스|조선일보|РБК|
	Хабр|Ведомости|Коммерсантъ`

var outlets = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.SplitSeq(outletNames, "|") {
		all[bare(strings.ToLower(name))] = true
	}
	return all
})

// isOutlet reports whether a name, in the form of bare, is that of a known site.
func isOutlet(name string) bool { return outlets()[name] }
