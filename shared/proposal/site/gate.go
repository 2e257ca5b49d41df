package site

import (
	"net/url"
	"slices"
	"strings"

	places "golang.org/x/text/language"

	"earshot/shared/language"
	"earshot/shared/text"
)

// Bounds of pages that ask visitors for a country or a language.
const (
	fewOthers        = 8  // words besides the places that visitors choose from
	fewOthersAsked   = 40 // words besides them where a text asks for a choice
	leastPlaces      = 3  // that are a choice without a text that says so
	leastPlacesAsked = 2  // that are a choice where a text asks for it
	foremostWords    = 15 // behind which no text of a page is one of its first
)

// gates are the states of pages that stand before the company's own. Their texts are not of the company.
var gates = []state{ageGate, chooser, consentWall}

// chooses reports whether the page does little more than link the same site for several countries or languages.
func (r *reading) chooses() bool {
	places, others := 0, 0
	rest := r.words
	for _, l := range r.links {
		if r.own.place(l.href) {
			places++
			rest -= len(strings.Fields(l.text))
		} else if path, inside := r.own.path(l.href); inside && !generic(strings.ReplaceAll(path[len(path)-1], "-", " ")) {
			others++
		}
	}
	const most = 4 // places for one other page
	if rest > fewOthersAsked || places < most*others {
		return false
	}
	asked := slices.ContainsFunc(append(r.runs, r.title), choosePattern.MatchString)
	return places >= leastPlaces && rest <= fewOthers || places >= leastPlacesAsked && asked
}

// place reports whether a link leads to the site's beginning for a country or a language: /de, /en-gb/, /be/fr/,
// de.acme.com, or acme.de of acme.com.
func (o own) place(href string) bool {
	at, err := url.Parse(strings.ToLower(href))
	if err != nil || at.Opaque != "" {
		return false
	}
	host := strings.TrimPrefix(at.Hostname(), "www.")
	if host != "" && !o.site(host) && label(host) != o.label {
		return false
	}
	parts := strings.FieldsFunc(at.Path, func(c rune) bool { return c == '/' })
	if len(parts) > 0 {
		if page, _, _ := strings.Cut(parts[len(parts)-1], "."); page == "index" || page == "home" {
			parts = parts[:len(parts)-1]
		}
	}
	if len(parts) == 0 {
		sub, _, found := strings.Cut(strings.TrimSuffix(host, registered(host)), ".")
		return found && locale(sub) || host != "" && registered(host) != registered(o.domain)
	}
	const most = 2 // parts
	foreign := func(part string) bool { return !locale(part) }
	return len(parts) <= most && !slices.ContainsFunc(parts, foreign)
}

// foremost are the texts that the page begins with. A gate asks before the page says anything else. An age at the end
// of a shop's page is a hint.
func (r *reading) foremost() []string {
	words := 0
	for i, text := range r.runs {
		if words > foremostWords {
			return r.runs[:i]
		}
		words += len(strings.Fields(text))
	}
	return r.runs
}

// gated reports whether a text asks visitors for their age, a country, a language or their consent.
func gated(said string) bool {
	return agePattern.MatchString(said) || choosePattern.MatchString(said) || consentPattern.MatchString(said)
}

// locale reports whether a part of an address is a language or a country, or both: "de", "en-gb". "go" and "js" are
// neither, and are pages of their own.
func locale(part string) bool {
	if !localeName.MatchString(part) {
		return false
	}
	known, wide := language.FromISO(part)
	country, err := places.ParseRegion(part[:2])
	return known != "" && wide || err == nil && country.IsCountry() || part == "uk"
}

// localeName is how addresses write a language or a country.
var localeName = text.NewPattern(`^[a-z]{2}(?:[-_][a-z]{2})?$`)

// Sentences of pages that ask visitors for something before they show anything. Shops say "18 or over to buy" too, so
// that the age has to be asked for, or be a condition of entering.
var (
	agePattern = text.NewPattern(
		`(?i)^(?:are you|i am|i'm) (?:(?:at least|over|above|older than) )?(?:1[689]|2[01]|of (?:legal|drinking)|` +
			`old enough)\b|` +
			`(?:must|have to) be (?:.{0,30}\b)?(?:1[689]|2[01]|age|aged|adult|old)\b.{0,60}` +
			`\bto (?:enter|visit|view|access|continue|browse)\b|` +
			`^(?:please )?(?:verify|confirm|enter) your (?:age|date of birth|birth ?date|year of birth)|` +
			`^age (?:verification|gate|check|restricted)(?: (?:required|needed|content|site|website|page))?\s*(?:$|[.:!–-])|` +
			`^(?:bist du|sind sie|ich bin|seid ihr) (?:(?:schon|bereits|über|mindestens|älter als) )*(?:1[68]|volljährig)|` +
			`^alters(?:abfrage|verifikation|überprüfung|prüfung|kontrolle|nachweis|bestätigung)|` +
			`(?:musst du|müssen sie) .{0,20}(?:1[68] jahre|volljährig)|` +
			`^(?:avez-vous|as-tu|j['’]ai) (?:plus de |l['’]âge légal|18 ans)|^êtes-vous (?:majeur|en âge)|` +
			`^vérification de l['’]âge|vous devez (?:avoir|être) .{0,50}(?:18 ans|majeur|âge légal).{0,20} pour|` +
			`^¿?(?:eres|es usted|tienes) (?:mayor|más) de (?:edad|18)|^verificación de (?:la )?edad|` +
			`^(?:soy|sou) maior? de|^soy mayor de (?:edad|18)|debes? (?:ser|tener) .{0,20}(?:edad|18 años).{0,20} para|` +
			`^(?:você )?(?:tem|é) (?:mais|maior) de (?:18|idade)|^(?:confirme|verificação d[ea]) (?:a )?(?:sua )?idade|` +
			`^(?:sei|sono) maggiorenne|^hai (?:più di |almeno |compiuto |già )*18 anni|^verifica (?:dell['’])?età|` +
			`devi (?:essere maggiorenne|avere .{0,15}18 anni) per|` +
			`^ben (?:je|jij|u) (?:al |ouder dan |minimaal )*(?:18|oud genoeg)|^leeftijds(?:controle|verificatie|check)|` +
			`^czy (?:masz|ukończy\S+) .{0,20}18|^czy jesteś pełnoletni|^(?:weryfikacja|potwierdź swój) wiek|` +
			`^(?:あなたは)?(?:18|20|１８|２０)歳以上(?:です|の方)|^年齢(?:確認|認証)`,
	)
	choosePattern = text.NewPattern(
		`(?i)(?:^|[/|] ?)(?:please )?(?:select|choose) (?:your |a |another )?(?:preferred )?(?:country|region|` +
			`language|location|market)(?: (?:or|and|&) (?:your )?(?:country|region|language|location|currency))?` +
			`(?: (?:to|from|below|above|here|you)\b.*)?\s*(?:$|[^\p{L}\s])|` +
			`^wählen sie (?:bitte )?(?:ihr land|ihre (?:sprache|region))|` +
			`(?:^|[/|] ?)(?:land|sprache|region) (?:aus)?wählen|` +
			`(?:^|[/|] ?)(?:choisissez|sélectionnez) (?:votre|une?) (?:pays|langue|région)|` +
			`(?:^|[/|] ?)(?:selecciona|seleccione|elige|elija) (?:tu|su|un) (?:país|idioma|región)|` +
			`(?:^|[/|] ?)(?:selecione|escolha) (?:o |a )?(?:seu |sua )?(?:país|idioma|língua|região)|` +
			`(?:^|[/|] ?)(?:seleziona|scegli) (?:la tua |il tuo |la |il )?(?:lingua|paese|regione)|` +
			`(?:^|[/|] ?)(?:kies|selecteer) (?:uw|je) (?:taal|land|regio)|` +
			`(?:^|[/|] ?)wybierz (?:swój )?(?:język|kraj|region)|` +
			`(?:言語|国|地域|国・地域|国または地域)を(?:お)?選(?:択|んで|び)`,
	)
	consentPattern = text.NewPattern(
		`(?i)^(?:(?:ihre |deine )?(?:einwilligung|zustimmung)(?:en)?|(?:your )?(?:cookie )?consent|` +
			`cookies?(?:[- ](?:einstellungen|settings|preferences|hinweis|notice|wall|consent))?|` +
			`we value your privacy|before you continue.{0,40}|bevor (?:sie|du) .{0,40}(?:fahren|fährst|lesen|liest)|` +
			`avant de continuer.{0,40}|(?:votre )?consentement|antes de continuar.{0,40}|(?:tu |su )?consentimiento|` +
			`prima di continuare.{0,40}|(?:il tuo )?consenso|voordat (?:je|u) verder ?gaat.{0,40}|toestemming|` +
			`zanim przejdziesz.{0,40}|zgoda)[\s!.…:]*$|` +
			`mit werbung (?:weiter|lesen|nutzen)|\bpur[- ]abo|(?:accept|akzeptieren|accepter|acepta\w*|accetta\w*) ` +
			`.{0,20}cookies? (?:to|und|et|y|e|ou|o|or) `,
	)
)
