package site

// Known reports whether one of LexiconLanguages has a word.
var Known = known
