package organization

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/web"
	"earshot/shared/web/workspacewire"
)

// A Phrase is an element of a list of words.
type Phrase string

// Schema describes it.
func (Phrase) Schema(huma.Registry) *huma.Schema {
	least, most := 1, 100
	return &huma.Schema{Type: huma.TypeString, MinLength: &least, MaxLength: &most}
}

// textFaults returns the faults of a text that may be empty and may have several lines.
func textFaults(at *huma.PathBuffer, property string, text *string) []error {
	isControl := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }
	if text == nil || !strings.ContainsFunc(*text, isControl) {
		return nil
	}
	return []error{web.Fault(at, property, "pattern", "expected no control characters except tabs and line breaks")}
}

func listFaults(at *huma.PathBuffer, property string, phrases []Phrase) (faults []error) {
	for i, phrase := range phrases {
		// a copy, because huma removes an index from a path before it uses the path
		own := huma.NewPathBuffer([]byte(at.String()), at.Len())
		faults = append(faults, workspacewire.NameFaults(own, fmt.Sprintf("%s[%d]", property, i), string(phrase))...)
	}
	return faults
}

// setText replaces a text if another is given.
func setText(into, given *string) {
	if given != nil {
		*into = strings.TrimSpace(strings.ReplaceAll(*given, "\r\n", "\n"))
	}
}

// setList replaces a list if another is given, without duplicates.
func setList(into *[]string, given []Phrase) {
	if given == nil {
		return
	}
	*into = make([]string, 0, len(given))
	for _, phrase := range given {
		if text := strings.TrimSpace(string(phrase)); !slices.Contains(*into, text) {
			*into = append(*into, text)
		}
	}
}
