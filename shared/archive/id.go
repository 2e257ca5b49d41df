package archive

import (
	"fmt"
	"time"

	"earshot/shared/post"
)

// An ID names a post of the archive. IDs order posts by the second in which they were posted, and by their slot in it.
// A post whose slot is taken has an ID of one of the next seconds. An ID is also the post's row in a shard, less the
// shard's base, and the key of its document. So a match is a document's key, and no shard is asked where a document is.
type ID int64

// slotBits are the bits of a slot. A second has few slots, because an index takes a byte more for each word of each
// post for every seven bits.
const slotBits = 8

// slots is how many slots a second has.
const slots = 1 << slotBits

// FirstID returns the least ID of posts of a moment's second. Moments before post.Earliest count as that.
func FirstID(at time.Time) ID {
	return ID(max(at.Unix()-post.Earliest.Unix(), 0)) << slotBits
}

// Time returns the second of the ID.
func (id ID) Time() time.Time {
	return time.Unix(post.Earliest.Unix()+int64(id>>slotBits), 0).UTC()
}

// maxProbes is how many slots are tried for a post. Each is one second later, so that posts of which a platform knows
// the day alone spread over the first minutes of it.
const maxProbes = 256

// probe returns the ID that is tried for a post after so many others. name is a hash of its sourceId.
func probe(at time.Time, name int64, others int) ID {
	mixed := uint64(name) * (2*uint64(others) + 1) >> (63 - slotBits)
	return FirstID(at) + ID(others)<<slotBits | ID(mixed%slots)
}

// LastID returns the greatest ID that a post before a moment may have.
func LastID(before time.Time) ID { return FirstID(before.Add(maxProbes * time.Second)) }

// String returns the ID's moment and slot.
func (id ID) String() string {
	return fmt.Sprintf("%s/%d", id.Time().Format(time.RFC3339), id&(slots-1))
}
