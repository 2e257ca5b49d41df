package site

import (
	"bytes"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"earshot/shared/proposal"
	"earshot/shared/text"
)

// A state is what a page is, where it may not be a company's.
type state int

const (
	aCompany state = iota
	forSale
	serverDefault
	serverError
	botWall
	otherSite
	loginWall
	comingSoon
	needsScript
	noText
	ageGate
	chooser
	consentWall
	framesOnly
)

// refusals are why a page gives no profile: nothing on it is of a company. Each names the remedy.
var refusals = map[state]string{
	forSale: "The domain's page says that the domain is for sale or parked, and nothing of a company. " +
		"Check the domain, or fill in the profile by hand.",
	serverDefault: "The domain's page is the empty page of a web server, and no company's site. " +
		"Check the domain, or fill in the profile by hand.",
	serverError: "The domain's page is an error page. Try again later, or fill in the profile by hand.",
	botWall: "The domain's page asks its visitors to prove that they are people, so it cannot be read. " +
		"Fill in the profile by hand.",
}

// remarks are the notices of pages that say little of a company and are still its own.
var remarks = map[state]proposal.Notice{
	otherSite:   proposal.NoticeOtherSite,
	loginWall:   proposal.NoticeLogin,
	comingSoon:  proposal.NoticeSoon,
	needsScript: proposal.NoticeScript,
	noText:      proposal.NoticeEmpty,
	ageGate:     proposal.NoticeAge,
	chooser:     proposal.NoticeChooser,
	consentWall: proposal.NoticeConsent,
	framesOnly:  proposal.NoticeFrames,
}

// Bounds below which a page is too thin for a company's: words that it shows, and links to pages of its own.
const (
	thinWords, thinLinks     = 250, 10
	wallWords, wallLinks     = 120, 8 // of a page that shows a form or an announcement and little else
	gateLinks                = 2      // of a page that stands before another
	fewWords                 = 60     // of a page that only checks who looks at it
	blankWords, noWords      = 25, 5
	mostHeads, mostHeadWords = 12, 40
)

// state judges the page by its structure and its words together. Words alone do not refuse a page that has the text and
// the links of a company's: companies sell domains, find errors and announce games.
func (r *reading) state(p Page) state {
	links := r.ownLinks()
	thin := r.words <= thinWords && links <= thinLinks
	wall := r.words <= wallWords && links <= wallLinks
	gate := wall && links <= gateLinks
	heads := r.heads()
	says := func(pattern text.Pattern, texts []string) bool {
		return slices.ContainsFunc(texts, func(said string) bool {
			return pattern.MatchString(said) && !r.own.named(said)
		})
	}
	blank := r.words <= blankWords && links <= 1
	switch {
	case parking(hostOf(p.URL)), r.offered(heads[:min(len(heads), 3)]):
		return forSale
	case thin && (says(onSale, heads) || says(onSale, r.runs) || r.offered(r.runs)),
		thin && slices.ContainsFunc(r.hosts, parking),
		blank && lander.MatchString(string(r.code)):
		return forSale
	case thin && says(defaultPage, heads):
		return serverDefault
	case thin && says(errorPage, heads):
		return serverError
	case wall && says(challenge, heads), r.words <= fewWords && r.guarded():
		return botWall
	case r.elsewhere(p):
		return otherSite
	case wall && r.passwords > 0, wall && r.forms > 0 && says(login, heads):
		return loginWall
	case wall && says(soon, append(segments(clean(r.title, maxHeading)), r.top)),
		wall && r.words <= fewWords && says(soon, r.runs):
		return comingSoon
	case gate && says(agePattern, append(heads, r.foremost()...)):
		return ageGate
	case r.chooses(), gate && says(choosePattern, heads):
		return chooser
	case gate && says(consentPattern, append(segments(clean(r.title, maxHeading)), r.top)):
		return consentWall
	case blank && r.frames > 0 && !r.noscript && (r.words <= noWords || len(r.headings) == 0):
		return framesOnly
	case blank && (r.scripts > 0 || r.noscript):
		return needsScript
	case r.words <= noWords && links == 0, blank && refreshed(r.meta["refresh"]) != "":
		return noText
	}
	return aCompany
}

// guarded says whether the page has programs that ask visitors whether they are people.
func (r *reading) guarded() bool {
	return slices.ContainsFunc(r.hosts, guarding) || guard.MatchString(string(r.code))
}

// ownLinks counts the pages of the site that the page links, without those that every page links.
func (r *reading) ownLinks() int {
	seen := map[string]bool{}
	for _, l := range r.links {
		path, inside := r.own.path(l.href)
		if inside && !generic(strings.ReplaceAll(path[len(path)-1], "-", " ")) && !strings.HasPrefix(l.href, "#") {
			seen[strings.Join(path, "/")] = true
		}
	}
	return len(seen)
}

// heads are what a page says first: its title, whole and in parts, and its first headings.
func (r *reading) heads() []string {
	var all []string
	for _, text := range append([]string{r.title, r.top, r.meta["og:title"]}, r.headings[:min(len(r.headings), 3)]...) {
		text = strings.TrimSpace(clean(text, maxHeading))
		if text == "" || len(strings.Fields(text)) > mostHeadWords {
			continue
		}
		all = append(all, text)
	}
	all = append(all, segments(clean(r.title, maxHeading))...)
	return all[:min(len(all), mostHeads)]
}

// offered says whether one of some texts offers the page's own domain for sale.
func (r *reading) offered(texts []string) bool {
	names := []string{strings.ToLower(r.own.domain), registered(strings.ToLower(r.own.domain))}
	return slices.ContainsFunc(texts, func(text string) bool {
		text = strings.ToLower(text)
		for _, name := range names {
			before, after, found := strings.Cut(text, name)
			if found && (saleAfter.MatchString(after) || saleBefore.MatchString(before)) {
				return true
			}
		}
		return false
	})
}

// elsewhere says whether the domain led to a site of another name, which does not speak of the domain's owner either.
func (r *reading) elsewhere(p Page) bool {
	at, err := url.Parse(p.URL)
	if err == nil && r.own.strange(at.Hostname()) {
		return !r.hosted
	}
	if target := refreshed(r.meta["refresh"]); target != "" && r.words <= blankWords {
		at, err := url.Parse(target)
		return err == nil && r.own.strange(at.Hostname())
	}
	return false
}

// Refresh returns the address that a page leads its visitors to at once, if it has no text of its own; empty: it does
// not. The address may be relative, and is not checked.
func Refresh(p Page) string {
	const head = 64 << 10 // bytes
	page := p.HTML[:min(len(p.HTML), head)]
	if len(page) < len(p.HTML) || !bytes.Contains(bytes.ToLower(page), []byte("http-equiv")) {
		return ""
	}
	c := read(page)
	if c.words > blankWords {
		return ""
	}
	return refreshed(c.meta["refresh"])
}

// refreshed returns the address that a declaration of a refresh leads to at once: "0; url=/en/", "0, '/en/'". Empty: it
// leads nowhere, or later.
func refreshed(declared string) string {
	const soonest = 10 // seconds
	at := strings.IndexAny(declared, ";,")
	if at < 0 {
		return ""
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(declared[:at]), 64)
	if err != nil || !(seconds >= 0 && seconds <= soonest) { // NaN is neither
		return ""
	}
	target := strings.TrimSpace(declared[at+1:])
	if name, address, named := strings.Cut(target, "="); named && strings.EqualFold(strings.TrimSpace(name), "url") {
		target = strings.TrimSpace(address)
	}
	return strings.Trim(target, `'"`)
}

// strange says whether a host has nothing to do with the domain by its name.
func (o own) strange(host string) bool {
	host = strings.ToLower(host)
	return host != "" && registered(host) != registered(o.domain) && !o.related(label(host))
}

// parkingHosts are of services that hold or sell domains which nobody uses.
var parkingHosts = []string{
	"sedo.com", "sedoparking.com", "parkingcrew.net", "bodis.com", "parklogic.com", "above.com", "dan.com",
	"afternic.com", "hugedomains.com", "undeveloped.com", "uniregistry.com", "buydomains.com", "domainmarket.com",
	"atom.com",
	"squadhelp.com", "brandbucket.com", "efty.com", "epik.com", "voodoo.com", "skenzo.com", "domainsponsor.com",
	"parked.com", "smartname.com", "namedrive.com", "domainactive.co", "rookmedia.net", "trafficz.com", "ztomy.com",
	"cashparking.com", "parkingpage.namecheap.com", "fastpark.net", "dsparking.com", "giantpanda.com", "tonic.com",
	"sav.com", "dynadot.com", "godaddy.com/forsale", "google.com/adsense/domains", "img1.wsimg.com/parking-lander",
}

// parking says whether an address, a host with its path, is of a service for unused domains.
func parking(address string) bool { return isOf(address, parkingHosts) }

// guardingHosts are of services that ask visitors whether they are people, in place of the page.
var guardingHosts = []string{"captcha-delivery.com", "perimeterx.net", "px-cloud.net", "arkoselabs.com"}

func guarding(address string) bool {
	return isOf(address, guardingHosts) || strings.Contains(address, "/_Incapsula_Resource")
}

func isOf(address string, services []string) bool {
	host, path, _ := strings.Cut(address, "/")
	return slices.ContainsFunc(services, func(service string) bool {
		name, folder, _ := strings.Cut(service, "/")
		return (host == name || strings.HasSuffix(host, "."+name)) && strings.HasPrefix(path, folder)
	})
}

// Programs that lead to a page of offers, and those that check who looks.
var (
	lander = text.NewPattern(`location(?:\.href)?\s*=\s*["']/lander|window\.park\s*=`)
	guard  = text.NewPattern(`_cf_chl_opt|/cdn-cgi/challenge-platform|_Incapsula_Resource|px-captcha|window\._pxAppId`)
)

// Sentences of pages that are no company's. A title or a heading has to be one as a whole, but for those that speak of
// "this domain".
var (
	saleAfter = text.NewPattern(
		`^["'”»)]?\s*(?:is|may be|could be|might be|ist|est|está|è|is|は|が)?\s*(?:now |currently |` +
			`listed )?(?:for sale|available for (?:purchase|sale)|up for (?:sale|auction)|parked|` +
			`zu verkaufen|zum verkauf|steht zum verkauf|à vendre|en vente|en venta|a la venta|à venda|` +
			`in vendita|te koop|jest na sprzedaż|na sprzedaż|販売中|売ります|売り出し中)`,
	)
	saleBefore = text.NewPattern(
		`(?:^|\s)(?:buy|purchase|own|kaufen sie|acheter|comprar|compre|acquista|` +
			`koop|kup) (?:the )?(?:domain |domain name |domenę )?$`,
	)
	onSale = text.NewPattern(
		`(?i)\b(?:this|the) (?:premium )?(?:domain|domain name|` +
			`web address)(?: name)?(?: \S{1,80})? (?:is|may be|could be|has been|has|` +
			`was) (?:\S+ ){0,2}?(?:for sale|available|parked|expired|for purchase)|` +
			`^(?:buy|purchase|acquire|own|lease) this (?:premium )?domain|` +
			`\b(?:diese|die) (?:domain|internetadresse|webadresse)(?: \S{1,80})? (?:ist|steht|kann|` +
			`wurde) .{0,30}(?:zu verkaufen|zum verkauf|verkauft|erworben|gekauft|geparkt|parked)|` +
			`^(?:diese )?domain kaufen$|^diese domain kaufen|` +
			`\b(?:ce|le) (?:nom de )?domaine(?: \S{1,80})? est .{0,20}(?:à vendre|en vente|disponible|` +
			`parqué|réservé)|^acheter ce (?:nom de )?domaine|` +
			`\b(?:este|el) (?:nombre de )?dominio(?: \S{1,80})? (?:está|esta|` +
			`puede estar) .{0,20}(?:en venta|a la venta|disponible|aparcado)|^compr(?:e|ar) este dominio|` +
			`\b(?:este|o) dom[ií]nio(?: \S{1,80})? (?:está|pode estar) .{0,20}(?:à venda|disponível|` +
			`estacionado)|^compr(?:e|ar) este domínio|` +
			`\b(?:questo|il) (?:nome di )?dominio(?: \S{1,80})? (?:è|` +
			`potrebbe essere) .{0,20}(?:in vendita|disponibile|parcheggiato)|` +
			`^acquista(?:re)? questo dominio|` +
			`\b(?:dit|deze|het) domein(?:naam)?(?: \S{1,80})? (?:is|staat) .{0,20}(?:te koop|beschikbaar|` +
			`geparkeerd)|^koop (?:dit domein|deze domeinnaam)|` +
			`\b(?:ta|ten|tę|domena)(?: domena| adres)?(?: \S{1,80})? (?:jest|może być) .{0,20}(?:na sprzedaż|` +
			`do kupienia|dostępna|zaparkowana)|^kup tę domenę|` +
			`^(?:this domain (?:is|was)(?: recently| newly| already)? registered (?:at|with|by|through) |` +
			`registrant whois contact|looks like this domain isn(?:'|’)t connected|` +
			`(?:diese|die) domain (?:ist|wurde) (?:bereits |soeben |gerade |neu |schon )?registriert|` +
			`(?:\S+ )?domain-?parking$|` +
			`(?:félicitations ?! )?votre (?:nom de )?domaine a (?:bien )?été (?:créé|enregistré))|` +
			`(?:この|当|本)ドメイン.{0,30}(?:販売|売却|売り出|購入でき|お売り|お譲り)`,
	)
	defaultPage = text.NewPattern(
		`(?i)^(?:welcome to (?:nginx|openresty|centos|caddy|tengine|apache)(?:!| on .{1,40}|)|` +
			`apache2? .*(?:default|test) page.*|test page for .*|http server test page.*|it works!?|` +
			`index of /.*|` +
			`iis(?: windows.*| ?\d.*)|internet information services|default (?:web ?site|web|plesk|` +
			`parallels|site) page.*|default page|plesk(?: obsidian.*)?|domain default page|` +
			`web server's default page|cpanel.*|directadmin.*|hello,? world!?|` +
			`your (?:web)?site is (?:ready|working).*|this is the default .*page.*|` +
			`congratulations[!.]? your .*site.*)$`,
	)
	errorPage = text.NewPattern(
		`(?i)^(?:error|fehler|erreur|errore|erro|fout|błąd|エラー)?[\s:#-]*(?:[45]\d\d)?[\s:.!–-]*(?:error|` +
			`(?:page|site|file|url|domain|website|store|shop|app)? ?(?:was )?(?:not|cannot be|can.t be|` +
			`could not be) found|not found|forbidden|unauthorized|gone|bad request|bad gateway|` +
			`gateway time-?out|` +
			`(?:internal )?server error|service (?:temporarily )?unavailable|temporarily unavailable|` +
			`application error|account suspended|this account has been suspended|web server is down|` +
			`connection timed out|` +
			`(?:this )?(?:shop|store) is (?:currently )?unavailable|` +
			`error establishing a database connection|there isn.t a github pages site here|` +
			`no such (?:app|bucket|site)|(?:this )?(?:web ?site|site|account)(?: has)?(?: is)? expired|` +
			`(?:this (?:content|page|site|service) is )?(?:not available|unavailable) ` +
			`in your (?:country|region|location).{0,20}|` +
			`(?:oups|oops|ups|ops)?[!,. ]*(?:an|une|un|si è verificato un|ha ocurrido un|se ha producido un|ocorreu um|` +
			`es ist ein|er is een|wystąpił) ?(?:error|erreur|errore|erro|fehler|fout|błąd)(?: (?:occurred|has occurred|` +
			`est survenue|s(?:'|’)est produite|aufgetreten|opgetreden))?|` +
			`(?:die )?(?:seite|angeforderte seite) (?:wurde )?nicht gefunden|nicht gefunden|` +
			`page (?:non trouvée|introuvable)|página no encontrada|no encontrada|página não encontrada|` +
			`pagina non trovata|` +
			`pagina niet gevonden|nie znaleziono(?: strony)?|(?:strona )?nie (?:została znaleziona|istnieje)|` +
			`strony nie znaleziono|ページが見つかりません(?:でした)?|見つかりません|サーバーエラー|interner serverfehler|` +
			`service indisponible|oops[!,.]?.{0,30}|)[\s!.…:-]*(?:\(?[45]\d\d\)?)?$`,
	)
	challenge = text.NewPattern(
		`(?i)^(?:just a moment|attention required!?|access (?:to this page has been )?denied|` +
			`are you (?:a )?(?:human|robot)|(?:please )?(?:verify|verifying|` +
			`confirm)(?: that)? you are (?:a )?(?:human|not a robot)|` +
			`checking your browser.{0,40}|checking if the site connection is secure|` +
			`pardon our interruption|one more step|security (?:check|verification)|robot check|` +
			`human verification|ddos-guard|` +
			`you have been blocked|sorry, you have been blocked|request unsuccessful.{0,40}|` +
			`(?:please )?enable (?:javascript and )?cookies.{0,40}|captcha|` +
			`(?:nur )?einen moment(?: bitte)?|zugriff verweigert|un instant|accès refusé|` +
			`un momento(?: por favor)?|acceso denegado|um momento|acesso negado|accesso negato|` +
			`een moment(?: geduld)?|toegang geweigerd|` +
			`しばらくお待ちください|アクセスが拒否されました|ロボットではありません)[\s!.…?|:-]*$`,
	)
	login = text.NewPattern(
		`(?i)^(?:(?:please )?(?:log ?in|sign ?in)(?: to .{1,40})?|login|anmelden|anmeldung|einloggen|` +
			`connexion|se connecter|identifiez-vous|iniciar sesión|acceder|entrar|fazer login|accedi|` +
			`inloggen|aanmelden|zaloguj się|logowanie|ログイン|サインイン)[\s!.…:]*$`,
	)
	soon = text.NewPattern(
		`(?i)^(?:(?:our|the|this|a) (?:new )?(?:web ?site|site|page) (?:is )?|we(?:'|’)?(?:re| are) |` +
			`website |something (?:new|great|big|awesome) is )?(?:still )?(?:coming (?:very )?soon|` +
			`under construction|launching (?:very )?soon|opening soon|` +
			`stay tuned|(?:down for |under )(?:scheduled )?maintenance|scheduled maintenance|` +
			`maintenance mode|be right back|(?:will )?be back (?:soon|shortly)|demnächst.{0,30}|` +
			`in kürze.{0,30}|(?:diese seite ist )?im aufbau|hier entsteht.{0,60}|wartungsarbeiten|` +
			`bald verfügbar|bientôt(?: disponible| en ligne)?|(?:site )?en construction|` +
			`(?:site )?en maintenance|prochainement|próximamente|(?:sitio )?en construcción|muy pronto|` +
			`em breve|(?:site )?em construção|em manutenção|` +
			`prossimamente|(?:sito )?in costruzione|presto online|in manutenzione|in arrivo|` +
			`binnenkort(?: online| beschikbaar)?|(?:website )?in aanbouw|in onderhoud|準備中(?:です)?|` +
			`工事中(?:です)?|近日公開|メンテナンス中(?:です)?|まもなく公開|` +
			`(?:ただいま|現在)?(?:サイト)?(?:準備中です|メンテナンス中です?)|メンテナンスのお知らせ|` + paused + `)[\s!.…:–-]*$`,
	)
)

// paused are sentences of sites under maintenance. "Maintenance" alone is none: it is a trade.
const paused = `we(?:'|’)?(?:ll| will) be (?:right )?back(?: soon| shortly| online.{0,20})?|` +
	`(?:sorry, )?we(?:'|’)?(?:re| are) (?:down for|undergoing|performing|currently (?:under|down for)) ` +
	`(?:some )?(?:scheduled )?maintenance.{0,30}|` +
	`wartungs(?:modus|arbeit|pause)|wir sind (?:gleich|bald|in kürze) (?:wieder (?:für sie |für euch )?da|zurück)|` +
	`(?:(?:diese|unsere|die) (?:web)?(?:seite|site) wird (?:gerade|derzeit|zurzeit) gewartet)|` +
	`maintenance en cours|` +
	`(?:(?:notre|le|ce) )?site (?:est )?(?:actuellement |temporairement )?en (?:cours de )?maintenance|` +
	`nous (?:revenons|serons de retour) (?:très )?(?:vite|bientôt)|de retour (?:très )?bientôt|` +
	`(?:estamos |sitio (?:web )?|página )?en mantenimiento|volvemos (?:enseguida|pronto)|volveremos pronto|` +
	`(?:estamos )?em manutenção|(?:o )?site (?:está )?em manutenção|(?:voltamos|voltaremos) (?:já|em breve|logo)|` +
	`(?:il )?sito (?:è )?in manutenzione|` +
	`torniamo (?:subito|presto)|(?:stiamo )?(?:effettuando )?lavori (?:in corso|di manutenzione)|manutenzione in corso|` +
	`(?:we zijn|we komen) (?:zo|snel|binnenkort) (?:weer )?terug|onderhoudswerkzaamheden|` +
	`(?:onze|de|deze) (?:web)?site is (?:tijdelijk|momenteel) (?:offline|in onderhoud).{0,30}|` +
	`(?:strona|serwis|witryna)(?: jest)? (?:w (?:budowie|przebudowie|przygotowaniu|trakcie (?:prac|przebudowy))|wkrótce)|` +
	`przerwa techniczna|prace (?:serwisowe|techniczne|konserwacyjne)|(?:wracamy|zapraszamy) (?:wkrótce|niebawem)|` +
	`już wkrótce`
