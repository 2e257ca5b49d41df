package web

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"earshot/shared/text"
	"earshot/shared/web/problem"
)

// revalidate sets a response's validator. It turns a read of a version that the client already has into a 304. A stored
// response keeps its first validator.
func revalidate(header http.Header, out *buffer, record *record) {
	tag := header.Get("ETag")
	if tag == "" {
		tag = record.tag(out.body.Bytes())
	}
	tag = codedTag(tag, header, out.body.Len(), record.acceptsGzip)
	header.Set("ETag", tag)
	switch {
	case record.route.mutates():
		return
	case header.Get("Cache-Control") != "": // what the operation has set itself
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

// tag returns the validator of a response.
func (r *record) tag(body []byte) string {
	sum := sha256.Sum256(body)
	tag := base64.RawURLEncoding.EncodeToString(sum[:18])
	if r.revision != 0 {
		tag = strconv.FormatInt(r.revision, 10) + "." + tag
	}
	return `"` + tag + `"`
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

// Revision sets which version of a resource the response shows: a number that every change raises. It becomes a part of
// the ETag, together with the bytes of the response, which may also show what no client changes (a keyword's volume).
// If-None-Match compares the whole tag, If-Match the revision.
func Revision(ctx context.Context, revision int64) {
	if record := recordOf(ctx); record != nil {
		record.revision = revision
	}
}

// Expects reports whether the client's If-Match accepts a resource of this revision. It does if the client sent none.
func Expects(ctx context.Context, revision int64) bool {
	record := recordOf(ctx)
	if record == nil || record.ifMatch == "" || record.ifMatch == "*" {
		return true
	}
	for _, tag := range entityTag.FindAllString(record.ifMatch, -1) {
		// A weak tag never matches (RFC 9110, section 13.1.1).
		number, _, numbered := strings.Cut(strings.Trim(tag, `"`), ".")
		if numbered && number == strconv.FormatInt(revision, 10) {
			return true
		}
	}
	return false
}

// Expected returns FEED_FILTER_WRITE_CONFLICT if the client's If-Match does not accept a resource of this revision,
// which the message calls what. It is the contract's one code for a lost race, whatever was changed.
func Expected(ctx context.Context, revision int64, what string) error {
	if Expects(ctx, revision) {
		return nil
	}
	return problem.New(problem.FeedFilterWriteConflict,
		"Another writer changed the %s after it was read. Read it again and repeat the change.", what)
}

// The forms of RFC 9110, section 8.8.3.
const anEntityTag = `(?:W/)?"[!#-~\x{80}-\x{FF}]*"`

var (
	entityTag  = text.NewPattern(anEntityTag)
	entityTags = text.NewPattern(`^\s*(?:\*|` + anEntityTag + `(?:\s*,\s*` + anEntityTag + `)*)\s*$`)
)

// expected reads If-Match.
func (r *route) expected(header http.Header, record *record) []problem.Detail {
	values := header.Values("If-Match")
	if !r.IfMatch || len(values) == 0 {
		return nil
	}
	given := strings.Join(values, ",")
	if !entityTags.MatchString(given) {
		return []problem.Detail{
			{Path: "header.If-Match", Code: "format", Message: `Expected the ETag of a read, such as "7.Zm9v", or *.`},
		}
	}
	record.ifMatch = strings.TrimSpace(given)
	return nil
}
