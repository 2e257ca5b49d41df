package match

import "earshot/shared/text/fold"

type normalizer = fold.Normalizer

// Form is fold.Form, for those who match.
func Form(text string) string { return fold.Form(text) }

// CasedForm is fold.CasedForm, for those who match.
func CasedForm(text string) string { return fold.CasedForm(text) }

// Stem is fold.Stem, for those who match.
func Stem(word string) string { return fold.Stem(word) }

// Author is fold.Author, for those who match.
func Author(handle string) string { return fold.Author(handle) }
