package web

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// revalidate gives an answer its validator and, when the client has that version already, makes it a 304.
func revalidate(header http.Header, out *buffer, record *record) {
	sum := sha256.Sum256(out.body.Bytes())
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
	header.Set("ETag", tag)
	switch {
	case record.route.CacheControl != "":
		header.Set("Cache-Control", record.route.CacheControl)
	default:
		header.Set("Cache-Control", "private, no-cache")
	}
	if matches(record.ifNoneMatch, tag) {
		out.status = http.StatusNotModified
		out.body.Reset()
		header.Del("Content-Type")
	}
}

// matches compares the value of If-None-Match with a validator, weakly (RFC 9110, section 13.1.2).
func matches(ifNoneMatch, tag string) bool {
	for candidate := range strings.SplitSeq(ifNoneMatch, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == tag || candidate == "*" {
			return true
		}
	}
	return false
}
