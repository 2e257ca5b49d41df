package rows

import (
	"crypto/sha256"
	"crypto/subtle"
	"time"

	"earshot/shared/port/table"
)

// Rows for OAuth:
//
//	core      pk org_…         sk "grant#grt_…"   a grant with the digests of its code and tokens
//	counters  pk request#<d>   sk "request"       an authorization request, by the digest of its secret
//	          pk client#<d>    sk "client"        a client that registered itself, or the copy of a metadata document,
//	                                              by the digest of its id
//
// A grant is one row, so that each change of its tokens is one conditional write, and to delete the row ends them all.
// "code" is there until the code is exchanged; a row with "code" is no grant yet. "spent" is the digest of the code that
// was exchanged. "family" and "refresh" are digests of the refresh token, and "access" lists the good access tokens.
const (
	SortGrant        = "grant#"
	SortRequest      = "request"
	SortClient       = "client"
	PartitionRequest = "request#"
	PartitionClient  = "client#"
)

// GrantKey returns the key of a grant.
func GrantKey(orgID, id string) table.Key { return table.Key{Partition: orgID, Sort: SortGrant + id} }

// AttrAccess is the attribute of a grant's row that lists its good access tokens, newest first: maps of "digest" and
// "until", in nanoseconds.
const AttrAccess = "access"

// maxAccess is how many access tokens of a grant are good at the same time. A client that refreshes more often within
// an hour loses the oldest.
const maxAccess = 4

// WithAccess returns the list of a grant's access tokens with a new one, without those that are expired now.
func WithAccess(item table.Item, now time.Time, digest [sha256.Size]byte, until time.Time) []any {
	kept := []any{map[string]any{"digest": digest[:], "until": FromMoment(until)}}
	for _, entry := range List(item, AttrAccess) {
		access, _ := entry.(map[string]any)
		if len(kept) < maxAccess && now.Before(ToMoment(Integer(access, "until"))) {
			kept = append(kept, access)
		}
	}
	return kept
}

// AccessUntil returns the end of the access token with a digest; the zero time if a grant's row has none. It compares in
// constant time.
func AccessUntil(item table.Item, digest [sha256.Size]byte) (until time.Time) {
	for _, entry := range List(item, AttrAccess) {
		access, _ := entry.(map[string]any)
		if subtle.ConstantTimeCompare(Bytes(access, "digest"), digest[:]) == 1 {
			until = ToMoment(Integer(access, "until"))
		}
	}
	return until
}
