package query

import "fmt"

// A Fault is one fault of a query's text. Its place counts characters (Unicode code points, and bytes that are not
// UTF-8), the first of the text being 0.
type Fault struct {
	At, Length int
	Code       Code
	Message    string // for people: the fact, then the remedy; of the text it quotes operators only
	Suggestion string // what could be written in place of the characters at At; empty if nothing is near
}

func (f Fault) Error() string { return fmt.Sprintf("query: character %d: %s", f.At, f.Message) }

// A Code is a kind of fault. Codes are part of the API.
type Code string

// The codes.
const (
	Empty           Code = "empty_query"      // there is no term
	OpenQuote       Code = "open_quote"       // a quotation mark is never closed
	LoneOperator    Code = "lone_operator"    // OR or - has nothing beside it, or an operator has no value
	EmptyPhrase     Code = "empty_phrase"     // a phrase shows nothing
	UnknownLanguage Code = "unknown_language" // of lang:
	UnknownSource   Code = "unknown_source"   // of source:
	InvalidSite     Code = "invalid_site"     // of site:
	InvalidAuthor   Code = "invalid_author"   // of author:
	Unbounded       Code = "unbounded_query"  // an alternative finds nothing by itself
	TooLong         Code = "too_long"         // the text, or a term
	TooManyTerms    Code = "too_many_terms"
	NotUTF8         Code = "not_utf8"
)
