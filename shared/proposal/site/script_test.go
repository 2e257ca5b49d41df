package site_test

import (
	"slices"
	"testing"

	"earshot/shared/proposal/site"
)

// The name in the page's script is the company's, and what the domain says is another one where the page says it too.
func TestProfile_OtherScript(t *testing.T) {
	for _, c := range []struct {
		domain, page, company string
		others                []string
	}{
		{"hoshino-coffee.jp", `<html lang="ja"><title>星野珈琲 | 公式サイト</title><p>© 2026 星野珈琲</p>`, "星野珈琲", []string{}},
		{"hoshino-coffee.jp", `<html lang="ja"><title>星野珈琲 | 公式サイト</title><h2>Hoshino Coffee</h2><p>© 2026 星野珈琲</p>`,
			"星野珈琲", []string{"Hoshino Coffee"}},
		{"hoshino.jp", `<html lang="ja"><title>株式会社ホシノ</title>`, "ホシノ", []string{}},
		{"vkusnodom.ru", `<html lang="ru"><title>Вкусный дом – доставка еды</title><p>© 2026 ООО «Вкусный дом»</p>`,
			"Вкусный дом", []string{}},
		{"yablonka.example", `<html lang="ru"><title>Яблонька</title><h1>Яблонька</h1><p>Детский сад рядом с домом.</p>`,
			"Яблонька", []string{}},
		{"shchuka.ru", `<html lang="ru"><title>Рыбный магазин | Щука</title>`, "Щука", []string{}},
		{"hoshinoya.example", `<html lang="ja"><title>ホシノヤ - 家族のための宿</title><h1>家族の宿</h1>`, "ホシノヤ", []string{}},
		{"corunkari.example", `<html lang="ja"><title>コルンッカリ | 小さな市場</title><h1>市場</h1>`, "コルンッカリ", []string{}},
		{"hoshinoya.example", `<html lang="ja"><title>家族の宿【ホシノヤ】公式</title><h1>家族の宿</h1>`, "ホシノヤ", []string{}},
		// Kanji may be read in any way, and so may a word that the domain does not spell.
		{"hoshinoya.example", `<html lang="ja"><title>星野屋 - 家族のための宿</title><h1>家族の宿</h1>`, "Hoshinoya", []string{}},
		{"hoshinoya.example", `<html lang="ja"><title>カメラマン | 家族の写真</title><h1>写真</h1>`, "Hoshinoya", []string{}},
		// What the domain does not spell may be any word.
		{"yablonka.example", `<html lang="ru"><title>Главная</title><h1>Главная</h1><p>Детский сад рядом с домом.</p>`,
			"Yablonka", []string{}},
		{"eko.ru", `<html lang="ru"><title>Как</title>`, "Eko", []string{}},
		// Whose the line is does not stand in the title.
		{"hoshino.jp", `<html lang="ja"><title>クラウド会計ソフト</title><p>© 2026 ホシノ</p>`, "Hoshino", []string{}},
		{"hoshino.jp", `<html lang="ja"><title>ホシノ | Hoshino</title><p>© 2026 ホシノ</p>`, "Hoshino", []string{}},
	} {
		got := site.Profile(site.Page{URL: "https://" + c.domain + "/", HTML: []byte(c.page)}, c.domain)
		if got.Company != c.company || !slices.Equal(got.OtherNames, c.others) {
			t.Errorf("%s: %q, others %q", c.page, got.Company, got.OtherNames)
		}
	}
}
