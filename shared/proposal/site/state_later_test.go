package site_test

import (
	"testing"

	"earshot/shared/proposal/site"
)

// The same for pages that were written after the mechanism was made.
func TestRead_LaterPages(t *testing.T) {
	for what, c := range map[string]struct{ domain, html, want string }{
		"a broker's frame": {"quietfern.net",
			`<html><head><title>quietfern.net</title></head><frameset rows="100%,*"><frame src="https://sedoparking.com/quietfern.net"></frameset></html>`, forSale},
		"GoDaddy": {"quietfern.net",
			titled("quietfern.net", `<div><h1>quietfern.net</h1><p>is parked free, courtesy of a registrar.</p><a href="https://www.godaddy.com/forsale/quietfern.net">Get this domain</a></div><script src="https://img1.wsimg.com/parking-lander/static/js/main.js"></script>`), forSale},
		"an afternic lander": {"quietfern.net", titled("QuietFern.net is for sale!",
			`<header><img alt="logo"></header><h1>QuietFern.net</h1><h2>Get this domain</h2><ul><li>Buy now: $4,988</li><li>Lease to own</li></ul><p>Listed by a verified seller. Fast, secure transfer.</p>`), forSale},
		"an expired domain": {"quietfern.net",
			titled("quietfern.net", `<p>This domain has expired. If you own it, renew it now with your registrar.</p>`),
			forSale},
		"ein Angebot": {"quietfern.net",
			titled("quietfern.net steht zum Verkauf", `<h1>Die Domain quietfern.net</h1><p>Preis auf Anfrage.</p>`), forSale},
		"à vendre": {"quietfern.net",
			titled("quietfern.net", `<h1>Ce domaine est à vendre</h1><p>Faites une offre.</p>`), forSale},
		"kaufen": {"quietfern.net",
			titled("quietfern.net", `<h1>quietfern.net</h1><p>Diese Domain kaufen</p><p>Die Domain könnte zum Verkauf stehen.</p>`), forSale},
		"お名前": {"quietfern.net", titled("quietfern.net", `<p>quietfern.net は売り出し中です</p>`), forSale},
		"cPanel": {"quietfern.net", titled("Default Web Site Page",
			`<h1>SORRY!</h1><p>If you are the owner of this website, please contact your hosting provider: webmaster@quietfern.net</p>`), serverDefault},
		"CentOS": {"quietfern.net", titled("HTTP Server Test Page powered by CentOS",
			`<h1>Testing 123..</h1><p>This page is used to test the proper operation of the Apache HTTP server after it has been installed.</p>`), serverDefault},
		"a 403": {"quietfern.net",
			titled("403 Forbidden", `<h1>Forbidden</h1><p>You don't have permission to access this resource.</p>`), serverError},
		"a 503": {"quietfern.net",
			titled("503 Service Temporarily Unavailable", `<h1>503 Service Temporarily Unavailable</h1><hr>nginx`), serverError},
		"no application": {"quietfern.net",
			titled("No such app", `<p>There is no app configured at that hostname.</p>`), serverError},
		"GitHub Pages": {"quietfern.net",
			titled("Site not found · GitHub Pages", `<h1>404</h1><p><strong>There isn't a GitHub Pages site here.</strong></p>`),
			serverError},
		"WordPress' database": {"quietfern.net",
			titled("Database Error", `<h1>Error establishing a database connection</h1>`), serverError},
		"introuvable": {"quietfern.net", titled("Erreur 404 - Page introuvable", `<h1>Page introuvable</h1>`), serverError},
		"Cloudflare": {"quietfern.net", titled("Attention Required! | Cloudflare",
			`<h1>Sorry, you have been blocked</h1><h2>You are unable to access quietfern.net</h2>`), botWall},
		"Imperva": {"quietfern.net",
			`<html><head><script src="/_Incapsula_Resource?SWJIYLWA=1"></script></head><body><iframe src="/_Incapsula_Resource?x=1">Request unsuccessful.</iframe></body></html>`, botWall},
		"Akamai": {"quietfern.net", titled("Pardon Our Interruption",
			`<h1>Pardon Our Interruption...</h1><p>As you were browsing something about your browser made us think you were a bot.</p>`), botWall},
		"einen Moment": {"quietfern.net",
			titled("Nur einen Moment…", `<h1>quietfern.net</h1><p>Bestätigen Sie, dass Sie ein Mensch sind.</p>`), botWall},
		"a portal": {"quietfern.net", titled("Quietfern | Log in",
			`<h1>Welcome back</h1><form><input name=e><input type=password><a href="/forgot">Forgot password?</a></form>`),
			"login_wall"},
		"connexion": {"quietfern.net", titled("Connexion", `<form><input><input type="password"></form>`),
			"login_wall"},
		"a password page": {"quietfern.net", titled("Quietfern – Opening soon",
			`<h1>Opening soon</h1><p>Be the first to know when we launch.</p><form><input type=email></form>`), "coming_soon"},
		"we are launching": {"quietfern.net",
			titled("Quietfern", `<div class=c><h2>We're launching soon</h2><p>Follow us for updates.</p></div>`), "coming_soon"},
		"maintenance": {"quietfern.net",
			titled("Site maintenance", `<h1>Down for maintenance</h1><p>We'll be back shortly.</p>`), "coming_soon"},
		"Wartung": {"quietfern.net", titled("Wartungsarbeiten", `<p>Wir sind bald wieder da.</p>`),
			"coming_soon"},
		"a Vue app": {"quietfern.net",
			`<html lang=en><head><title>Quietfern</title><script defer src="/js/chunk.js"></script></head><body><noscript><strong>We're sorry but quietfern doesn't work properly without JavaScript enabled.</strong></noscript><div id=app></div></body></html>`, "script_only"},
		"a Next app": {"quietfern.net",
			`<html><head><title>Quietfern: fern care</title></head><body><div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{}</script></body></html>`, "script_only"},
		"a café": {"quietfern.net", titled("Quiet Fern Café",
			`<h1>Quiet Fern</h1><p>Coffee, cake and ferns in Bath. Open Tuesday to Sunday, 8 to 4.</p><p>New terrace coming soon!</p>`), ""},
		"a film": {"quietfern.net", titled("Quiet Fern Pictures",
			`<h1>The Long Tide</h1><h2>Coming soon</h2><p>A film by Ines Okafor.</p>`+filler(2, 3)), ""},
		"boats": {"quietfern.net",
			titled("Boats for sale in Cornwall | Quiet Fern Boats", `<h1>Boats for sale</h1>`+filler(1, 3)), ""},
		"a status service": {"quietfern.net",
			titled("Quietfern | 500 errors, seen first", `<h1>503 Service Unavailable? Not again.</h1>`+filler(1, 3)), ""},
		"a webmail": {"quietfern.net", titled("Quietfern Mail - email that is yours",
			`<form><input type=password></form><h1>Email that is yours</h1>`+filler(4, 9)), ""},
		"a hoster": {"quietfern.net", titled("Quietfern Hosting",
			`<h1>Is this domain available?</h1><p>Search for a domain and register it today. Domains for sale from $1.</p>`+
				filler(3, 6)), ""},
		"an app with its text": {"quietfern.net",
			titled("Quietfern", `<div id=root><h1>Fern care for busy people</h1>`+filler(2, 2)+
				`</div><script src=/m.js></script>`), ""},
		"a newspaper with a wall": {"quietfern.net", titled("The Quiet Fern | News",
			`<h1>The Quiet Fern</h1><h2>Access denied: reporters shut out of court</h2>`+filler(3, 12)), ""},
	} {
		if got := judged(t, site.Page{URL: "https://" + c.domain + "/", HTML: []byte(c.html)}, c.domain); got != c.want {
			t.Errorf("%s: judged %q, want %q", what, got, c.want)
		}
	}
}

// Announcements as the templates of shops and content systems write them, and Polish, which the first patterns lacked.
func TestRead_Announcements(t *testing.T) {
	for html, want := range map[string]string{
		titled("Domena quietfern.net jest na sprzedaż",
			`<p>Złóż ofertę.</p>`): forSale,
		titled("quietfern.net", `<h1>Ta domena jest na sprzedaż</h1>`): forSale,
		titled("Błąd 404 – Nie znaleziono strony",
			`<h1>Nie znaleziono strony</h1>`): serverError,
		titled("Zaloguj się", `<h1>Zaloguj się</h1><form><input type=email></form>`): "login_wall",
		titled("Strona w budowie",
			`<p>Zapraszamy wkrótce!</p>`): "coming_soon",
		titled("Przerwa techniczna",
			`<p>Przepraszamy za niedogodności.</p>`): "coming_soon",
		titled("Maintenance", `<h1>We&rsquo;ll be back soon!</h1><p>Sorry.</p>`): "coming_soon",
		titled("Maintenance en cours",
			`<p>Merci de votre patience.</p>`): "coming_soon",
		titled("Wartungsmodus", `<h1>Wir sind gleich wieder da</h1>`): "coming_soon",
		titled("Quietfern", `<h1>Estamos en mantenimiento</h1>`):      "coming_soon",
		titled("Quietfern", `<h1>Torniamo subito</h1>`):               "coming_soon",
		titled("Onderhoud", `<h1>We zijn zo terug</h1>`):              "coming_soon",
		titled("Site em manutenção",
			`<h1>Voltamos já</h1>`): "coming_soon",
		titled("メンテナンスのお知らせ", `<h1>ただいまメンテナンス中です</h1>`): "coming_soon",
		titled("Registrant WHOIS contact information verification",
			`<p>This domain is registered at a registrar.</p>`): forSale,
		titled("quietfern.net", `<p>This domain was recently registered at a registrar.</p>`): forSale,
		titled("Domain-Parking",
			`<h1>Diese Domain ist bereits registriert.</h1>`): forSale,
		titled("Looks like this domain isn’t connected to a website yet",
			""): forSale,
		titled("Félicitations ! Votre domaine a bien été créé",
			""): forSale,
		titled("Website Expired",
			`<p>This account has expired.</p>`): serverError,
		titled("Unavailable in your region",
			`<h1>We’re sorry</h1>`): serverError,
		titled("Une erreur est survenue",
			`<h1>Oups, une erreur est survenue</h1>`): serverError,
		titled("Ha ocurrido un error",
			""): serverError,
		titled("Es ist ein Fehler aufgetreten",
			""): serverError,
		titled("Quietfern | Domain registration", `<h1>Register a domain with us</h1>`+filler(1, 2)): "",
		titled("Quietfern | Lift maintenance", `<h1>Maintenance</h1>`+filler(1, 2)):                  "",
		titled("Quietfern | Onderhoud van daken", `<h1>Onderhoud</h1>`+filler(1, 2)):                 "",
		titled("Quietfern | Mieszkania na sprzedaż", `<h1>Mieszkania na sprzedaż</h1>`+filler(1, 2)): "",
	} {
		page := site.Page{URL: "https://quietfern.net/", HTML: []byte(html)}
		if got := judged(t, page, "quietfern.net"); got != want {
			t.Errorf("Read(%s) = %q, want %q", html, got, want)
		}
	}
}
