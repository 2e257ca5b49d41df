package candidate

import (
	"strings"
	"sync"
)

// reviewed are words that English lists do not have and that companies like to be called by, while others say them all
// the time.
var reviewed = []struct{ reason, words string }{
	{
		"English that is younger than the lists",
		`acai addon airdrop app astro boba chatbot codebase cortado coworking devops dropdown edtech fintech fullstack
		backend frontend guac hyperloop influencer insurtech kombucha livestream macchiato martech metaverse mixtape neobank onboarding onchain proptech
		regtech repo roadmap sidequest signup stablecoin superapp teardown uptime upcycle upsell vlog walkthrough`,
	},
	{
		"slang that is younger than the lists, or that they leave out",
		`bae bruh collab crypto fam finna fleek gg hodl legit lowkey meh meme merch noob noice peeps pog poggers rando rekt selfie sesh sheesh
		simp sus thicc vibe vibes vibin woah woot yas yeet yeets yolo`,
	},
	{
		"Japanese that is written in Latin letters",
		`anata arigato azuki baka bento chibi dojo edamame fugu genki hana hikari ikigai izakaya kaizen kami kanban kanpai karaoke katana kawaii kaze
		kintsugi koi kumo manga matcha mirai mochi neko nomikai nori okami omakase onigiri onsen origami otaku panko ramen ronin sakura sakana sashimi
		senpai sensei shiba shogun sora sugoi sumo sushi tanuki tatami tsuki tsunami udon ukiyo umami wabi yabai yakuza yokai yuki yuzu zen`,
	},
	{
		"Spanish and Portuguese",
		`ahora amanecer amigo amigos amor barrio bonita bueno cabra camino casa cielo coisa corazon dinero dulce estrella familia favor festa fiesta fuego
		gente gracias guapo hermano hola hoje isla libre limon listo lobo lugar luna luz mañana mano mercado mesa mola momento montaña mundo nada niño
		noche nube nuevo obrigado oro padre pago papel perro playa pronto puente queso quiero rápido rio rojo sabor salud siempre sol sombra tesoro
		tiempo tienda tierra todo tudo vaca vamos ventana verde viaje vida viva`,
	},
	{
		"French",
		`alors argent avenir bisous boîte bonjour boulot chez chouette cœur demain doux encore ensemble étoile fleur jamais jour lait lumière lune
		maintenant maison merci moi monde nuage oiseau papillon partout petit pomme rapide rouge salut santé soleil souris temps toujours trésor
		vélo vert voilà`,
	},
	{
		"German",
		`apfel auge baum berg bild blitz blume brücke danke doppelganger ecke einfach fahrrad feuer flink freude freund funke geld genau haus heimat herz
		himmel kaufen kinder kraft kraut leben licht luft mond morgen natur papier rabe raum regen schnell schule sonne spaß spiel stern strom tier tür
		vogel wald wasser weg welt wind wolke wunder zeit ziel zug zusammen`,
	},
	{
		"Italian",
		`allora amico andiamo bella bello ciao cosa domani dolce fiore forte grande grazie insieme libro luce mano mare mondo natale nuvola oggi
		prego quanto sempre sole stella subito tempo tutti tutto vero vita`,
	},
	{
		"Sanskrit, Hindi and Urdu",
		`ahimsa ananda asana atma bharat bhai bindu chai dal desi dhaba dharma diya dosa jai jugaad kaam karma kurta lakh lassi mandir masala meru mitra
		namaste om paisa pani paratha prana puja roti rupee sadhana samosa sari sattva seva shakti shanti shloka sutra swadeshi tiffin veda vidya yantra
		yatra yoga`,
	},
	{
		"Swahili, Arabic, Hebrew and Turkish",
		`asante baraka dada duka habibi hakuna halal harambee inshallah jambo jamaa kazi kilimo maji mama matatu mzee
		nyota rafiki safari salaam shalom shukran simba soko souk twiga uhuru wadi wallah yalla zahra`,
	},
	{
		"Latin and Greek",
		`agape alma altus animus aqua arete astra aura aurum caelum civitas cogito corpus eidos eros eudaimonia fides gaia geo hora kairos kosmos kudos
		lex logos lumina luna lux mens meta mundi nexus nous novus omnia ordo pax physis praxis psyche ratio sapiens scientia sophia telos terra
		thanatos umbra unum veritas via vitae vox`,
	},
}

// reviewedWords are all of them. They are put together when they are first asked for.
var reviewedWords = sync.OnceValue(func() []string {
	var words []string
	for _, group := range reviewed {
		words = append(words, strings.Fields(group.words)...)
	}
	return words
})
