package feed

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of what a workspace keeps, so that its feeds can be listed in one answer. A Lambda sends 6 MB ("Lambda quotas").
const (
	MaxFeeds      = 1_000      // of a workspace
	MaxWeight     = 128 << 10  // of a feed
	MaxTogether   = 7 << 19    // 3.5 MiB, of a workspace's feeds
	weightOfRest  = 512        // the keys of the answer, times, ids
	weightOfPlace = 160        // the keys of a destination
	weightOfText  = 8*100 + 64 // what may stand in a keyword's place one day, see Without
)

// Weight is at least how many bytes the feed has in an answer on its way from a Lambda, where quotation marks are escaped twice and
// angle brackets take six bytes, now and after any of its keywords have been deleted.
func (f Feed) Weight() int {
	weight := weightOfRest + weigh([]byte(f.Name)) + weigh([]byte(f.Icon))
	for _, side := range [][]byte{f.SimpleFilters, f.AdvancedFilters} {
		weight += weigh(side) + weightOfText*keywordLists(side)
	}
	for _, d := range f.Destinations {
		weight += weightOfPlace + weigh([]byte(d.URL)) + weigh([]byte(d.Timezone))
		for _, texts := range [][]string{d.Emails, d.Channels} {
			for _, text := range texts {
				weight += weigh([]byte(text)) + 5 // its quotation marks and a comma
			}
		}
	}
	return weight
}

// keywordLists is at least how many conditions on keywords a filter has, however their key is spelled.
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

func weigh(text []byte) (weight int) {
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			weight += 4
		case c < ' ' || c == '<' || c == '>' || c == '&':
			weight += 6
		case c == 0xE2: // U+2028 and U+2029, which are escaped, begin so
			weight += 5
		default:
			weight++
		}
	}
	return weight
}
