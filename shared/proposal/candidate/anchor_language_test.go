package candidate_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

// What companies' pages in other languages say of anything is no anchor: verbs, numerals, praise and the words that
// hold sentences together.
func TestOf_AnchorsOfOtherLanguages(t *testing.T) {
	for _, c := range []struct{ language, description, want string }{
		{"french", "Boussole aide plus de deux mille artisans à gérer leurs devis, leurs factures et leur trésorerie en " +
			"quelques clics. Nous proposons un logiciel simple qui permet de gagner du temps chaque jour.",
			"artisans trésorerie devis factures"},
		{"french", "Depuis vingt ans, nous accompagnons les vignerons et les brasseurs dans la vente de leurs vins et de " +
			"leurs bières à travers toute la France.", "vignerons brasseurs vins bières"},
		{"french", "L'Ancre réunit l'immobilier, d'anciens notaires et l’assurance.", "immobilier notaires assurance"},
		{"german", "Kompass hilft über tausend Handwerksbetrieben, ihre Angebote, Rechnungen und Baustellen einfach zu " +
			"verwalten. Wir bieten eine Software, mit der Sie jeden Tag Zeit sparen und mehr verdienen.",
			"handwerksbetrieben rechnungen baustellen angebote"},
		{"german", "Seit zwanzig Jahren begleiten wir Winzer und Brauereien beim Verkauf ihrer Weine und Biere in ganz " +
			"Deutschland.", "winzer brauereien weine biere"},
		{"spanish", "Brújula ayuda a más de quinientas clínicas dentales a gestionar sus citas, pacientes y facturas de " +
			"forma sencilla. Ofrecemos una plataforma que permite ahorrar tiempo cada día.",
			"clínicas dentales citas pacientes facturas"},
		{"spanish", "Desde hace veinte años acompañamos a bodegas y cervecerías en la venta de sus vinos y cervezas en " +
			"toda España.", "bodegas cervecerías vinos cervezas"},
		{"portuguese", "A Bússola ajuda mais de duzentas padarias a gerenciar pedidos, estoque e entregas. Oferecemos um " +
			"aplicativo simples que permite vender mais todos os dias.", "padarias pedidos estoque entregas"},
		{"portuguese", "Há vinte anos acompanhamos vinícolas e cervejarias na venda dos seus vinhos e cervejas em todo o " +
			"Brasil.", "vinícolas cervejarias vinhos cervejas"},
		{"italian", "Bussola aiuta oltre trecento agriturismi a gestire prenotazioni, camere e pagamenti. Offriamo un " +
			"software semplice che permette di risparmiare tempo ogni giorno.", "agriturismi prenotazioni camere pagamenti"},
		{"italian", "Da vent'anni accompagniamo cantine e birrifici nella vendita dei loro vini e delle loro birre in " +
			"tutta Italia.", "cantine birrifici vini birre"},
		{"dutch", "Kompas helpt ruim duizend fietsenmakers om hun reparaties, voorraad en facturen makkelijk te beheren. " +
			"Wij bieden een platform waarmee je elke dag tijd bespaart.", "fietsenmakers reparaties voorraad facturen"},
		{"dutch", "Al twintig jaar begeleiden wij wijnboeren en brouwerijen bij de verkoop van hun wijnen en bieren in " +
			"heel Nederland.", "wijnboeren brouwerijen wijnen bieren"},
		{"polish", "Latarnia pomaga ponad tysiącowi hoteli zarządzać rezerwacjami, pokojami i płatnościami. Oferujemy " +
			"proste oprogramowanie, które pozwala oszczędzać czas każdego dnia.",
			"hoteli rezerwacjami pokojami płatnościami"},
		{"polish", "Od dwudziestu lat towarzyszymy winnicom i browarom w sprzedaży wina i piwa w całej Polsce.",
			"winnicom browarom wina piwa"},
		{"swedish", "Lykta hjälper över tusen frisörer att hantera sina bokningar, kunder och betalningar på ett enkelt " +
			"sätt. Vi erbjuder en tjänst som gör det möjligt att spara tid varje dag.", "frisörer bokningar betalningar"},
		{"swedish", "I tjugo år har vi följt vingårdar och bryggerier när de säljer sina viner och öl i hela Sverige.",
			"vingårdar bryggerier viner"},
		{"turkish", "Pusula binden fazla restoranın siparişlerini, stoklarını ve masalarını kolayca yönetmesine yardımcı " +
			"olur. Her gün zaman kazandıran basit bir yazılım sunuyoruz.", "restoranın siparişlerini stoklarını masalarını"},
		{"turkish", "Yirmi yıldır bağcıların ve bira üreticilerinin şarap ve biralarını tüm Türkiye'de satmalarına " +
			"yardımcı oluyoruz.", "bağcıların şarap bira üreticilerinin biralarını"},
		{"czech", "Kompas pomáhá více než tisíci truhlářům spravovat zakázky, faktury a sklad. Nabízíme jednoduchý " +
			"software, který umožňuje každý den ušetřit čas.", "truhlářům zakázky faktury sklad"},
		{"czech", "Už dvacet let doprovázíme vinaře a pivovary při prodeji vín a piv po celé republice.",
			"vinaře pivovary vín"},
		{"danish", "Lygte hjælper mere end tusind tømrere med at styre tilbud, fakturaer og byggepladser. Vi tilbyder en " +
			"enkel løsning, som gør det muligt at spare tid hver dag.", "tømrere fakturaer byggepladser"},
		{"finnish", "Lyhty auttaa yli tuhatta kampaajaa hallitsemaan varauksia ja maksuja. Tarjoamme helpon palvelun, " +
			"joka säästää aikaa joka päivä.", "kampaajaa varauksia maksuja"},
	} {
		found := candidate.Of("acme.example", proposal.Profile{
			Company:     "Zelphor",
			Language:    c.language,
			Description: c.description,
		}).Candidates[0].Anchors
		want := strings.Fields(c.want)
		extra := []string{}
		for _, word := range found {
			if word != "acme.example" && !slices.Contains(want, word) {
				extra = append(extra, word)
			}
		}
		t.Logf("%s: %q beside %q", c.language, extra, want)
		for _, word := range want {
			if !slices.Contains(found, word) {
				t.Errorf("%s: the anchors %q lack %s", c.language, found, word)
			}
		}
		const most = 4 // the field has other words too, such as its verbs and the country
		if len(extra) > most {
			t.Errorf("%s: the anchors have %q too, want at most %d others", c.language, extra, most)
		}
	}
}

// A word of every day anchors nothing unless the profile says it again.
func TestOf_DailyAnchors(t *testing.T) {
	for _, c := range []struct {
		language, description, word string
		want                        bool
	}{
		{"spanish", "Zelphor amasa hogazas de centeno cerca de casa.", "casa", false},
		{"spanish", "Zelphor amasa hogazas de centeno cerca de casa.", "cerca", false},
		{"spanish", "Zelphor amasa hogazas de centeno cerca de casa.", "centeno", true},
		{"spanish", "Zelphor pinta cada casa de la costa, y no hay casa que se le resista.", "casa", true},
		{"polish", "Zelphor uczy pakować plecaki na wyprawy.", "pakować", false},
		{"polish", "Zelphor uczy pakować plecaki na wyprawy.", "plecaki", true},
	} {
		found := candidate.Of("acme.example", proposal.Profile{
			Company:     "Zelphor",
			Language:    c.language,
			Description: c.description,
		}).Candidates[0].Anchors
		if got := slices.Contains(found, c.word); got != c.want {
			t.Errorf("%s: the anchors %q have %s: %v, want %v", c.description, found, c.word, got, c.want)
		}
	}
}
