package theme_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/judge/embedding"
	"earshot/shared/theme"
)

// said are posts on subjects in several languages, three or more on each.
var said = map[string][]string{
	"english login": {
		"Acme login page throws an error since the update", "Cannot login to Acme, error 500 on the login page",
		"Anyone else get a login error with Acme today?", "The Acme login error is back after the password reset",
		"Password reset mail from Acme never arrives, login error again",
	},
	"english battery": {
		"Acme headphones battery drains within two hours", "Battery of my Acme headphones died, charging does not help",
		"How long does the battery of Acme headphones last when charging overnight?",
		"Replaced the battery, the Acme headphones charging case works again",
		"Charging the Acme headphones takes forever and the battery drains",
	},
	"german": {
		"Die Lieferung von Acme kam drei Tage zu spät an", "Acme Lieferung verspätet, das Paket war beschädigt",
		"Paket beschädigt und die Lieferung verspätet, danke Acme", "Schon wieder Lieferung verspätet, Acme antwortet nicht",
	},
	"japanese": {
		"アクメの新しいカメラの画質がとても良い", "カメラの画質は最高だった。アクメを買ってよかった", "暗い場所でもカメラの画質が落ちない", "画質重視ならこのカメラ一択",
	},
	"chinese": {
		"客服态度太差了，退款一直没有到账", "申请退款三个星期，客服不回复", "退款终于到账，客服还可以", "客服说退款需要七天",
	},
	"korean": {
		"배송이 너무 늦어요 환불을 원합니다", "환불 신청했는데 배송 상태가 그대로네요", "배송은 빠른데 환불이 안 돼요", "환불은 언제 되나요 배송도 늦고",
	},
	"russian": {
		"Доставка задерживается уже неделю, поддержка молчит", "Поддержка не отвечает, доставка задерживается",
		"Служба поддержки обещала, что доставка будет завтра",
		"Доставка задерживается, поддержка молчит",
	},
}

func spoken() (posts []theme.Post, subjects []string) {
	for _, subject := range []string{"english login", "english battery", "german", "japanese", "chinese", "korean", "russian"} {
		language, _, _ := strings.Cut(subject, " ")
		for _, body := range said[subject] {
			posts, subjects = append(posts, theme.Post{Body: body, Language: language}), append(subjects, subject)
		}
	}
	return posts, subjects
}

// Each subject has a theme of its own, whose label has words of its posts in their spelling.
func TestFind(t *testing.T) {
	posts, subjects := spoken()
	found := theme.Find(posts, []string{"Acme", "アクメ"})
	labels := map[string]string{}
	for _, one := range found.List {
		of := subjects[one.Posts[0]]
		for _, at := range one.Posts {
			if subjects[at] != of {
				t.Errorf("theme %q has a post on %s and one on %s", one.Label, of, subjects[at])
			}
		}
		if labels[of] == "" {
			labels[of] = one.Label
		}
	}
	for subject, wanted := range map[string]string{
		"english login": "login", "english battery": "battery", "german": "Lieferung", "japanese": "画質", "chinese": "退款",
		"korean":  "환불",
		"russian": "оставка",
	} {
		if !strings.Contains(labels[subject], wanted) {
			t.Errorf("label of %s = %q, want one with %q", subject, labels[subject], wanted)
		}
	}
	if len(found.List) > 10 {
		t.Errorf("Find = %d themes of %d subjects: %+v", len(found.List), len(said), found.List)
	}
	for i, p := range posts {
		at := found.Of(p)
		if at >= 0 != slices.ContainsFunc(found.List, func(one theme.Theme) bool { return slices.Contains(one.Posts, i) }) ||
			at >= 0 && !slices.Contains(found.List[at].Posts, i) {
			t.Errorf("Of(%q) = %d, which Find does not say", p.Body, at)
		}
	}
}

func TestFind_AnyOrder(t *testing.T) {
	posts, _ := spoken()
	posts = append(posts, many(300)...)
	want := told(theme.Find(posts, []string{"Acme"}), posts)
	for seed := range uint64(5) {
		mixed := slices.Clone(posts)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		if got := told(theme.Find(mixed, []string{"Acme"}), mixed); !reflect.DeepEqual(got, want) {
			t.Fatalf("Find of the same posts in another order = %v, want %v", got, want)
		}
	}
}

// told writes themes without the places of their posts.
func told(found *theme.Themes, posts []theme.Post) (lines []string) {
	for _, one := range found.List {
		line := one.Label + "|" + strings.Join(one.Terms, ";")
		for _, at := range one.Posts {
			line += "|" + posts[at].Body
		}
		lines = append(lines, line)
	}
	return lines
}

// many returns n posts on ten subjects, and words that stand in any.
func many(n int) (posts []theme.Post) {
	random := rand.New(rand.NewPCG(7, 7))
	for i := range n {
		words := []string{}
		for range 6 {
			words = append(words, fmt.Sprintf("subject%cword%c", 'a'+i%10, 'a'+random.IntN(8)))
		}
		for range 6 {
			words = append(words, fmt.Sprintf("noise%c%c", 'a'+random.IntN(26), 'a'+random.IntN(26)))
		}
		random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		posts = append(posts, theme.Post{Body: strings.Join(words, " "), Language: "english"})
	}
	return posts
}

func TestFind_OwnWords(t *testing.T) {
	posts := []theme.Post{}
	for i := range 30 {
		posts = append(posts, theme.Post{
			Body:     fmt.Sprintf("Acme @acme Acme's https://acme.example/%d #AcmeCloud acmes", i),
			Language: "english",
		})
	}
	if found := theme.Find(posts, []string{"Acme", "Acme Cloud"}); len(found.List) > 0 {
		t.Errorf("Find of posts that say only the keyword = %+v, want no theme", found.List)
	}
	if at := theme.Find(posts, []string{"Acme", "Acme Cloud"}).Of(posts[0]); at != theme.Short {
		t.Errorf("Of = %d, want Short", at)
	}
}

// The keyword is no part of a label in a script that leaves no blanks beside it either.
func TestFind_OwnWordsWithoutBlanks(t *testing.T) {
	var posts []theme.Post
	for _, body := range []string{"小米手机电池太差", "小米手机电池不耐用", "这台小米手机电池一天要充三次",
		"新买的小米手机电池坏了", "小米", "小米。小米！"} {
		posts = append(posts, theme.Post{Body: body, Language: "chinese"})
	}
	found := theme.Find(posts, []string{"小米"})
	if len(found.List) != 1 || strings.ContainsAny(fmt.Sprint(found.List[0].Label, found.List[0].Terms), "小米") ||
		!strings.Contains(found.List[0].Label, "手机电池") || len(found.List[0].Posts) != 4 {
		t.Errorf("Find = %+v, want one theme without the keyword", found.List)
	}
}

func TestFind_Nothing(t *testing.T) {
	for _, posts := range [][]theme.Post{nil, {{}}, {{Body: "one post that says something"}}, {{Body: "a"}, {Body: "b"}}} {
		if found := theme.Find(posts, nil); len(found.List) > 0 {
			t.Errorf("Find(%q) = %+v, want no theme", posts, found.List)
		}
	}
}

// What the judge read puts posts together that have no word in common.
func TestFind_Meaning(t *testing.T) {
	vector := func(of int) []byte {
		v := make([]byte, embedding.Dimensions)
		for i := range v {
			if i%2 == of {
				v[i] = 100
			}
		}
		return v
	}
	var posts []theme.Post
	for i := range 24 {
		posts = append(posts, theme.Post{
			Body: fmt.Sprintf("shared%d only%c other%c", i%2, 'a'+i, 'a'+i), Language: "english", Vector: vector(i % 2),
		})
	}
	found := theme.Find(posts, nil)
	if len(found.List) != 2 || len(found.List[0].Posts) != 12 || len(found.List[1].Posts) != 12 {
		t.Errorf("Find = %+v, want the posts of each meaning", found.List)
	}
}

// Whatever posts say, each is in one theme at most, and labels are words that people can read.
func hold(t interface {
	Errorf(format string, args ...any)
}, posts []theme.Post, own []string) {
	found := theme.Find(posts, own)
	seen := map[int]bool{}
	for at, one := range found.List {
		if one.Label == "" || utf8.RuneCountInString(one.Label) > theme.MaxLabel || len(one.Terms) == 0 ||
			len(one.Terms) > theme.MaxTerms ||
			len(one.Posts) < theme.LeastSize {
			t.Errorf("theme = %+v", one)
		}
		for _, text := range append([]string{one.Label}, one.Terms...) {
			if utf8.RuneCountInString(text) > theme.MaxLabel || !utf8.ValidString(text) ||
				strings.ContainsFunc(text, func(r rune) bool {
					return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) && !strings.ContainsRune(" ,-.", r)
				}) {
				t.Errorf("label %q has something that is no word", text)
			}
		}
		for _, i := range one.Posts {
			if seen[i] {
				t.Errorf("post %d is in two themes", i)
			}
			seen[i] = true
			if got := found.Of(posts[i]); got != at {
				t.Errorf("Of(post %d) = %d, want %d", i, got, at)
			}
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("login error", "<script>alert(1)</script> login error", "Acme")
	f.Add("\u202egnp.exe \u200bzero width \u0000 control", "a\u0301\u0301\u0301\u0301 zalgo", "\xff\xfe")
	f.Add("https://example.com @handle &amp;&quot;", "退款退款退款退款退款", "-- ; DROP TABLE")
	f.Add(strings.Repeat("漢字", 4000), strings.Repeat("x ", 9000), strings.Repeat("é", 100))
	f.Fuzz(func(t *testing.T, first, second, own string) {
		var posts []theme.Post
		for i := range 4 {
			posts = append(posts, theme.Post{Title: first, Body: second + strings.Repeat(" x", i), Vector: []byte(first)},
				theme.Post{Body: second + first, Language: "japanese"}, theme.Post{Body: first, Language: own})
		}
		hold(t, posts, []string{own})
	})
}

func TestFind_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringN(1, 12, 40), 3, 20).Draw(t, "words")
		posts := make([]theme.Post, rapid.IntRange(0, 60).Draw(t, "posts"))
		for i := range posts {
			posts[i].Body = strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 8).Draw(t, "body"), " ")
			posts[i].Language = rapid.SampledFrom([]string{"", "english", "chinese", "thai"}).Draw(t, "language")
			posts[i].Vector = rapid.SliceOfN(rapid.Byte(), 0, 128).Draw(t, "vector")
		}
		hold(t, posts, words[:1])
	})
}

func BenchmarkFind(b *testing.B) {
	for _, n := range []int{500, 1_000, 2_000, 5_000} {
		posts := many(n)
		for i := range posts {
			posts[i].Vector = make([]byte, embedding.Dimensions)
			for k := range posts[i].Vector {
				posts[i].Vector[k] = byte(i*31 + k*k%97)
			}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				theme.Find(posts, nil)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/post")
		})
	}
}

// BenchmarkFind_Hostile reads posts that are as long as any, in a script without blanks and in words that each stand in
// few posts.
func BenchmarkFind_Hostile(b *testing.B) {
	random := rand.New(rand.NewPCG(5, 5))
	for name, alphabet := range map[string]int{"dense": 0x4e00, "words": 'a'} {
		posts := make([]theme.Post, 2_000)
		for i := range posts {
			var body strings.Builder
			for n := 0; body.Len() < 8<<10; n++ {
				body.WriteRune(rune(alphabet + random.IntN(20)))
				if name == "words" && n%4 == 3 {
					body.WriteByte(' ')
				}
			}
			posts[i] = theme.Post{Title: body.String(), Body: body.String(), Language: "chinese"}
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				theme.Find(posts, nil)
			}
		})
	}
}
