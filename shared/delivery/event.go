// Package delivery says what is delivered to the destinations of feeds and alerts, when it is tried, and when a
// destination is given up. It sends nothing and stores nothing.
//
// A delivery is made at least once, in no order. What makes it once for a receiver is the event's ID, which all attempts
// share.
package delivery

import (
	"crypto/sha256"
	"time"

	"github.com/oklog/ulid/v2"
)

// A Type is what an event tells.
type Type string

// The types of events.
const (
	MentionCreated Type = "mention.created"
	MentionsDigest Type = "mentions.digest"
	AlertFired     Type = "alert.fired"
	AlertResolved  Type = "alert.resolved"
	Test           Type = "test"
)

// Prefix begins the IDs of events.
const Prefix = "evt_"

// ID returns the ID of an event: "evt_" and a ULID, whose time is at, and whose rest is a hash of what the event is. Work
// that is done twice makes one event, if at comes from what is stored. destination names who is told; subject names what
// they are told, such as a mention's id, the end of a digest's interval, or the beginning of an alert's episode. IDs sort
// by their time.
func ID(at time.Time, workspaceID, destination string, of Type, subject string) string {
	h := sha256.New()
	for _, part := range []string{workspaceID, destination, string(of), subject} {
		// The hash of each part has one length, so that it is clear where a part ends.
		sum := sha256.Sum256([]byte(part))
		_, _ = h.Write(sum[:]) // it never fails
	}
	var id ulid.ULID
	_ = id.SetTime(uint64(max(at.UnixMilli(), 0)))        // fails from the year 10889 on
	_ = id.SetEntropy(h.Sum(nil)[:len(id)-ulidTimeBytes]) // fails for another length only
	return Prefix + id.String()
}

// ulidTimeBytes is how many bytes of a ULID are its time. The other ten, of a hash, are equal for two events of a
// millisecond once in 10^24 times.
const ulidTimeBytes = 6

// Since returns the least ID of an event at a time, or later.
func Since(at time.Time) string {
	var id ulid.ULID
	_ = id.SetTime(uint64(max(at.UnixMilli(), 0)))
	return Prefix + id.String()
}
