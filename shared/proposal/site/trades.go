package site

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// What people and places of work are called by what they do, in the languages that most sites are in. Behind a word for
// "for" they say whom something is for.
var (
	// tradeEnds end words of which at least two letters stand before them.
	tradeEnds = strings.Fields(`ers ors ists ians eers smiths wrights people folk folks women innen logen isten
		therapeuten eurs euses iers ières istes iens iennes logues thérapeutes dores doras tores sores eros eiros
		istas antes ólogos terapeutas tori trici isti ieri ifici ologi terapeuti erijen kundigen istów arni iarzy
		karzy listek`)
	// compounded are words that others may be joined to: "Hofläden".
	compounded = strings.Fields(`abteilungen accountants allergiker anbieter angestellte angler apotheken arbeiter
		artsen autohäuser babys bagerier bauer bauern bedrijven berater beschäftigte bibliotheken brauereien
		bryggerier butiker byråer bäcker bäckereien bönder büros cafés camper chefer corporaties cyklister
		dachdecker dienstleister disponenten druckereien eigenaars eigenaren einrichtungen elektriker erwachsene
		erzieher fachkräfte fahrer familjer firmor freunde friseure föreningar företag företagare föräldrar führer
		geber gemeinschaften genossenschaften zentren zulieferer gesellschaften groepen gruppen gänger gärtner
		gärtnereien halter hantverkare hebammen heime hochschulen höfe imker ingenieure ingenjörer installateure
		instellingen jeugd jugendliche jäger kantoren kaufhäuser kellereien ketten kirchengemeinden kitas
		kletterer kliniker kommuner konsulter krankenkassen käsereien käufer köche lantbrukare leiter leitungen
		leute liebhaber lieferanten läden lärare läufer löpare macher makelaars maler manufakturen meister metzger
		metzgereien musea museen nehmer nybörjare odlare organisaties patienten personaler planer praktijken
		produzenten profis pädagogen redaktionen reedereien reiter restauranger restaurants revisorer röstereien
		sammler sanitätshäuser schaffende schreiner schreinereien segler seniorer skolor speditionen sportler
		stadtwerke studenter tandläkare taucher teams techniker theater tischler tischlereien trainer ungdomar
		universitäten utvecklare vandrare veranstalter verbände verenigingen verkstäder verlage verleiher
		vermieter versorger verwalter verwaltungen veterinärer volwassenen vuxna wanderer werften wijngaarden
		winkels winzer wirte züchter ägare ämter ärzte`)
	// tradeWords are others.
	tradeWords = set(`3pls academias academies administratorów adolescentes adolescents adultes adulti adultos
		adults agencji agents applicants archives asesorías asociaciones assistants associations associazioni
		associações authorities babies bands barbearias bares biblioteche bibliotek bibliothèques biegaczy
		birrerie bistros biur bodegas botteghe boulangeries boutiques brasseries brides browarów cabinets
		cafeterias cafeterías campings campsites canteens cantine carnicerías cartiere cervejarias chefs cideries
		cinemas clubes clubs co-ops colleges commerces communes condomini confeitarias constructoras construtoras
		consultants consultórios cooks cooperativas cooperative cooperatives coopératives copropriétés craftsmen
		creameries creches crews crèches dads dairies dealerships departments depots despachos deweloperów
		dirigeants distilleries dorosłych drogarias eateries employees enoteche enthusiasts escritórios estetiste
		executives expats exploitations facilities falegnamerie fans farmaceutów ferreterías fishermen fleets
		floristerías fornai fotografów freelances fromageries fryzjerów fundacji fábricas fédérations gabinetów
		galleries garages gelaterie geometri gestionnaires gestorías grandparents guarderías guesthouses guides
		gîtes handlowców harbours heladerías hospices hostels hotelarzy housewives hurtowni idraulici imobiliárias
		imprimeries industrie indústrias instruktorów instytucji inwestorów inżynierów joineries kadrowych kennels
		kierowców kierowników kindergartens klubów konstruktorów kucharzy kurierów laboratoires laboratorios labs
		lavandarias librairies libraries librerie librerías livrarias logopedów macellerie magasins marinas
		mechanics menedżerów mercearias midwives mills mines miłośników moms msps mums musei musées muzeów
		młodzieży naukowców nomads notai nurseries oems offices officine oficinas ogrodników operatorów orchards
		orchestras pacjentek padarias panaderías panetterie papelarias paramedics parents parishes pastelarias
		pasticcerie patients patisseries peixarias peluquerías pensjonatów pescaderías pharmacies pilots pizzarias
		pizzerie pizzerías podróżników ports pracowników practices prawników principals projektantów przedszkoli
		psychologów pâtisseries quarries queserías ragazzi refineries residencias residents retirees roasteries
		rolników rowerzystów rzemieślników rękodzielników salonów samorządów sawmills smbs smes societies
		spółdzielni stabilimenti stables stomatologów stowarzyszeń studios surgeries syndicats syndics talleres
		teens theatres tradesmen trattorie trenerów uczelni uczestników unions urzędników usines utilities
		veterinari veterinarios veterinários vets vineyards vinícolas vétérinaires warsztatów weterynarzy winnic
		workshops wspólnot zarządców zawodników épiceries studi`)
	// things end as those do and are none.
	things = set(`computers papers numbers others offers orders servers customers containers letters browsers
		trailers matters headers covers powers answers flowers errors doors motors colors colours sensors floors
		indoors outdoors factors dinners dollars summers winters printers routers layers chargers folders trackers
		filters buffers parameters registers chapters transfers disasters posters stickers timers reminders
		boilers heaters coolers freezers mirrors tractors reactors generators monitors projectors indicators
		vectors processors connectors elevators tenders banners corners cylinders diapers dryers fibers fingers
		footers gutters hangers ladders lasers lockers mixers rollers speakers sweaters towers transistors
		vouchers washers wrappers hours yours ours theirs years vors behaviors behaviours flavors flavours sectors
		interiors exteriors harbors tumors labors favors rumors conveyors compressors converters adapters
		controllers scanners sliders starters triggers usernames centers centres meters metres litres counters
		drawers hammers blenders burners bumpers shutters batteries users lists crackers crisps burgers peppers
		feathers leathers waters rivers showers tiles boosters barriers carpets quarters headquarters shoulders
		fevers cancers ulcers cookers rubbers winners newsletters toppers ordinateurs moteurs chantiers papiers
		dossiers quartiers métiers fichiers extérieurs intérieurs couleurs fleurs valeurs erreurs douleurs odeurs
		carrières calendriers escaliers cahiers meilleurs plusieurs derniers premiers leurs ailleurs matières
		manières lumières bières rivières barrières chaudières congélateurs radiateurs capteurs serveurs secteurs
		facteurs dernières premières meilleures heures vapeurs longueurs hauteurs profondeurs largeurs saveurs
		réguliers particulières pistes listes tristes quotidiens anciens liens biens moyens moyennes anciennes
		quotidiennes motores ordenadores sectores factores valores colores exteriores interiores superiores
		mayores anteriores inferiores importantes antes instantes restantes elegantes bastantes diamantes plantes
		primeros terceros enteros ligeros tableros ficheros letreros números dineros verdaderos vistas revistas
		pistas listas entrevistas conquistas ordenadoras impresoras calculadoras computadores setores fatores
		primeiros inteiros dinheiros verdadeiros melhores maiores flores cores sabores olores dolores errores
		favores mejores peores calores detectores motori settori fattori quartieri cantieri pensieri bicchieri
		misti visti previsti edifici benefici artifici ieri altrieri interi volentieri sentieri esteriori
		interiori batterie gallerie monitori trattori radiatori generatori sensori kamers nummers zomers vloers
		anders cijfers koffers kelders vensters schermers akkers emmers deuren grenzen innen drinnen gewinnen
		beginnen beginen binnen listen kisten pisten leiter halter wasserhalter abteilungsleitungen leitungen
		wasserleitungen stromleitungen gruppen ketten`)
)

// trade reports whether a word is what people or places of work are called.
func trade(word string) bool {
	word = strings.ToLower(word)
	if things()[word] {
		return false
	}
	const least = 2 // letters
	ends := func(end string) bool { return strings.HasSuffix(word, end) }
	return tradeWords()[word] || slices.ContainsFunc(compounded, ends) ||
		slices.ContainsFunc(tradeEnds, func(end string) bool {
			return ends(end) && utf8.RuneCountInString(strings.TrimSuffix(word, end)) >= least
		})
}
