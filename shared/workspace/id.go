package workspace

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
)

// Prefixes of ids. An id is its prefix and a ULID, which sorts by the time it was made.
const (
	PrefixWorkspace = "org_"
	PrefixAgency    = "agc_"
	PrefixKey       = "key_"
)

// NewID makes an id. Ids of one millisecond sort at random.
func NewID(prefix string, now time.Time) string {
	return prefix + ulid.MustNew(ulid.Timestamp(now), rand.Reader).String()
}

// ValidID reports whether id is the prefix and a ULID in its canonical form.
func ValidID(prefix, id string) bool {
	if len(id) != len(prefix)+ulid.EncodedSize || id[:len(prefix)] != prefix {
		return false
	}
	text := id[len(prefix):]
	for i := range len(text) {
		if strings.IndexByte(ulid.Encoding, text[i]) < 0 {
			return false
		}
	}
	return text[0] <= '7' // 26 characters hold two bits more than a ULID
}
