package site

import "earshot/shared/text"

// ofApposed is the evidence of a sentence that calls a name the company's own thing. It is enough alone.
const ofApposed = enough

// apposed finds a name that its sentence calls a thing of the company's: "Threadline, our linking engine", "QuillAlign,
// our own in-house aligner". The pattern lists kinds of things that companies sell, because people, towns and partners
// are "our" too.
var apposed = text.NewPattern(`(?:^|[\s(])(\p{Lu}[\p{L}\d]+(?: (?:\p{Lu}[\p{L}\d]*|\d+)){0,2}), ` +
	`(?:our|unser(?:e[mnrs]?)?|notre|nuestr[oa]|(?:il|la) nostr[oa]|onze|ons|[oa] noss[oa]|nasz[ae]?) ` +
	`(?:[\p{L}\d-]+ ){0,3}(?:\p{L}*(?:` +
	`engine|app|platform|tool|assistant|software|editor|suite|device|sensor|api|sdk|library|framework|database|operator|` +
	`agent|bot|chatbot|plugin|extension|subscription|plan|abonnement|algorithm|dashboard|marketplace|aligner|system|` +
	`technology|plattform|werkzeug|datenbank|gerät|` +
	`moteur|logiciel|outil|plateforme|application|appareil|herramienta|plataforma|aplicación|motore|strumento|` +
	`piattaforma|applicazione|ferramenta|aplicativo|narzędzie|platforma|aplikacja)s?)` +
	`(?:[.,;:)]|\s(?:that|which|die|das|qui|que|che)\s|$)`)

// appositions counts for the names that paragraphs of the page say to be the company's things, the first of each.
func (f *finder) appositions() {
	for _, said := range f.voiced {
		found := apposed.FindStringSubmatch(said)
		if found == nil {
			continue
		}
		if name, bare := f.name(found[1]); name != "" && bare && !weak(name) {
			f.note(name, "defined", ofApposed)
		}
	}
}
