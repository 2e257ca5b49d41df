package feed

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"earshot/shared/text"
)

// Bounds of a workspace's feeds, so that one response can list them. A Lambda sends 6 MB ("Lambda quotas").
const (
	MaxFeeds      = 1_000       // of a workspace
	MaxWeight     = 128 << 10   // of a feed
	MaxTogether   = 7 << 19     // 3.5 MiB, of a workspace's feeds
	weightOfRest  = 512         // the keys of the response, times, ids
	weightOfPlace = 160         // the keys of a destination
	weightOfText  = 8*100 + 176 // the text that may one day replace a keyword, in a group of its own: see Without
)

// Weight returns an upper bound of the feed's bytes in a Lambda's response, now and after any of its keywords have been
// deleted.
func (f Feed) Weight() int {
	total := weightOfRest + text.JSONSize(f.Name) + text.JSONSize(f.Icon)
	for _, side := range [][]byte{f.SimpleFilters, f.AdvancedFilters} {
		total += text.JSONSize(side) + weightOfText*keywordLists(side)
	}
	for _, d := range f.Destinations {
		total += weightOfPlace + text.JSONSize(d.URL) + text.JSONSize(d.Timezone)
		for _, texts := range [][]string{d.Emails, d.Channels} {
			for _, one := range texts {
				total += text.JSONSize(one) + 5 // its quotation marks and a comma
			}
		}
	}
	return total
}

// keywordLists returns an upper bound of the number of a filter's conditions on keywords, however their key is spelled.
func keywordLists(side []byte) (n int) {
	decoder := jsontext.NewDecoder(bytes.NewReader(side), jsontext.AllowDuplicateNames(true))
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return n
		}
		if token.Kind() == '"' && (token.String() == "keyword" || token.String() == "!keyword") {
			n++
		}
	}
}
