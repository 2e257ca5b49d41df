package site_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"earshot/shared/match"
	"earshot/shared/proposal"
	"earshot/shared/proposal/site"
)

func profile(t testing.TB, domain, html string) proposal.Profile {
	t.Helper()
	p := site.Profile(site.Page{URL: "https://" + domain + "/", HTML: []byte(html)}, domain)
	sound(t, p)
	return p
}

// sound fails the test unless a profile keeps what every profile keeps, whatever the page was.
func sound(t testing.TB, p proposal.Profile) {
	t.Helper()
	fits := func(what, text string, most int) {
		if !utf8.ValidString(text) || utf8.RuneCountInString(text) > most || strings.TrimSpace(text) != text ||
			strings.ContainsFunc(text, func(r rune) bool {
				return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u200b' || r == '\ufeff' ||
					unicode.Is(unicode.Co, r)
			}) {
			t.Errorf("%s: %d bytes, %.100q", what, len(text), text)
		}
	}
	fits("company", p.Company, proposal.MaxProfileName)
	fits("description", p.Description, proposal.MaxProfileText)
	fits("audience", p.Audience, proposal.MaxProfileText)
	if p.Company == "" || p.Language == "" {
		t.Errorf("company %q, language %q", p.Company, p.Language)
	}
	for what, list := range map[string][]string{"products": p.Products, "competitors": p.Competitors,
		"terms": p.IndustryTerms, "other names": p.OtherNames} {
		if list == nil || len(list) > proposal.MaxProfileTerms {
			t.Errorf("%s: nil %v, %d", what, list == nil, len(list))
		}
		seen := map[string]bool{match.Form(p.Company): true}
		for _, text := range list {
			fits(what, text, proposal.MaxProfileName)
			if form := match.Form(text); form == "" || seen[form] {
				t.Errorf("%s: %q is empty, twice or the company", what, text)
			} else {
				seen[form] = true
			}
		}
	}
	if p.Handles == nil || len(p.Handles) > proposal.MaxProfileTerms {
		t.Errorf("%d handles", len(p.Handles))
	}
	seen := map[string]bool{}
	for _, h := range p.Handles {
		fits("handle", h.Handle, proposal.MaxProfileName)
		if key := h.Platform + " " + strings.ToLower(h.Handle); h.Handle == "" || !h.Linked || seen[key] {
			t.Errorf("handle %+v", h)
		} else {
			seen[key] = true
		}
	}
}

// pages are what companies' pages look like, and what is to be read of them: a field that is nil or empty is expected empty.
func TestPages(t *testing.T) {
	files, err := filepath.Glob("testdata/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	want := pages()
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".html")
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w, known := want[name]
		if !known {
			t.Errorf("nothing is expected of %s", file)
			continue
		}
		t.Run(name, func(t *testing.T) { compare(t, profile(t, w.domain, string(content)), w.want) })
		delete(want, name)
	}
	for name := range want {
		t.Errorf("there is no testdata/%s.html", name)
	}
}

func compare(t *testing.T, got, want proposal.Profile) {
	t.Helper()
	if want.Language == "" {
		want.Language = "undetermined"
	}
	for _, f := range []struct {
		name      string
		got, want any
	}{
		{"company", got.Company, want.Company}, {"description", got.Description, want.Description},
		{"audience", got.Audience, want.Audience},
		{"language", got.Language, want.Language}, {"products", got.Products, some(want.Products)},
		{"competitors", got.Competitors, some(want.Competitors)},
		{"terms", got.IndustryTerms, some(want.IndustryTerms)}, {"other names", got.OtherNames, some(want.OtherNames)},
		{"handles", fmt.Sprint(got.Handles), fmt.Sprint(want.Handles)},
	} {
		if !reflect.DeepEqual(f.got, f.want) {
			t.Errorf("%s: %q, want %q", f.name, f.got, f.want)
		}
	}
}

func some(list []string) []string { return append([]string{}, list...) }

type expected struct {
	domain string
	want   proposal.Profile
}

func account(platform, handle string) proposal.Handle {
	return proposal.Handle{Platform: platform, Handle: handle, Linked: true}
}

// A page that says nothing leaves what the domain says.
func TestNothing(t *testing.T) {
	for domain, company := range map[string]string{
		"acme.com": "Acme", "acme.co.uk": "Acme", "www.acme-cloud.io": "Acme Cloud", "xn--mnchen-3ya.de": "München",
		"acme.example":          "Acme",
		"quietharbor.github.io": "Quietharbor", "3m.com": "3m", "xn--wgv71a119e.jp": "日本語",
	} {
		for what, html := range map[string]string{
			"nothing": "", "blanks": strings.Repeat(" \n", 1<<20), "zeros": strings.Repeat("\x00", 2<<20),
			"no HTML":        "%PDF-1.7 \xff\xfe",
			"empty elements": "<html><head><title></title><meta name=description></head><body><h1></h1><a></a></body></html>",
			"a parked page": "<title>" + domain +
				" - this domain is for sale!</title><meta name=description content='Buy this great domain today, it is for sale.'><h1>Make an offer</h1>",
			"a bot check": "<title>Just a moment...</title><h1>Checking your browser before access</h1>",
			"nginx":       "<title>Welcome to nginx!</title><h1>Welcome to nginx!</h1><a href='http://nginx.org/'>nginx.org</a>",
			"a 404":       "<title>404 Not Found</title><h1>Not Found</h1>",
		} {
			if got := profile(t, domain, html); !reflect.DeepEqual(got,
				proposal.Profile{Company: company, Language: "undetermined", Products: []string{},
					Handles: []proposal.Handle{}, Competitors: []string{}, IndustryTerms: []string{}, OtherNames: []string{}}) {
				t.Errorf("%s under %s: %+v", what, domain, got)
			}
		}
	}
}

func TestCompany(t *testing.T) {
	for _, c := range []struct{ domain, html, want string }{
		{"acme.com", "<title>Acme | Feature flags for mobile teams</title>", "Acme"},
		{"acme.com", "<title>Home - ACME</title>", "ACME"},
		{"acme.com", "<title>Feature flags – Acme</title>", "Acme"},
		{"acme.com", "<title>Acme: feature flags</title>", "Acme"},
		{"acme.com", "<title>Feature flags, made simple</title>", "Acme"},
		{"getacme.com", "<title>Acme | Flags</title>", "Acme"},
		{"acmehq.com", "<title>Flags — Acme</title>", "Acme"},
		{"quietharbor.com", "<title>Quiet Harbor · Alerts</title>", "Quiet Harbor"},
		{"acme.com", `<meta property="og:site_name" content="My Site">`, "Acme"},
		{"acme.com", `<meta property="og:site_name" content="Acme, Inc.">`, "Acme"},
		{"acme.com", `<meta property="og:site_name" content="Acme Corporation">`, "Acme"},
		{"acme.com", `<meta property="og:site_name" content="Globex">`, "Globex"},
		{"acme.com", `<meta property="og:site_name" content="Globex"><title>Acme - Flags</title>`, "Acme"},
		{"acme.com", `<meta property="og:site_name" content="acme.com"><title>Acme - Flags</title>`, "Acme"},
		{"booking.com", `<meta property="og:site_name" content="Booking.com"><title>Booking.com | Official site</title>`,
			"Booking.com"},
		{"thebrowser.company", `<meta property="og:site_name" content="The Browser Company">`, "The Browser Company"},
		{"lantern.de", `<meta property="og:site_name" content="Lantern Software GmbH">`, "Lantern Software"},
		{"lantern.jp", `<meta property="og:site_name" content="株式会社ランタン">`, "ランタン"},
		{"bigco.com", `<meta name="application-name" content="Such As">`, "Such As"},
		{"acme.com", `<meta name="og:site_name" content="` + strings.Repeat("Acme ", 60) + `">`, "Acme"},
		{"acme.com", `<meta property="og:site_name" content="Ac&#x202e;me &amp; Sons">`, "Acme & Sons"},
		{"acme.com", `<meta property="og:site_name" content="Acme&amp;lt;b>">`, "Acme&lt;b>"},
		{"acme.com", "<title>Welcome to Acme</title>", "Acme"},
		{"acme.com", "<title>Acme, flags and more</title>", "Acme"},
		{"acme.com", "<title>Welcome to ACME's official store – flags</title>", "ACME"},
		{"acme.com", "<title>Acme, Inc. | Home</title>", "Acme"},
		{"acme.com", "<title>We make flags that last</title><p>At Acme we make flags that last for a lifetime.</p>", "Acme"},
		{"spacey.com", "<title>Launches</title><p>Today SpaceY designs and builds rockets, and flies them too.</p>",
			"SpaceY"},
		{"wordpager.com", "<title>Home</title><footer><p>© 2026 WordPager</p></footer>", "WordPager"},
		{"wordpager.com", `<title>Home</title><footer><div>© 2026 <a href="/">WordPager Ltd.</a> All rights reserved</div></footer>`, "WordPager"},
		{"wordpager.com", `<title>Home</title><header><img src=/l.png alt="WordPager logo"></header>`, "WordPager"},
		{"yippee.com", "<title>Yippee! | Mail, news and more</title>", "Yippee!"},
		{"ebuy.com", "<title>Electronics, cars and more | eBuy</title>", "eBuy"},
		{"gamesrus.com", "<title>Games&quot;R&quot;Us: games</title>", `Games"R"Us`},
		{"wordpress.com", "<title>WordPress | Build a site</title>", "WordPress"},
		{"marlowfinch.com", "<title>Home</title><p>© Marlow &amp; Finch Limited 2026</p>", "Marlow & Finch"},
		{"acme.com", `<meta property="og:site_name" content="ACME"><p>People who know Acme know that Acme makes the flags.</p><p>Why do so many people buy from Acme each year?</p>`, "Acme"},
		{"ikes.com", `<meta property="og:site_name" content="IKES"><p>At IKES we believe in furniture that folds, always.</p>`, "IKES"},
		{"acme.com", `<title>Home</title><p>Write to hello@acme.com or visit https://acme.com/ for the flags we make.</p>`,
			"Acme"},
		{"acme.com", `<svg><title>Globex logo</title></svg><title>Acme</title>`, "Acme"},
	} {
		if got := profile(t, c.domain, c.html).Company; got != c.want {
			t.Errorf("%s %s: %q, want %q", c.domain, c.html, got, c.want)
		}
	}
}

func TestCompany_LegalForm(t *testing.T) {
	for _, form := range []string{
		", Inc.", " Inc", " GmbH", " GmbH & Co. KG", " AG", " S.A.", " Ltda.", " Oy", " AB", ", LLC", " Co., Ltd.",
		" Pty Ltd", " A/S", " S.p.A.", " S.r.l.",
		" B.V.", " Sp. z o.o.", " s.r.o.", " e.V.", " Limited", " plc", " SAS", " Kft", " K.K.", " gGmbH",
	} {
		if got := profile(t, "acme.com", `<meta property="og:site_name" content="Acme`+form+`">`).Company; got != "Acme" {
			t.Errorf("company of %q = %q, want Acme", "Acme"+form, got)
		}
	}
	if got := profile(t, "acmeco.com", `<meta property="og:site_name" content="Acme Co">`).Company; got != "Acme Co" {
		t.Errorf("company = %q, want Acme Co", got)
	}
}

func ld(json string) string { return `<script type="application/ld+json">` + json + `</script>` }

// JSON-LD tells of many: only what is the company's own counts.
func TestStructured(t *testing.T) {
	for what, c := range map[string]struct {
		html, company string
		others        []string
		products      []string
	}{
		"an object":   {ld(`{"@type":"Organization","name":"Acme Flags"}`), "Acme Flags", nil, nil},
		"an array":    {ld(`[{"@type":"BreadcrumbList"},{"@type":"Organization","name":"Acme Flags"}]`), "Acme Flags", nil, nil},
		"a graph":     {ld(`{"@graph":[{"@type":"WebPage","publisher":{"@id":"#o"}},{"@type":["Thing","Organization"],"@id":"#o","name":"Acme Flags"}]}`), "Acme Flags", nil, nil},
		"a full type": {ld(`{"@type":"https://schema.org/Corporation","name":"Acme Flags"}`), "Acme Flags", nil, nil},
		"two blocks":  {ld(`{broken`) + ld(`{"@type":"Organization","name":"Acme Flags"}`), "Acme Flags", nil, nil},
		"line ends": {ld("{\"@type\":\"Organization\",\"description\":\"a\nb\",\"name\":\"Acme Flags\"}"), "Acme Flags",
			nil, nil},
		"a wrapper": {ld(`<![CDATA[{"@type":"Organization","name":"Acme Flags"}]]>`), "Acme Flags", nil, nil},
		"a charset": {`<script type="application/ld+json; charset=utf-8">{"@type":"Organization","name":"Acme Flags"}</script>`, "Acme Flags", nil, nil},
		"legal names": {ld(`{"@type":"Organization","name":"Acme","legalName":"Acme, Inc.","alternateName":["Acme Flags","acme.com","Flagship, The"]}`), "Acme",
			[]string{"Acme Flags", "Flagship, The"}, nil},
		"a customer":      {ld(`{"@type":"Review","author":{"@type":"Organization","name":"Globex"},"publisher":{"@type":"Organization","name":"Initech"}}`), "Acme", nil, nil},
		"an article":      {ld(`{"@type":"BlogPosting","author":{"@type":"Organization","name":"Globex"},"publisher":{"@type":"Organization","name":"Globex"}}`), "Acme", nil, nil},
		"of another site": {ld(`{"@type":"Organization","name":"Globex","url":"https://globex.example"}`), "Acme", nil, nil},
		"of several, own": {ld(`[{"@type":"Organization","name":"Globex"},{"@type":"Organization","name":"Lantern","url":"https://www.acme.com/"}]`), "Lantern", nil, nil},
		"a builder": {ld(`{"@type":"WebSite","name":"Acme","publisher":{"@type":"Organization","name":"Sitebuilder"}}`),
			"Acme", nil, nil},
		"a parent": {ld(`{"@type":"Organization","name":"Acme","parentOrganization":{"@type":"Organization","name":"Megacorp"}}`), "Acme", nil, nil},
		"products": {ld(`{"@type":"Organization","name":"Acme","makesOffer":[{"itemOffered":{"name":"Acme Relay"}}],"hasOfferCatalog":{"itemListElement":[{"itemOffered":{"name":"Lamp"}}]}}`) +
			ld(`[{"@type":"SoftwareApplication","name":"Flagship"},{"@type":"Product","name":"Acme"}]`), "Acme", nil,
			[]string{"Acme Relay", "Lamp", "Flagship"}},
		"sold products": {ld(`[{"@type":"Product","name":"Globex Phone","brand":{"@type":"Brand","name":"Globex"}},{"@type":"Product","name":"Own Phone","brand":"ACME"}]`), "Acme", nil,
			[]string{"Own Phone"}},
		"entities": {ld(`{"@type":"Organization","name":"Acme &amp; Sons"}`), "Acme & Sons", nil, nil},
		"other kinds": {ld(`{"@type":7,"name":{"x":[]}}`) + ld(`"x"`) + ld(`[[[null]]]`) +
			ld(`{"@type":"Organization","name":["Acme Flags"]}`), "Acme Flags", nil, nil},
		"no JSON-LD": {`<script>{"@type":"Organization","name":"Globex"}</script><!-- ` +
			ld(`{"@type":"Organization","name":"Globex"}`) + ` -->`, "Acme", nil, nil},
	} {
		got := profile(t, "acme.com", c.html)
		if got.Company != c.company || !slices.Equal(got.OtherNames, c.others) || !slices.Equal(got.Products, c.products) {
			t.Errorf("%s: %q, other names %q, products %q", what, got.Company, got.OtherNames, got.Products)
		}
	}
}

func TestHandles(t *testing.T) {
	a := func(href, text string) string { return `<a href="` + href + `">` + text + `</a>` }
	for what, c := range map[string]struct {
		html string
		want []proposal.Handle
	}{
		"own": {a("https://twitter.com/AcmeHQ", "") + a("https://github.com/acme/flags", "Code") +
			a("https://www.linkedin.com/company/acme-inc/", "In"),
			[]proposal.Handle{account("twitter", "AcmeHQ"), account("github", "acme"),
				account("linkedin", "acme-inc")}},
		"all kinds": {a("https://x.com/acme", "") + a("https://bsky.app/profile/acme.com", "") +
			a("https://de.linkedin.com/company/acme/about", "") + a("https://youtube.com/@acme/videos", "") +
			a("https://tiktok.com/@acme", "") + a("https://instagram.com/acme?hl=en", "") +
			a("https://reddit.com/user/acme", "") + a("https://medium.com/@acme", "") +
			a("https://producthunt.com/@acme", "") + a("https://dev.to/acme", "") +
			a("https://m.facebook.com/acme", "") + a("https://www.threads.net/@acme", "") +
			a("https://mastodon.social/@acme", ""),
			[]proposal.Handle{account("twitter", "acme"), account("bluesky", "acme.com"), account("linkedin", "acme"),
				account("youtube", "acme"), account("tiktok", "acme"), account("instagram", "acme"),
				account("reddit", "acme"), account("medium", "acme"), account("producthunt", "acme"),
				account("dev", "acme"), account("facebook", "acme"), account("threads", "acme"),
				account("mastodon", "acme")}},
		"shares": {a("https://twitter.com/intent/tweet?text=acme", "") + a("https://twitter.com/share", "") +
			a("https://www.facebook.com/sharer.php?u=x", "") + a("https://facebook.com/sharer/sharer.php", "") +
			a("https://www.linkedin.com/shareArticle?url=x", "") + a("https://twitter.com/acme/status/12", "Tweet") +
			a("https://twitter.com/home", "") + a("https://github.com/features", ""), nil},
		"customers": {a("https://twitter.com/janedoe", "Jane Doe") +
			a("https://twitter.com/globex", "Globex") + a("https://github.com/vercel/next.js", "Powered by Next.js"),
			nil},
		"a quote": {`<blockquote>` + a("https://twitter.com/janedoe", "") + `</blockquote>`, nil},
		"another name, in the frame": {`<footer>` + a("https://twitter.com/lantern_app", "our news") + `</footer>`,
			[]proposal.Handle{account("twitter", "lantern_app")}},
		"another name, by an icon": {a("https://x.com/lantern_app", "<svg><title>X</title></svg>"),
			[]proposal.Handle{account("twitter", "lantern_app")}},
		"another name, called": {a("https://x.com/lantern_app", "Follow us on X (opens in a new tab)"),
			[]proposal.Handle{account("twitter", "lantern_app")}},
		"two other names": {`<footer>` + a("https://twitter.com/one", "") + a("https://twitter.com/two", "") +
			`</footer>`, nil},
		"own beside others": {a("https://twitter.com/one", "") + a("https://twitter.com/acme", "") +
			a("https://twitter.com/Acme", ""), []proposal.Handle{account("twitter", "acme")}},
		"rel me": {`<a rel="noopener me" href="https://mastodon.social/@lanterns">elephant</a>`,
			[]proposal.Handle{account("mastodon", "lanterns")}},
		"JSON-LD": {ld(
			`{"@type":"Organization","name":"Acme","sameAs":["https://x.com/lanterns","https://en.wikipedia.org/wiki/Acme"]}`),
			[]proposal.Handle{account("twitter", "lanterns")}},
		"JSON-LD of another": {ld(
			`{"@type":"Organization","name":"Globex","url":"https://globex.example","sameAs":["https://x.com/globex"]}`), nil},
		"meta": {`<meta name="twitter:site" content="@lanterns"><meta name="twitter:creator" content="@jane">`,
			[]proposal.Handle{account("twitter", "lanterns")}},
		"meta nonsense": {`<meta name="twitter:site" content="https://twitter.com/x/y z">`, nil},
		"a subreddit, a channel's id, a person": {a("https://reddit.com/r/acme", "") +
			a("https://youtube.com/channel/UCx", "") +
			a("https://www.linkedin.com/in/acme", ""), nil},
		"hostile": {a("https://twitter.com.evil.example/acme", "") + a("//", "") + a("javascript:alert(1)", "") +
			a("https://x.com/%00", "") + a("http://[::1", "") + a("https://linkedin.com/company/a%20b%0a", ""), nil},
	} {
		if got := profile(t, "acme.com", c.html).Handles; fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
}

func TestCompetitors(t *testing.T) {
	a := func(href, text string) string { return `<a href="` + href + `">` + text + `</a>` }
	for _, c := range []struct {
		html string
		want []string
	}{
		{a("/x", "Acme vs Globex"), []string{"Globex"}},
		{a("/x", "Acme vs. Globex: which is better in 2026?"), []string{"Globex"}},
		{a("/x", "See how Acme vs Globex compare"), []string{"Globex"}},
		{a("/x", "Globex vs Acme"), []string{"Globex"}},
		{a("/x", "Acme vs Globex vs Initech"), []string{"Globex", "Initech"}},
		{a("/x", "acme versus globex"), []string{"globex"}},
		{a("/blog/x", "Redis vs Memcached"), nil},
		{a("/x", "Acme vs the competition") + a("/y", "Acme vs others") + a("/z", "Acme vs DIY") + a("/w", "Us vs Them"),
			nil},
		{a("/x", "Globex alternative") + a("/y", "The open-source alternative to Initech"), []string{"Globex", "Initech"}},
		{"<h1>The modern alternative to spreadsheets</h1><h2>A better alternative to email</h2>", nil},
		{"<h2>Alternatives to Initech</h2><h3>Best Globex Alternative</h3>", []string{"Initech", "Globex"}},
		{a("/compare/globex", "Learn more") + a("/compare/globex-db", "GlobexDB") + a("/vs/initech", "Acme vs Initech"),
			[]string{"Globex", "GlobexDB", "Initech"}},
		{a("/en/compare/acme-vs-globex", "Compare") + a("https://www.acme.com/initech-alternative", "") +
			a("/alternatives/hooli.html", ""), []string{"Globex", "Initech", "Hooli"}},
		{a("https://globex.example/compare/initech", "x") + a("https://g2.example/compare/acme-vs-hooli", "x"), nil},
		{a("/compare/plans", "Compare plans") + a("/compare", "Compare") + a("/pricing/compare/features", "All") +
			a("/alternatives/all", "All"), nil},
		{a("/x", "Switch from Globex") + a("/y", "Migrating from Initech") +
			a("https://other.example", "Switch from Hooli") + a("/z", "Switch from spreadsheets"),
			[]string{"Globex", "Initech"}},
		{a("/compare/acme-vs-acme", "Acme vs Acme"), nil},
		{"<title>Acme vs Globex</title>", []string{"Globex"}},
		{a("/x", "Acme vs Ein Sehr Langer Name Der Niemals Endet"), nil},
		{a("/x", "Acme vs グロベックス"), []string{"グロベックス"}},
		{strings.Repeat(a("/x", "Acme vs Globex"), 50), []string{"Globex"}},
	} {
		if got := profile(t, "acme.com", c.html).Competitors; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.html, got, c.want)
		}
	}
}

func TestProducts(t *testing.T) {
	a := func(href, text string) string { return `<a href="` + href + `">` + text + `</a>` }
	shop := ""
	for i := range 13 {
		shop += a(fmt.Sprintf("/products/shirt-%d", i), fmt.Sprintf("Shirt %d", i))
	}
	for _, c := range []struct {
		html string
		want []string
	}{
		{a("/products/acme-relay", "Acme Relay"), []string{"Acme Relay"}},
		{a("/products/relay/", "<b>Relay</b><div>Pages the right person</div>"), []string{"Relay"}},
		{a("/en/product/db?ref=nav", "Database") + a("https://www.acme.com/products/mail", "Mailer"),
			[]string{"Database", "Mailer"}},
		{a("/products/relay", "Learn more") + a("/products/relay", "Relay") + a("/products/relay", "relay now"),
			[]string{"Relay"}},
		{a("/products/overview", "Overview") + a("/products", "Products") + a("/products/a/b", "Deep") +
			a("https://globex.example/products/x", "Xylo"), nil},
		{a("/products/relay", "pages the right person when something breaks"), nil},
		{shop, nil},
		{a("/products/acme", "Acme"), nil},
	} {
		if got := profile(t, "acme.com", c.html).Products; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.html, got, c.want)
		}
	}
}

func TestOtherNames(t *testing.T) {
	for html, want := range map[string][]string{
		`<title>Acme (formerly Lantern Labs)</title>`:                                         {"Lantern Labs"},
		`<meta name="description" content="Acme, previously known as Lantern, ships flags.">`: {"Lantern"},
		`<h2>Lantern is now Acme!</h2>`:                                                       {"Lantern"},
		`<a href="/blog/x">Lantern is now called Acme</a>`:                                    {"Lantern"},
		`<h2>Lantern is now part of Acme</h2>`:                                                nil,
		`<h3>Jane, formerly Director at Globex</h3>`:                                          nil,
		`<h3>Globex is now Initech</h3>`:                                                      nil,
		`<h3>Acme was formerly slow</h3>`:                                                     nil,
	} {
		if got := profile(t, "acme.com", html).OtherNames; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", html, got, want)
		}
	}
}

func TestAbout(t *testing.T) {
	for _, c := range []struct{ html, description, audience string }{
		{`<title>Acme | Feature flags for mobile teams</title>`, "Feature flags for mobile teams", "mobile teams"},
		{`<title>Home - Acme</title><h1>Flags that ship themselves</h1>`, "Flags that ship themselves", ""},
		{`<title>Acme</title><h1>We use cookies</h1><p>We use cookies to make this site work, and to remember you.</p><p>Acme ships feature flags to phones, and takes them back when they misbehave.</p>`,
			"Acme ships feature flags to phones, and takes them back when they misbehave.", ""},
		{`<meta name=description content="Acme ships feature flags. Sign up for free today! No credit card required."><title>Acme</title>`, "Acme ships feature flags.", ""},
		{`<meta name=description content="Just another WordPress site"><meta property="og:description" content="Acme ships feature flags to busy marketers.">`, "Acme ships feature flags to busy marketers.", ""},
		{`<meta name=description content="Acme"><meta property="og:description" content="Flags for people who ship.">`,
			"Flags for people who ship.", ""},
		{`<meta name=description content="Flags for your business, and alerts.">`, "Flags for your business, and alerts.",
			""},
		{`<meta name=description content="スマートフォン向けの機能フラグを提供します">`, "スマートフォン向けの機能フラグを提供します", ""},
		{`<meta name=Description content=" Flags &amp;  alerts` + "\n" + `for small software companies. ">`,
			"Flags & alerts for small software companies.", "small software companies"},
		{`<meta name=description content="` + strings.Repeat("flags ", 1000) + `">`,
			strings.TrimSpace(strings.Repeat("flags ", 333)), ""},
		{ld(`{"@type":"Organization","name":"Acme","description":"Acme makes flags for ships.","audience":{"audienceType":"Captains"}}`) + `<meta name=description content="Sell more with our new flags today">`,
			"Acme makes flags for ships.", "Captains"},
	} {
		if got := profile(t, "acme.com", c.html); got.Description != c.description || got.Audience != c.audience {
			t.Errorf("%.200s: %q for %q", c.html, got.Description, got.Audience)
		}
	}
}

func TestIndustry(t *testing.T) {
	stuffed := `<title>Acme | Flags</title><meta name=description content="The best incident response for cheap."><meta name=keywords content="incident response,`
	for i := range 500 {
		stuffed += fmt.Sprintf("cheap flag %d, flag%d,", i, i)
	}
	for html, want := range map[string][]string{
		`<meta name=keywords content="feature flags, remote config; rollouts,, acme, acme flags, https://acme.com, one two three four five six">`:                                                             {"feature flags", "remote config", "rollouts"},
		`<title>Zelphor</title><meta name=description content="Point of sale for restaurants."><meta name=keywords content="home, Contact, point of sale, R&amp;amp;D, best price, WordPress | sale points">`: {"point of sale"},
		`<html lang=de><title>Zelphor</title><meta name=description content="Kassensysteme für Restaurants."><meta name=keywords content="Startseite, Kassensystem, Impressum, günstig kaufen">`:              {"Kassensystem"},
		`<html lang=fr><title>Zelphor</title><meta name=description content="Logiciel de caisse pour restaurants."><meta name=keywords content="accueil, bienvenue, logiciel de caisse, pas cher, avis">`:     {"logiciel de caisse"},
		stuffed + `">`: {"incident response"},
		`<title>Acme | The modern incident management platform for small teams</title>`:          {"incident management"},
		`<title>Acme | Feature flags for mobile teams</title>`:                                   {"Feature flags"},
		`<title>Acme | We ship it for you</title>`:                                               nil,
		`<title>Zelphor | Ticketing for museums</title><h1>Zelphor | Ticketing for museums</h1>`: nil,
		`<title>Acme</title><meta name=description content="Feature flags, escalation policies and more. Get started today."><h2>Escalation policies</h2><h2>Get started</h2><h2>Pricing plans</h2>`: {"Escalation policies"},
		ld(`{"@type":"SoftwareApplication","name":"Acme","applicationCategory":"BusinessApplication","applicationSubCategory":"Feature flags"}`):                                                     {"Feature flags"},
	} {
		if got := profile(t, "acme.com", html).IndustryTerms; !slices.Equal(got, want) {
			t.Errorf("%.200s: %q, want %q", html, got, want)
		}
	}
}

// A product's name may have an "&" between its words, however often the page escapes it.
func TestProducts_EscapedAmpersand(t *testing.T) {
	for html, want := range map[string][]string{
		`<title>Zelphor</title><header><nav><a href="/products">Products</a><ul>
			<li><a href="/products/salt-pepper-suite">Salt &amp; Pepper Suite</a>
			<li><a href="/products/track-and-trace">Track &amp; Trace</a><li><a href="/products/qa">Q&amp;A</a></ul></nav>
			</header><h2>Salt &amp; Pepper Suite</h2>`: {"Salt & Pepper Suite"},
		`<title>Zelphor</title>` +
			ld(`{"@type":"Product","name":"Salt &amp;amp; Pepper Suite","brand":{"name":"Zelphor"}}`): {"Salt & Pepper Suite"},
	} {
		if got := profile(t, "zelphor.com", html).Products; !slices.Equal(got, want) {
			t.Errorf("%.200s: %q, want %q", html, got, want)
		}
	}
}

func TestLanguage(t *testing.T) {
	for html, want := range map[string]string{
		`<html lang="de-AT">`: "german", `<html lang="">`: "undetermined",
		`<html lang="xx-nonsense"><meta property="og:locale" content="fr_CA">`: "french",
		`<meta http-equiv="Content-Language" content="es">`:                    "spanish", `<html xml:lang="JA">`: "japanese",
	} {
		if got := profile(t, "acme.com", html).Language; got != want {
			t.Errorf("%s: %s, want %s", html, got, want)
		}
	}
}
