package table

import "time"

// Expired reports whether the item is expired at that time.
func Expired(item Item, now time.Time) bool {
	expiry, ok := item[ExpiryAttribute].(int64)
	return ok && expiry <= now.Unix()
}
