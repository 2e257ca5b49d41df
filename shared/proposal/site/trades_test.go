package site_test

import "testing"

// Readers whom no list has are known by how their names end, and things that end so are none.
func TestAudience_Trades(t *testing.T) {
	const title = "<title>Quietfern</title>"
	for _, c := range []struct{ language, head, body, want string }{
		{"en", described("A booking desk for florists."), "", "florists"},
		{"en", described("Ferns for timers, for boilers and for beekeepers."), "", "beekeepers"},
		{"en", described("Ferns for wedding planners and set dressers in Wales."), "", "wedding planners, set dressers"},
		{"en", described("Ferns for trainer bags."), "", ""},
		{"en", described("Ferns for longer summers."), "", ""},
		{"en", "<title>Quietfern: ledgers for beekeepers</title>", "", "beekeepers"},
		{"de", described("Kassen für Hofläden und kleine Röstereien."), "", "Hofläden und kleine Röstereien"},
		{"de", described("Leiter und Schrauben für Computer."), "", ""},
		{"fr", described("La caisse pensée pour les fleuristes et les boulangeries."), "", "fleuristes, boulangeries"},
		{"fr", described("Des pièces pour les moteurs."), "", ""},
		{"es", described("Helechos para peluquerías y floristerías."), "", "peluquerías y floristerías"},
		{"it", described("Felci per panifici artigianali."), "", "panifici artigianali"},
		{"pt", described("Samambaias para padarias."), "", "padarias"},
		{"nl", described("Varens voor zorginstellingen en mkb-bedrijven."), "", "zorginstellingen en mkb-bedrijven"},
		{"pl", described("Paprocie dla gabinetów."), "", "gabinetów"},
		{"sv", described("Ormbunkar för bostadsrättsföreningar."), "", "bostadsrättsföreningar"},
		{"es", title,
			"<p>Somos un vivero para adultos que llevan media vida entre libros y todavía no tienen un helecho.</p>",
			"adultos que llevan media vida entre libros"},
		{"it", described("Felci costruite a Lodi per impiantisti e gestori del servizio idrico."), "",
			"impiantisti e gestori del servizio idrico"},
		{"es", described("Helechos para hoteles rurales, floristerías y talleres."), "",
			"hoteles rurales, floristerías, talleres"},
		{"en", described("Ferns for hotels and florists."), "", "hotels, florists"},
		{"en", described("Ferns for anxious beekeepers, at seven vineyards."), "", "anxious beekeepers"},
		{"en", described("Ferns for garden businesses."),
			"<p>We dry and pack them. Made for sales and growth teams at garden companies.</p>",
			"garden businesses, sales and growth teams"},
		{"de", described("Wir beraten mittelständische Maschinenbauer und Zulieferer in Sachsen."), "",
			"mittelständische Maschinenbauer, Zulieferer"},
		{"en", described("Ferns aimed at care homes and home care providers."), "", "care homes, home care providers"},
		{"en", described("Ferns for school bands, orchestras and anyone who waters them."), "", "school bands, orchestras"},
		{"en", described("Fern food for owners of ferns with thirsty roots."), "", "owners of ferns with thirsty roots"},
		{"en", described("Fern food for teams of all kinds."), "", "teams"},
		{"de", described("Farnöl für Hersteller von Elektromotoren."), "", "Hersteller von Elektromotoren"},
		{"en", described("Fern tins. For riders who tour slowly and keep things for decades."), "", "riders who tour slowly"},
	} {
		if got := profiled(c.language, c.head, c.body).Audience; got != c.want {
			t.Errorf("Audience(%s%s) = %q, want %q", c.head, c.body, got, c.want)
		}
	}
}
