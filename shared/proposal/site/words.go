package site

import (
	"net/url"
	"slices"
	"strings"
	"sync"

	"earshot/shared/text"
)

// Words of links and headings in the languages that most sites are in.
const (
	// calls begin links that want to be followed: "Explore Relay".
	calls = `learn read see view explore discover get try start buy shop all more how why what our new download sign
		book watch compare use go click find add meet introducing introduce visit open join show browse build
		launch request schedule contact call order access about the a an your my this that with for from to mehr
		alle jetzt entdecken entdecke kaufen testen ansehen unser unsere unseren neu neue zum zur der die das
		voir découvrir découvrez essayer acheter tous toutes nos notre nouveau nouvelle le la les un une ver
		descubrir descubre conocer conoce probar comprar todos todas nuestro nuestra nuestros nuevo nueva el los
		las conheça conheca descubra experimente compre nossos nossas nosso o os as novo nova scopri scoprire
		prova acquista vedi tutti tutte nostri nostre nuovo nuova il lo i gli ontdek bekijk probeer koop alle
		onze nieuw nieuwe de het een zobacz odkryj poznaj kup wszystkie nasze upptäck prova köp våra visa
		詳しく見る 詳しくはこちら 詳細を見る 詳細はこちら もっと見る 続きを読む 一覧を見る 無料で始める 今すぐ始める お申し込み
		了解更多 查看更多 立即购买 자세히 더보기`
	// nouns name pages that every site has.
	nouns = `ebook ebooks whitepapers newsletters ecommerce www m web mobile static cdn overview pricing price prices
		plans plan features feature products product platform platforms solutions solution services service shop
		store stores cart bag basket checkout account accounts login logout signin signup register details
		integrations integration changelog roadmap updates update docs documentation demo demos tour security
		templates template home homepage menu search help support faq faqs q&a contact blog news newsroom press
		media events webinars careers career jobs job about company team teams customers customer clients
		partners partner investors privacy terms legal cookies cookie imprint sitemap accessibility
		sustainability newsletter subscribe language english deutsch français español resources resource library
		guides guide tutorials academy community forum forums status trust enterprise business developers
		developer api apis sdk sdks cli reference download downloads gifts gift giftcard giftcards sale offers
		deals delivery returns shipping collections collection brands brand stories story reviews locations
		location politics world sport sports opinion culture technology science health travel food weather video
		videos podcasts podcast photos games entertainment lifestyle business money local live latest
		accessories women men kids today apps app compliance ethics governance environment values mission
		leadership referrals affiliates affiliate program programs quickstart installation install introduction
		architecture glossary licence license releases release tools tool industries übersicht preise preis
		funktionen produkte produkt lösungen leistungen dienstleistungen warenkorb konto anmelden registrieren
		anmeldung hilfe kontakt karriere jobs presse aktuelles nachrichten unternehmen über uns kunden
		referenzen ratgeber datenschutz impressum agb startseite suche kasse angebote politik wirtschaft sport
		kultur wissen gesundheit reisen meinung panorama gesellschaft filialen gutscheine herren damen kinder
		accueil tarifs tarif prix fonctionnalités produits solutions connexion inscription panier compte aide
		actualités carrières emploi recrutement entreprise clients partenaires confidentialité politique
		économie culture santé voyage opinion recherche boutique télécharger mentions légales inicio precios
		precio planes funciones productos soluciones servicios iniciar sesión registrarse carrito cuenta ayuda
		contacto noticias empleo empresa clientes privacidad política economía deportes cultura salud tienda
		descargar recursos nosotros início preços preço planos recursos produtos soluções serviços entrar
		cadastro carrinho conta ajuda contato notícias carreiras empresa clientes privacidade política economia
		esportes saúde loja baixar sobre prezzi prezzo piani funzionalità prodotti soluzioni servizi accedi
		registrati carrello aiuto contatti notizie azienda clienti lavora privacy politica economia sport salute
		negozio scarica risorse chi siamo prijzen prijs functies producten oplossingen diensten inloggen
		aanmelden winkelwagen account hulp contact nieuws vacatures bedrijf klanten politiek economie gezondheid
		winkel downloaden bronnen over ons cennik funkcje produkty rozwiązania zaloguj pomoc kontakt aktualności
		kariera firma sklep priser funktioner produkter lösningar tjänster logga hjälp kontakt nyheter karriär
		företag butik kassa ホーム 料金 価格 機能 製品 ソリューション サービス ログイン 採用情報 採用 会社概要 会社情報 お問い合わせ ニュース お知らせ ブログ 資料請求
		資料ダウンロード 導入事例 事例 サポート ヘルプ よくある質問 プライバシーポリシー 利用規約 特定商取引法に基づく表記 首页 价格 产品 解决方案 登录 关于我们 联系我们 가격 제품 로그인 회사소개
		문의`
	// wide are what networks and shops of others are called, which stand on many pages.
	wide = `twitter facebook instagram linkedin youtube tiktok github gitlab reddit medium discord slack telegram
		whatsapp pinterest mastodon bluesky threads xing vimeo twitch spotify googleplay appstore applemusic
		chromewebstore microsoftstore applepodcasts paypal visa mastercard klarna trustpilot wordpress wechat
		weibo line android ios ipados macos windows linux bluetooth wifi java excel outlook office chrome safari
		firefox zigbee usb`
)

func set(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		all := map[string]bool{}
		for _, word := range strings.Fields(words) {
			all[word] = true
		}
		return all
	})
}

// baskets are the parts of paths that shops have.
var baskets = set(`cart basket bag checkout shopping-cart shoppingcart warenkorb kasse panier carrito carrello cesta carrinho
	winkelwagen winkelmand koszyk korzina kosik kosar varukorg handlekurv kurv ostoskori viewcart addtocart корзина кошик košík kosár
	カート 购物车 장바구니`)

// sellers are the folders in which shops have the brands that they sell.
var sellers = set("brand brands marken marke marques marcas marchi merken marki varumarken designers manufacturers vendor")

var (
	callWords, nounWords, wideWords = set(calls), set(nouns), set(wide)
	englishStops                    = set(strings.Join(text.FunctionWords("english"), " ") + " powered by")
	stopWords                       = sync.OnceValue(func() map[string]bool {
		all := map[string]bool{}
		for _, language := range text.FunctionWordLanguages() {
			for _, word := range text.FunctionWords(language) {
				all[word] = true
			}
		}
		for _, word := range []string{"&", "+", "–", "-", "powered", "by"} {
			all[word] = true
		}
		return all
	})
)

// calling says whether a word begins links that want to be followed.
func calling(word string) bool { return callWords()[strings.ToLower(word)] }

// generic says whether a name is of pages that every site has.
func generic(name string) bool {
	words := strings.Fields(strings.ToLower(name))
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool {
		return !nounWords()[word] && !stopWords()[word] && !callWords()[word]
	})
}

// stopped says whether a word holds sentences together: a small one in any language, a capitalised one in English,
// since names have the words of others ("Acme Plus"). A word of one or two capitals is a part of a name.
func stopped(word string) bool {
	lower := strings.ToLower(word)
	if shouts := len(word) > 2 && word == strings.ToUpper(word); cased(word) && !shouts {
		return englishStops()[lower] && (len(word) > 2 || word != strings.ToUpper(word))
	}
	return stopWords()[lower]
}

func isNetworkName(name string) bool { return wideWords()[joined(name)] }

func hostOf(href string) string {
	at, err := url.Parse(href)
	if err != nil {
		return ""
	}
	return strings.ToLower(at.Hostname())
}

// vouchers are what shops sell beside their goods, as joined writes it.
var vouchers = set(`giftcard egiftcard giftvoucher giftcertificate geschenkgutschein geschenkkarte cartecadeau chèquecadeau
	tarjetaregalo tarjetaderegalo cartaregalo buonoregalo cartãopresente valepresente cadeaubon cadeaukaart
	kartapodarunkowa`)
