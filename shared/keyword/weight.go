package keyword

import (
	"slices"

	"earshot/shared/text"
)

// MaxTogether bounds what a workspace's keywords weigh, so that they can be listed in one answer: 3.5 MiB. A Lambda sends 6 MB
// ("Lambda quotas").
const MaxTogether = 7 << 19

const (
	weightOfRest = 512 // the keys of the answer, times, ids, volumes
	weightOfText = 5   // the quotation marks of a text and a comma
)

// Weight is at least how many bytes the keyword has in an answer on its way from a Lambda.
func (k Keyword) Weight() int {
	total := weightOfRest + text.JSONSize(k.Text) + text.JSONSize(k.Context)
	for _, list := range k.lists() {
		for _, one := range list {
			total += text.JSONSize(one) + weightOfText
		}
	}
	return total
}

func (k Keyword) lists() [5][]string {
	return [5][]string{k.AdditionalTerms, k.ExcludeWords, k.WildcardExcludeWords, k.ExcludeAuthors, k.Platforms}
}

// Same says whether two keywords differ in nothing. A list without elements is one that is not there, but for Platforms.
func (k Keyword) Same(other Keyword) bool {
	a, b := k.lists(), other.lists()
	for i := range a {
		if !slices.Equal(a[i], b[i]) {
			return false
		}
	}
	return (k.Platforms == nil) == (other.Platforms == nil) && k.ID == other.ID && k.Text == other.Text && k.Context == other.Context &&
		k.AdditionalTermsLogic == other.AdditionalTermsLogic && k.ExactMatch == other.ExactMatch && k.CaseSensitive == other.CaseSensitive &&
		k.Tag == other.Tag && k.Paused == other.Paused && k.CreatedAt.Equal(other.CreatedAt) && k.UpdatedAt.Equal(other.UpdatedAt) &&
		k.Revision == other.Revision
}
