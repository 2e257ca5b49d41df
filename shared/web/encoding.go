package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// MinCompressed is the least length in bytes of a response that API Gateway compresses for a client that accepts gzip.
// A shorter response fits into one packet of 1,460 bytes with its headers, so gzip would cost time and save no packet.
const MinCompressed = 1024

// gzipSuffix ends the opaque part of the ETag of a response in gzip.
const gzipSuffix = "-gzip"

// AcceptsGzip reports whether a request's Accept-Encoding names gzip with a weight above zero (RFC 9110, section
// 12.5.3). Like API Gateway it takes neither * nor a missing header for a wish to get gzip (AWS, "Receive an API
// response with a compressed payload").
func AcceptsGzip(header http.Header) bool {
	for _, line := range header["Accept-Encoding"] {
		for part := range strings.SplitSeq(line, ",") {
			coding, parameters, _ := strings.Cut(part, ";")
			if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
				continue
			}
			given, ok := strings.CutPrefix(strings.ToLower(strings.ReplaceAll(parameters, " ", "")), "q=")
			if !ok {
				return true
			}
			weight, err := strconv.ParseFloat(given, 64)
			return err == nil && weight > 0
		}
	}
	return false
}

// codedTag returns the validator of the response as the client gets it. API Gateway compresses a response without
// touching its ETag, and a strong validator belongs to one content coding (RFC 9110, section 8.8.3.3). The tag of a
// response that API Gateway will compress therefore has a suffix. It stays strong, because If-Match never matches a
// weak one, and its revision stays in front.
func codedTag(tag string, header http.Header, length int, acceptsGzip bool) string {
	if !acceptsGzip || length < MinCompressed || header.Get("Content-Encoding") != "" {
		return tag
	}
	return strings.TrimSuffix(tag, `"`) + gzipSuffix + `"`
}

// PrefersHTML reports whether an Accept header gives text/html a greater weight than application/json, as browsers do
// for a page that a person opens (RFC 9110, section 12.5.1). A missing header and */* prefer neither.
func PrefersHTML(accept string) bool {
	return weightOf(accept, "text/html") > weightOf(accept, "application/json")
}

// weightOf returns the weight, 0 to 1, that an Accept header gives a media type: that of the range that names it most
// exactly. A weight that cannot be read is 0.
func weightOf(accept, media string) (weight float64) {
	kind, _, _ := strings.Cut(media, "/")
	closest := -1
	for part := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(strings.ToLower(part), ";")
		exactness := slices.Index([]string{"*/*", kind + "/*", media}, strings.TrimSpace(name))
		if exactness <= closest {
			continue
		}
		closest, weight = exactness, 1
		for parameter := range strings.SplitSeq(parameters, ";") {
			if given, ok := strings.CutPrefix(strings.TrimSpace(parameter), "q="); ok {
				weight, _ = strconv.ParseFloat(given, 64)
			}
		}
	}
	return weight
}
