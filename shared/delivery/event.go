// Package delivery says what is delivered to the destinations of feeds and alerts, when it is tried, and when a
// destination is given up. It sends nothing and stores nothing.
//
// A delivery is made at least once, in no order. What makes it once for a receiver is the event's ID, which all attempts
// share.
package delivery

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
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

// idSize is how many bytes of a hash an ID has: two of a trillion events are equal once in 10^14 times.
const idSize = 16

// ID returns the ID of an event: "evt_" and 26 lowercase letters and digits. It is a function of what the event is, so
// that work which is done twice makes one event. destination names who is told; subject names what they are told, such
// as a mention's id, the end of a digest's interval, or the beginning of an alert's episode.
func ID(workspaceID, destination string, of Type, subject string) string {
	h := sha256.New()
	for _, part := range []string{workspaceID, destination, string(of), subject} {
		// The hash of each part has one length, so that it is clear where a part ends.
		sum := sha256.Sum256([]byte(part))
		_, _ = h.Write(sum[:]) // it never fails
	}
	return "evt_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(h.Sum(nil)[:idSize]))
}
