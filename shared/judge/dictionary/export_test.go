package dictionary

// In is Has of other words.
var In = has

// PostingsOf reads a table that EncodeSpoken wrote.
var PostingsOf = postingsOf

// CompanyStems are the words about companies, by language.
var CompanyStems = companyStems

// SiteStems are the words of companies' pages, by language.
var SiteStems = siteStems

// InRare reads a table that EncodeRare wrote.
func InRare(table []byte, word string, language byte) bool {
	return filterOf(table).Contains(rareKey(word, language))
}
