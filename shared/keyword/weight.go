package keyword

import (
	"slices"

	"earshot/shared/text"
)

// MaxTogether bounds the weight of a workspace's keywords, so that one response can list them: 3.5 MiB. A Lambda sends
// 6 MB ("Lambda quotas").
const MaxTogether = 7 << 19

const (
	weightOfRest = 512 // the keys of the response, times, ids, volumes
	weightOfText = 5   // the quotation marks of a text and a comma
)

// Weight returns an upper bound of the keyword's bytes in a Lambda's response.
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

// Same reports whether two keywords are equal. An empty list equals a missing one, except for Platforms.
func (k Keyword) Same(other Keyword) bool {
	a, b := k.lists(), other.lists()
	for i := range a {
		if !slices.Equal(a[i], b[i]) {
			return false
		}
	}
	return (k.Platforms == nil) == (other.Platforms == nil) && k.ID == other.ID && k.Text == other.Text &&
		k.Context == other.Context &&
		k.AdditionalTermsLogic == other.AdditionalTermsLogic && k.ExactMatch == other.ExactMatch &&
		k.CaseSensitive == other.CaseSensitive && k.Tag == other.Tag && k.Paused == other.Paused &&
		k.CreatedAt.Equal(other.CreatedAt) &&
		k.UpdatedAt.Equal(other.UpdatedAt) &&
		k.Revision == other.Revision
}
