package sampling

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/post"
)

// offersWork says whether a post offers or seeks work by signs that hold in any language: what boards and threads for
// jobs ask of those who post there. The judge's tags know what people say in English.
func offersWork(p *post.Post) bool {
	text := " " + head(of(p.Title)) + " \n " + head(of(p.Body)) + " "
	for _, sign := range jobSigns {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return listing(of(p.Title)) || listing(of(p.Body)) || jobBoard(p.URL)
}

// jobSigns, in lowercase.
var jobSigns = []string{
	"#hiring", "#nowhiring", "#werehiring", "#jobopening", "#jobalert", "#jobs ", "#opentowork", "#vacancy",
	"#vacancies", "#stellenangebot", "#jobsearch", "(m/w/d)", "(w/m/d)", "(d/m/w)", "(m/f/d)", "(f/m/d)", "(m/f/x)",
	"(f/m/x)", "(m/w/x)", "(h/f)", "(f/h)", "(m/v/x)", "seeking work", "seeking freelancer", " [hiring]", " [for hire]",
	"willing to relocate:", "résumé/cv:", "resume/cv:", "cv/resume:", "stellenangebot", "stellenanzeige",
	"wir stellen ein", "offre d'emploi", "offre d’emploi", "nous recrutons", "on recrute", "oferta de empleo",
	"oferta de trabajo", "estamos contratando", "vaga de emprego", "vagas abertas", "wij zijn op zoek naar een",
	"vacature", "stiamo assumendo", "offerta di lavoro", "oferta pracy", "szukamy do zespołu", "iş ilanı",
	"ищем разработчика", "вакансия", "求人", "招聘", "採用情報", "채용",
}

// head is the beginning of a text, in lowercase.
func head(text string) string {
	const bytes = 2 << 10
	if len(text) > bytes {
		text = text[:bytes]
	}
	return strings.ToLower(strings.ToValidUTF8(text, " "))
}

// listing says whether a text begins as offers in threads for jobs do: the company, the role, the place and how one
// works there, with bars between.
func listing(text string) bool {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if len(line) > 500 || strings.Count(line, "|") < 2 {
		return false
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(line), func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) {
		switch word {
		case "remote",
			"onsite",
			"on-site",
			"hybrid",
			"full-time",
			"fulltime",
			"part-time",
			"contract",
			"intern",
			"interns",
			"internship",
			"visa":
			return true
		}
	}
	return false
}

// jobBoard says whether an address is of a board for jobs, or of a company's.
func jobBoard(address string) bool {
	_, rest, ok := strings.Cut(strings.ToLower(address), "://")
	if !ok {
		return false
	}
	if query := strings.IndexAny(rest, "?#"); query >= 0 {
		rest = rest[:query]
	}
	parts := strings.Split(rest, "/")
	if strings.HasPrefix(parts[0], "jobs.") || strings.HasPrefix(parts[0], "careers.") {
		return true
	}
	for _, part := range parts[1:] {
		switch part {
		case "jobs", "careers", "forhire", "hiring", "remotejobs":
			return true
		}
	}
	return false
}

// isHandle says whether an author can be excluded: something that shows, and that a keyword's list may have.
func isHandle(author string) bool {
	return utf8.ValidString(author) && utf8.RuneCountInString(author) <= keyword.MaxText &&
		!strings.HasPrefix(author, "[") &&
		!strings.ContainsFunc(
			author,
			func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) || r == utf8.RuneError },
		)
}
