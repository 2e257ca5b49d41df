package match

import "earshot/shared/text/fold"

type normalizer = fold.Normalizer

// Form is fold.Form, for packages that import match.
func Form(text string) string { return fold.Form(text) }

// CasedForm is fold.CasedForm, for packages that import match.
func CasedForm(text string) string { return fold.CasedForm(text) }

// Stem is fold.Stem, for packages that import match.
func Stem(word string) string { return fold.Stem(word) }

// Author is fold.Author, for packages that import match.
func Author(handle string) string { return fold.Author(handle) }
