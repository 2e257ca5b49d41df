package site_test

import (
	"errors"
	"strings"
	"testing"

	"earshot/shared/proposal"
	"earshot/shared/proposal/site"
)

// What a page is judged to be: a part of the refusal's sentence, or a notice.
const (
	forSale       = "for sale or parked"
	serverDefault = "empty page of a web server"
	serverError   = "error page"
	botWall       = "prove that they are people"
)

func judged(t *testing.T, p site.Page, domain string) string {
	t.Helper()
	profile, err := site.Read(p, domain)
	var unreadable *site.Unreadable
	if errors.As(err, &unreadable) {
		for _, sentence := range []string{forSale, serverDefault, serverError, botWall} {
			if strings.Contains(unreadable.Reason, sentence) {
				return sentence
			}
		}
		return unreadable.Reason
	}
	return string(profile.Notice)
}

// filler is the text and the links of a company's page.
func filler(sections, links int) string {
	text := ""
	for range sections {
		text += "<h2>What we do</h2><p>Lanterns are made by hand in our workshop by people who have done it all their lives, and shipped to forty countries.</p>"
	}
	for i := range links {
		text += anchor("/page-"+strings.Repeat("x", i+1), "A page")
	}
	return text
}

// page is a page of a title, a body and its first heading.
func titled(title, body string) string {
	return "<html><head><title>" + title + "</title></head><body>" + body + "</body></html>"
}

func TestRead_NoCompany(t *testing.T) {
	for what, c := range map[string]struct{ html, want string }{
		"for sale": {titled("brightpebble.com is for sale",
			"<h1>brightpebble.com</h1><p>Make an offer today and own it tomorrow.</p><form><input></form>"), forSale},
		"for sale, long": {titled("brightpebble.com is for sale | Brokers", filler(20, 40)), forSale},
		"this domain": {titled("brightpebble.com",
			"<h1>brightpebble.com</h1><h2>This domain name is for sale</h2><p>Buy now for $2,000.</p>"), forSale},
		"buy this domain": {titled("brightpebble.com",
			"<a href='https://www.sedo.com/search/details'>Buy this domain</a><div>Related searches</div>"), forSale},
		"the domain may be": {titled("brightpebble.com",
			"<div>The domain brightpebble.com may be for sale by its owner!</div>"), forSale},
		"a script of parking": {titled("brightpebble.com",
			"<div id=rs></div><script src='https://www.google.com/adsense/domains/caf.js'></script>"), forSale},
		"a frame of parking": {titled("brightpebble.com", "<iframe src='https://www.bodis.com/brightpebble'></iframe>"),
			forSale},
		"a lander": {
			`<html><head><script>window.onload=function(){window.location.href="/lander"}</script></head></html>`, forSale},
		"German": {titled("brightpebble.com",
			"<h1>Diese Domain steht zum Verkauf!</h1><p>Der Inhaber bietet sie an.</p>"), forSale},
		"French":     {titled("brightpebble.com", "<p>Le nom de domaine brightpebble.com est à vendre !</p>"), forSale},
		"Spanish":    {titled("brightpebble.com", "<p>El dominio brightpebble.com está en venta.</p>"), forSale},
		"Portuguese": {titled("brightpebble.com", "<h1>Este domínio está à venda</h1>"), forSale},
		"Italian":    {titled("brightpebble.com", "<h1>Questo dominio è in vendita</h1>"), forSale},
		"Dutch":      {titled("brightpebble.com", "<h1>Deze domeinnaam is te koop</h1>"), forSale},
		"Japanese":   {titled("brightpebble.com", "<h1>このドメインは販売中です。</h1>"), forSale},
		"nginx": {titled("Welcome to nginx!",
			"<h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed and working.</p>"), serverDefault},
		"Apache": {titled("Apache2 Ubuntu Default Page: It works",
			"<div>Apache2 Ubuntu Default Page</div><p>This is the default welcome page used to test the correct operation of the Apache2 server.</p>"), serverDefault},
		"It works": {"<html><body><h1>It works!</h1></body></html>", serverDefault},
		"IIS": {titled("IIS Windows Server",
			"<a href='http://go.microsoft.com/fwlink/?linkid=66138'><img src=iisstart.png alt=IIS></a>"), serverDefault},
		"an index": {titled("Index of /",
			"<h1>Index of /</h1><table><tr><td><a href='backup/'>backup/</a></table>"), serverDefault},
		"Plesk": {titled("Domain Default page",
			"<p>If you are the owner of this website, log in to Plesk to set it up.</p>"), serverDefault},
		"404": {titled("404 Not Found", "<center><h1>404 Not Found</h1></center><hr>nginx"), serverError},
		"500": {titled("Error", "<h1>500 Internal Server Error</h1><p>Something is broken.</p>"), serverError},
		"suspended": {titled("Account Suspended",
			"<h1>This Account has been suspended.</h1><p>Contact your hosting provider for more information.</p>"), serverError},
		"404 in German":   {titled("Seite nicht gefunden – Hoster", "<h1>Seite nicht gefunden</h1>"), serverError},
		"404 in Spanish":  {titled("Página no encontrada", "<h1>Error 404</h1>"), serverError},
		"404 in Japanese": {titled("ページが見つかりません", "<h1>404</h1>"), serverError},
		"just a moment": {titled("Just a moment...",
			"<h1>brightpebble.com</h1><p>Verify you are human by completing the action below.</p><script>window._cf_chl_opt={}</script>"), botWall},
		"access denied": {titled("Access Denied",
			"<h1>Access Denied</h1><p>You don't have permission to access this server. Reference #18.2f</p>"), botWall},
		"a captcha": {titled("brightpebble.com",
			"<p>Please enable JS and disable any ad blocker</p><script src='https://ct.captcha-delivery.com/c.js'></script>"),
			botWall},
		"French wall": {titled("Un instant…", "<p>Vérification en cours</p>"), botWall},
		"a login": {titled("Sign in",
			"<h1>Bright Pebble</h1><form><input type=email><input type=password><button>Sign in</button></form>"), "login_wall"},
		"a login in German": {titled("Anmelden", "<form><input name=user><input type=password><button>Los</button></form>"),
			"login_wall"},
		"coming soon": {titled("Bright Pebble", "<h1>Coming soon</h1><p>We are making something.</p>"),
			"coming_soon"},
		"under construction": {titled("Under construction", "<p>Come back later.</p>"), "coming_soon"},
		"hier entsteht":      {titled("Bright Pebble", "<div>Hier entsteht eine neue Internetpräsenz</div>"), "coming_soon"},
		"en construction":    {titled("Site en construction", "<p>À très vite.</p>"), "coming_soon"},
		"próximamente":       {titled("Bright Pebble", "<h1>Próximamente</h1>"), "coming_soon"},
		"em breve":           {titled("Em breve", ""), "coming_soon"},
		"in costruzione":     {titled("Sito in costruzione", "<h1>Sito in costruzione</h1>"), "coming_soon"},
		"binnenkort":         {titled("Bright Pebble", "<h1>Binnenkort online</h1>"), "coming_soon"},
		"準備中":                {titled("Bright Pebble", "<p>準備中です</p>"), "coming_soon"},
		"scripts": {titled("Bright Pebble",
			"<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript><script src=/main.js></script>"), "script_only"},
		"nothing": {"", "empty_page"},
	} {
		if got := judged(t, site.Page{URL: "https://brightpebble.com/", HTML: []byte(c.html)}, "brightpebble.com"); got != c.want {
			t.Errorf("%s: judged %q, want %q", what, got, c.want)
		}
	}
}

func TestRead_OtherAddress(t *testing.T) {
	company := titled("Globex | Lanterns", filler(5, 12))
	for what, c := range map[string]struct{ url, html, want string }{
		"a broker": {"https://www.hugedomains.com/domain_profile.cfm?d=brightpebble",
			titled("BrightPebble.com is for sale | HugeDomains", filler(20, 60)), forSale},
		"another company": {"https://globex.example/", company, "other_site"},
		"www":             {"https://www.brightpebble.com/en/", company, ""},
		"another end":     {"https://brightpebble.io/", company, ""},
		"a longer name":   {"https://brightpebblegroup.com/", company, ""},
		"a store's page": {"https://apps.example/app/bright-pebble", titled("Bright Pebble - Lanterns", filler(5, 12)),
			""},
		"a refresh to there": {"https://brightpebble.com/",
			`<meta http-equiv="refresh" content="0; url=https://globex.example/">`, "other_site"},
		"no address": {"", company, ""},
	} {
		if got := judged(t, site.Page{URL: c.url, HTML: []byte(c.html)}, "brightpebble.com"); got != c.want {
			t.Errorf("%s: judged %q, want %q", what, got, c.want)
		}
	}
}

// False alarms are worse than misses: companies sell domains and cars, find errors, let customers in and announce games.
func TestRead_Company(t *testing.T) {
	for what, c := range map[string]struct{ domain, html string }{
		"a seller of domains": {"namemart.com", titled("Namemart | Premium domains for sale",
			"<h1>Find a domain for sale</h1><p>Buy this domain, or that one.</p><h2>lantern.com is for sale</h2>"+
				anchor("/d/lantern", "Buy this domain")+anchor("/d/hood", "Buy this domain")+filler(8, 14))},
		"a small seller of domains": {"namemart.com",
			titled("Namemart: domains for sale", "<h1>Domains for sale, fairly priced</h1>"+filler(2, 4))},
		"a registrar": {"namemart.com",
			titled("Is your domain available? | Namemart", "<h1>Find out whether the domain is available</h1>"+filler(9, 12))},
		"cars": {"wheelbarn.com",
			titled("Used cars for sale | Wheelbarn", "<h1>12,000 cars for sale near you</h1>"+filler(2, 5))},
		"houses": {"doorstead.co.uk", titled("Houses for sale - Doorstead",
			"<h1>Homes for sale</h1><h2>Your home is for sale? List it.</h2>"+filler(1, 4))},
		"404 monitoring": {"deadlinks.io", titled("404 monitoring for shops | Deadlinks",
			"<h1>404 errors cost you customers</h1><p>Deadlinks finds each page not found.</p>"+filler(1, 3))},
		"a company called 404": {"404.com", titled("404", "<h1>404</h1>"+filler(2, 6))},
		"errors": {"faultline.dev",
			titled("Faultline – Error tracking", "<h1>Internal server errors, explained</h1>"+filler(1, 3))},
		"a bank with a login": {"harborbank.com", titled("Harbor Bank | Personal banking",
			"<form><input name=user><input type=password><button>Log in</button></form><h1>Banking that floats</h1>"+
				filler(6, 12))},
		"a studio with a game": {"mossfox.games",
			titled("Mossfox Games", "<h1>Mossfox</h1><h2>Lanternkeep</h2><p>Coming soon</p><p>Our new game is coming soon to all consoles and computers.</p>"+filler(2, 3))},
		"a captcha on a form": {"acme.com",
			titled("Acme", "<script src='https://challenges.cloudflare.com/turnstile/v0/api.js'></script><script src='https://www.google.com/recaptcha/api.js'></script>"+filler(4, 6))},
		"a maker of captchas": {"prove.example",
			titled("Prove | Are you human? Checks that please", "<h1>Verify you are human, kindly</h1>"+filler(2, 3))},
		"a page in one column": {"acme.com",
			titled("Acme Lanterns", "<h1>Acme Lanterns</h1><p>We make lanterns by hand in Leeds. Call us on 0113 496 0000 or come by the workshop on a Saturday, when the kiln is hot and the tea is on.</p>")},
		"a page with nginx": {"acme.com",
			titled("Acme | nginx hosting", "<h1>Welcome to nginx hosting that you need not think of</h1>"+filler(1, 4))},
		"programs with much text": {"acme.com",
			titled("Acme", "<script src=/a.js></script><script>var l='/landerberg'</script>"+filler(2, 3))},
		"maintenance as a trade": {"liftcare.com",
			titled("Liftcare | Maintenance", "<h1>Lift maintenance</h1>"+filler(2, 5))},
		"a stay": {"staytuned.fm", titled("Stay Tuned", "<h1>Stay Tuned</h1>"+filler(1, 5))},
		"parking": {"parkwell.com",
			titled("Parkwell | Parking near you", "<h1>Find parking. Your car is parked.</h1>"+filler(1, 3))},
	} {
		if got := judged(t, site.Page{URL: "https://" + c.domain + "/", HTML: []byte(c.html)}, c.domain); got != "" {
			t.Errorf("%s: judged %q", what, got)
		}
	}
	for name, c := range sites(t) {
		want := ""
		if c.State == "for_sale" {
			want = forSale
		}
		if got := judged(t, readSite(t, name, c), c.Domain); got != want {
			t.Errorf("%s: judged %q, want %q", name, got, want)
		}
	}
}

// A refused page gives a profile of the domain's name, and a notice stands in the profile of a page that says little.
func TestRead_Notice(t *testing.T) {
	p, err := site.Read(site.Page{
		URL:  "https://acme.com/",
		HTML: []byte(titled("Sign in | Acme", "<form><input type=password></form>")),
	}, "acme.com")
	if err != nil || p.Notice != proposal.NoticeLogin || p.Company != "Acme" {
		t.Errorf("%+v %v", p, err)
	}
}
