package candidate

import "earshot/shared/judge/dictionary"

// InDictionary is Common without the reviewed words.
func InDictionary(text string) bool { return dictionary.Has(bareWord(text)) || short(bareWord(text)) }

// The parts that have tables of their own.
var (
	Name     = name
	CopiesOf = func(brand string) (texts []string) {
		for _, way := range copiesOf(brand) {
			texts = append(texts, way.how+":"+way.text)
		}
		return texts
	}
)
