package match

import (
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/post"
)

func exact(text string) keyword.Keyword { return keyword.Keyword{ID: 1, Text: text, ExactMatch: true} }
func part(text string) keyword.Keyword  { return keyword.Keyword{ID: 1, Text: text} }
func cased(text string) keyword.Keyword {
	return keyword.Keyword{ID: 1, Text: text, ExactMatch: true, CaseSensitive: true}
}
func casedPart(text string) keyword.Keyword {
	return keyword.Keyword{ID: 1, Text: text, CaseSensitive: true}
}

// Texts that match or do not, by rule. The texts of a line are bodies of posts. The keyword matches those before the
// "|" and none after it.
var textCases = map[string][]struct {
	keyword keyword.Keyword
	yes     []string
	no      []string
}{
	"whole words": {
		{exact("acme"), []string{"acme", "I like acme.", "(Acme)", "ACME!", "acme-cloud", "acme/cloud", "\"acme\"",
			"a acme a", "*acme*", "acme, inc", "v2:acme", "acme\nis"},
			[]string{"acmes", "pacme", "acme2", "3acme", "acme_x", "_acme_", "acmé", "acme\u0301"}},
		{exact("acme cloud"), []string{"Acme Cloud", "acme  cloud", "acme\tcloud", "acme\r\n\r\ncloud", "acme\u00a0cloud",
			"acme\u3000cloud", "the acme cloud's price"},
			[]string{"acme clouds", "acme-cloud", "acme the cloud", "acmecloud", "acme.cloud"}},
		{exact(" acme   cloud "), []string{"acme cloud", "xx acme\n cloud yy"}, []string{"acme", "cloud"}},
		{exact("3.14"), []string{"pi is 3.14", "3.14!"}, []string{"3.145", "13.14", "3.14.15"}},
		{exact("can't"), []string{"I can't", "I can’t", "can‘t", "canʼt", "can＇t"}, []string{"cant", "can t"}},
		{exact("7-Eleven"), []string{"7-Eleven", "7\u2011Eleven", "a 7\u2010eleven store"},
			[]string{"7–Eleven", "7—Eleven", "7\u2212Eleven"}},
		{exact("e\u2011mail"), []string{"e-mail", "E\u2010Mail"}, []string{"email"}},
		{exact("o'reilly"), []string{"O’Reilly books", "O'REILLY's"}, []string{"oreilly"}},
		{exact("1.1.1.1"), []string{"use 1.1.1.1 as resolver", "1.1.1.1:53"}, []string{"11.1.1.1", "1.1.1.1.1", "1.1.1.12"}},
		{exact("clojure"), []string{"Clojure. Spec", "clojure.", "(clojure)."},
			[]string{"Clojure.spec", "my.clojure.spec", "spec.clojure"}},
		{exact("clojure.spec"), []string{"the Clojure.spec rationale"}, []string{"clojure spec"}},
		{exact("c"), []string{"c", "in C, we", "c++"}, []string{"cc", "abc"}},
	},
	"substrings": {
		{part("acme"), []string{"acme", "pacmen", "ACMEs", "macmé acme", "xacmex"}, []string{"ac me", "acm", "acmé"}},
		{part("cme cl"), []string{"acme cloud", "ACME   CLoud"}, []string{"acmecloud"}},
		{part("ss"), []string{"Straße", "STRASSE", "ẞ"}, []string{"s s"}},
		{part("."), []string{"a.b"}, []string{"ab"}},
		{part("aa"), []string{"xaaax"}, []string{"axa"}},
	},
	"case": {
		{exact("straße"), []string{"STRASSE", "Straße", "STRAẞE", "strasse"}, []string{"strase"}},
		{exact("ΟΔΥΣΣΕΥΣ"), []string{"Οδυσσεύς Οδυσσευς", "οδυσσευσ"}, []string{"Οδυσσεύς"}},
		{exact("σας"), []string{"ΣΑΣ", "σασ", "Σας"}, nil},
		{exact("москва"), []string{"МОСКВА", "Москва"}, []string{"Москвадам"}},
		{exact("օգնել"), []string{"ՕԳՆԵԼ"}, nil},
		{exact("ﬁnance"), []string{"finance", "FINANCE", "ﬁnance"}, nil},
		{exact("k"), []string{"\u212a"}, nil},
		{exact("ångström"), []string{"Ångström", "\u212bngstro\u0308m", "A\u030angstro\u0308m"}, []string{"angstrom"}},
		{exact("ĳ"), []string{"Ĳ"}, []string{"ij"}},
		{exact("ⓐ"), []string{"Ⓐ"}, []string{"a"}},
		{cased("IT"), []string{"IT department", "our IT."}, []string{"it", "It", "iT"}},
		{cased("Apple"), []string{"Apple", "Apple's", "Apple’S", "@Apple", "www.Apple.com"},
			[]string{"apple", "APPLE", "@apple", "apple.com"}},
		{cased("Straße"), []string{"Straße"}, []string{"Strasse", "STRASSE", "straße"}},
		{cased("É"), []string{"É", "E\u0301"}, []string{"é", "e\u0301"}},
		{casedPart("cM"), []string{"acMe", "ẞcM", "ﬁcM"}, []string{"acme", "aCM"}},
		{casedPart("s"), []string{"ßs"}, []string{"ß", "S"}},
		{cased("Acme Cloud"), []string{"Acme  Cloud", "@AcmeCloud", "AcmeCloud.com"},
			[]string{"acme cloud", "acmecloud.com", "@acmecloud"}},
	},
	"Turkish i": {
		{exact("istanbul"), []string{"İstanbul", "İSTANBUL", "ISTANBUL", "i\u0307stanbul", "I\u0307stanbul"},
			[]string{"ıstanbul"}},
		{exact("ışık"), []string{"ışık"}, []string{"IŞIK", "işik"}},
		{exact("işik"), []string{"IŞIK", "İŞİK"}, []string{"ışık"}},
		{cased("İzmir"), []string{"İzmir", "I\u0307zmir"}, []string{"izmir", "Izmir"}},
	},
	"normal form": {
		{exact("café"), []string{"cafe\u0301", "CAFÉ", "CAFE\u0301", "Cafe\u0301's"}, []string{"cafe", "cafe\u0300"}},
		{exact("cafe"), []string{"cafe"}, []string{"café", "cafe\u0301"}},
		{part("cafe"), []string{"cafes"}, []string{"café", "cafe\u0301"}},
		{exact("e\u0323\u0301"), []string{"e\u0301\u0323", "ẹ\u0301"}, nil},
		{exact("acme"), []string{"ａｃｍｅ", "ＡＣＭＥ", "𝐀𝐜𝐦𝐞", "𝓪𝓬𝓶𝓮", "𝙰𝙲𝙼𝙴"}, []string{"ⓐⓒⓜⓔ"}},
		{exact("ガス"), []string{"ｶﾞｽ", "カ\u3099ス"}, []string{"カス"}},
		{exact("한국"), []string{"\u1112\u1161\u11ab\u1100\u116e\u11a8"}, []string{"한국어"}},
		{exact("acme"), []string{"Acme™", "Acme®", "acme²", "acme…"}, nil},
		{exact("≠"), []string{"a =\u0338 b"}, []string{"="}},
	},
	"what hides": {
		{exact("acme"), []string{"ac\u200bme", "a\u200dc\u200cme", "ac\u00adme", "\u200eacme\u200f", "\u202eacme\u202c",
			"ac\u2060me", "\ufeffacme", "a\u034fcme", "ac\U000e0061me", "acm\ufe0fe"},
			[]string{"ac me", "xac\u00adme"}},
		{exact("acme"), []string{"hello\u200bacme\u200bworld"}, []string{"hello\u200cacme"}},
		{exact("ac\u200bme"), []string{"acme"}, nil},
		{exact("acme cloud"), []string{"acme \u200b cloud", "acme\u200e \u200fcloud"}, []string{"acme\u200bcloud"}},
		{part("acme"), []string{"xac\u200bmex"}, nil},
		{exact("می\u200cخواهم"), []string{"میخواهم"}, nil},
		{cased("AcMe"), []string{"Ac\u200bMe", "x\u200bAcMe"}, []string{"ac\u200bme"}},
	},
	"possessive": {
		{exact("acme"), []string{"Acme's", "Acme’s cat", "ACME'S", "acmeʼs", "acme＇s", "acme's."},
			[]string{"acme'd", "acme'sa", "acmes'"}},
		{exact("james"), []string{"James' book", "James’ book", "James's", "james'"}, []string{"jamess"}},
		{exact("acme cloud"), []string{"Acme Cloud’s price"}, []string{"acme cloudy"}},
		{exact("c++"), []string{"C++'s"}, nil},
	},
	"own domain": {
		{exact("acme"), []string{"acme.com", "https://docs.acme.co.uk/x", "http://acme.io:8080", "www.acme.com.",
			"me@acme.com", "ACME.COM", "see acme.com's page",
			"//a.b.c.acme.org?q", "访问acme.com了解", "(acme.ai)", "acme.co.jp", "_acme.com_", "ftp://acme.museum.", "acme.example",
			"status.acme.internal", "joe@acme.test", "ａｃｍｅ．com"},
			[]string{"my-acme.com", "acme.example.com", "acme.github.io", "acme.py3", "acme.notatld", "notacme.com", "acmex.com",
				"acme.com.notatld"}},
		{exact("acme cloud"), []string{"acmecloud.com", "https://acme-cloud.io/a", "mail@acmecloud.dev",
			"status.acmecloud.co.uk"},
			[]string{"acme_cloud.com", "acmecloud", "acme-cloud", "acmecloud.example.com", "acmeclouds.com", "theacmecloud.com",
				"the-acmecloud.com", "acmecloud-x.com", "#acmecloud"}},
		{exact("node.js"), []string{"Node.js", "nodejs.org", "@nodejs"}, []string{"nodejs", "node.jsx"}},
		{exact("AT&T"), []string{"AT&T", "att.com", "@att"}, []string{"att"}},
		{exact("Nestlé"), []string{"nestlé", "nestle.com", "@Nestle", "nestlé.fr"}, []string{"nestle"}},
		{exact("github"), []string{"octo.github.io", "github.com"}, []string{"github.localhost"}},
		{exact("яндекс"), []string{"яндекс.рф", "www.яндекс.рф"}, []string{"яндекс.фыва"}},
		{exact("acme.com"), []string{"acme.com", "www.acme.com", "https://docs.acme.com/x", "me@acme.com",
			"Acme.Com's"}, []string{"acme.community", "acme.com.br", "notacme.com", "acme_com", "www.acme.comx"}},
		{exact("docs.acme.com"), []string{"docs.acme.com", "eu.docs.acme.com"}, []string{"acme.com", "xdocs.acme.com"}},
		{exact("co.uk"), []string{"co.uk"}, []string{"acme.co.uk"}},
		{exact("com"), []string{"com"}, []string{"acme.com"}},
		{exact("acme"), []string{strings.Repeat("a.", 122) + "acme.com"}, []string{strings.Repeat("a.", 123) + "acme.com"}}, // 252 and 254 bytes
		{part("acme cloud"), nil, []string{"acmecloud.com"}},
	},
	"own handle": {
		{exact("acme"), []string{"@acme", "hi @Acme!", "@acme's", ".@acme", "@acme@mastodon.social", "@acme.bsky.social",
			"感谢@acme", "@acme.com"},
			[]string{"@acmefan", "@acme_fan", "@acme1", "@acme.fan.club.x", "@acme.bsky.socialx", "@theacme"}},
		{exact("acme cloud"), []string{"@AcmeCloud", "@acme_cloud", "@acme-cloud", "@acmecloud's",
			"@acmecloud.bsky.social", "＠AcmeCloud", "@acmecloud@mastodon.social", "@acmecloud感谢"},
			[]string{"@acmecloudfan", "@acme_cloud_fan", "me@acmecloud", "a-@acmecloud", "a+@acmecloud",
				"_@acmecloud", "@ acmecloud", "@acmecloud-x", "@acmecloud.fan.club.x", "@the_acme_cloud"}},
	},
	"names with signs": {
		{exact("C++"), []string{"C++", "I write C++.", "c++11", "C++/Rust"}, []string{"c+", "xc++", "objc++"}},
		{exact(".NET"), []string{"the .NET runtime", ".net", "(.NET)", ".NET's"},
			[]string{"ASP.NET", "example.net", "@net", "net"}},
		{exact("C#"), []string{"C# code", "c#."}, []string{"c", "abc#"}},
		{exact("@acme"), []string{"@acme", "via @ACME:", "@acme's", ".@acme"},
			[]string{"acme", "@acmefan", "me@acme.com", "@acme_x"}},
		{exact("#acme"), []string{"#acme", "x #Acme!"}, []string{"acme", "#acmefan"}},
		{exact("Yahoo!"), []string{"Yahoo! is", "yahoo.com", "@yahoo"}, []string{"yahoo"}},
		{exact("🚀"), []string{"🚀", "go🚀", "🚀🚀🚀"}, []string{"🛸"}},
		{exact("👍"), []string{"👍", "👍🏽", "👍🏿!"}, []string{"👎"}},
		{exact("👍🏽"), []string{"👍"}, nil},
		{exact("❤️"), []string{"❤", "❤️"}, []string{"💔"}},
		{exact("👩‍💻"), []string{"👩‍💻", "👩💻", "I👩🏾‍💻u"}, []string{"👩", "💻"}},
		{exact("🇩🇪"), []string{"🇩🇪", "🇫🇷🇩🇪", "in🇩🇪"}, []string{"🇫🇷", "🇪🇩🇪🇩"}},
		{part("🇩🇪"), []string{"🇪🇩🇪🇩"}, nil},
		{exact("$AAPL"), []string{"$AAPL up", "($aapl)"}, []string{"aapl", "$aaplx"}},
	},
	"scripts": {
		{exact("苹果"), []string{"我喜欢苹果手机", "苹果"}, []string{"苹 果", "果苹"}},
		{exact("ソニー"), []string{"ソニー製品", "ソニーが", "新ソニー"}, []string{"ソニーストア", "パソニー"}},
		{part("ソニー"), []string{"ソニーストア"}, nil},
		{exact("すし"), []string{"おすしだ"}, nil},
		{exact("삼성"), []string{"삼성 전자", "삼성!"}, []string{"삼성전자", "삼성은"}},
		{part("삼성"), []string{"삼성은"}, nil},
		{exact("acme"), []string{"我用Acme做", "アクメacme製"}, []string{"Acme는"}},
		{exact("กาแฟ"), []string{"ดื่มกาแฟทุกวัน"}, nil},
		{exact("שלום"), []string{"שלום עולם", "שלום."}, []string{"השלום", "שלומי"}},
		{exact("سلام"), []string{"سلام عليكم", "«سلام»"}, []string{"السلام"}},
		{exact("हिन्दी"), []string{"मैं हिन्दी बोलता", "हिन्दी।"}, []string{"हिन्दीभाषी"}},
		{part("हिन्द"), []string{"हिन्दी"}, nil},
		{exact("हिन्द"), nil, []string{"हिन्दी"}},
		{exact("Việt Nam"), []string{"VIỆT NAM", "Vie\u0323\u0302t Nam", "Viê\u0323t Nam"}, []string{"Viet Nam"}},
		{exact("ქართული"), []string{"ქართული ენა", "ᲥᲐᲠᲗᲣᲚᲘ"}, nil},
	},
	"odd text": {
		{exact("acme"), []string{"\xffacme\xfe", "\x00acme\x00", "acme\xc3", "�acme"}, []string{"ac\xffme", "ac\x00me"}},
		{exact("\x00"), []string{"a\x00b"}, []string{"ab"}},
	},
}

func TestCases(t *testing.T) {
	count := 0
	for rule, lines := range textCases {
		for _, line := range lines {
			for _, side := range []struct {
				texts []string
				want  bool
			}{{line.yes, true}, {line.no, false}} {
				for _, text := range side.texts {
					count++
					if got := matches(t, line.keyword, &post.Post{Body: &text}); got != side.want {
						t.Errorf("%s: %q (exact %v, cased %v) in %q: %v, want %v", rule, line.keyword.Text, line.keyword.ExactMatch,
							line.keyword.CaseSensitive, text, got, side.want)
					}
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d cases", count)
	}
}

func matches(t testing.TB, k keyword.Keyword, p *post.Post) bool {
	t.Helper()
	m, err := Compile([]Workspace{{ID: "org_1", Keywords: []keyword.Keyword{k}}})
	if err != nil {
		t.Fatal(err)
	}
	var hits Hits
	m.Match(p, &hits)
	return len(hits.List) == 1
}
