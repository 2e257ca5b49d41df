package site

import "strings"

const (
	// ofStress is what it says of a name that a sentence which begins with it sets it in bold.
	ofStress = 2.0
	// mostAhead is how many words such a sentence has before the name: "With the", "In der", "L'".
	mostAhead = 2
	// mostStressed is how many names of a page are collected.
	mostStressed = 50
)

// bold reports whether an element sets its text in bold.
func bold(tag string) bool { return tag == "strong" || tag == "b" }

// stress notes where the bold text of a paragraph begins, and takes its name where it ends. A paragraph that begins with
// it has a heading, and what stands later in a sentence may be another company's: "works with <b>Globex</b>".
func (r *reader) stress(tag string, begins bool) {
	if !bold(tag) || r.framed > 0 || r.citing() {
		return
	}
	for i := range r.open {
		e := &r.open[i]
		switch {
		case e.tag != "p":
		case begins:
			e.bold = len(e.text)
		case e.bold > 0 && len(r.stressed) < mostStressed:
			ahead := string(e.text[:e.bold])
			ahead = ahead[strings.LastIndexAny(ahead, ".!?")+1:]
			if words := len(strings.Fields(strings.ReplaceAll(ahead, "’", " "))); words > 0 && words <= mostAhead {
				r.stressed = append(r.stressed, clean(string(e.text[e.bold:]), maxHeading))
			}
			e.bold = 0
		}
	}
}

// stresses counts for the names that the page's sentences set in bold.
func (f *finder) stresses() {
	for _, text := range f.stressed {
		if name, bare := f.name(text); name != "" && bare && !weak(name) {
			f.note(name, "bold", ofStress)
		}
	}
}
