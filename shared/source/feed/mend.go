package feed

import (
	"bytes"
	"io"
	"mime"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"earshot/shared/text"
)

var (
	// declared is an XML declaration's encoding (XML 1.0, section 4.3.3).
	declared = text.NewPattern(`^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']`)
	// reference is a reference to a character by its number (XML 1.0, section 4.1).
	reference = text.NewPattern(`&#(?:[0-9]{1,10}|x[0-9A-Fa-f]{1,8});`)
)

// mended returns content without what makes an XML decoder reject the whole document: characters and references to
// characters that XML does not have, and bytes that are not UTF-8 in a document that claims to be.
func mended(content []byte) []byte {
	content = printable(bytes.TrimPrefix(content, []byte("\ufeff")))
	if utf16(content) {
		return content // it is rejected
	}
	switch strings.ToLower(encoding(content)) {
	case "", "utf-8", "utf8":
		content = bytes.ToValidUTF8(content, []byte("\uFFFD"))
		content = bytes.Map(func(r rune) rune {
			if permitted(r) {
				return r
			}
			return -1
		}, content)
	}
	if !bytes.Contains(content, []byte("&#")) {
		return content
	}
	return []byte(reference.ReplaceAllStringFunc(string(content), func(found string) string {
		base, digits := 10, found[2:len(found)-1]
		if digits[0] == 'x' {
			base, digits = 16, digits[1:]
		}
		if r, err := strconv.ParseInt(digits, base, 32); err != nil || !permitted(rune(r)) {
			return ""
		}
		return found
	}))
}

// encoding returns the encoding that the document declares, or "".
func encoding(content []byte) string {
	if found := declared.FindStringSubmatch(string(content[:min(len(content), 512)])); found != nil {
		return found[1]
	}
	return ""
}

// utf16 reports whether content begins with a byte order mark of UTF-16.
func utf16(content []byte) bool {
	return bytes.HasPrefix(content, []byte("\xff\xfe")) || bytes.HasPrefix(content, []byte("\xfe\xff"))
}

// toUTF8 converts a document that declares no encoding from the charset of its Content-Type (RFC 7303, section 3). It
// returns other documents unchanged.
func toUTF8(content []byte, contentType string) []byte {
	_, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || parameters["charset"] == "" || utf8.Valid(content) || encoding(content) != "" {
		return content
	}
	reader, err := charset.NewReaderLabel(parameters["charset"], bytes.NewReader(content))
	if err != nil {
		return content
	}
	converted, err := io.ReadAll(reader)
	if err != nil {
		return content
	}
	return converted
}

// permitted reports whether XML has a character (XML 1.0, section 2.2).
func permitted(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return true
	case r >= 0xD800 && r <= 0xDFFF, r == 0xFFFE, r == 0xFFFF:
		return false
	}
	return r >= ' ' && r <= unicode.MaxRune
}

// printable leaves out the control characters that XML does not have. Some feeds contain them, in any encoding.
func printable(content []byte) []byte {
	control := func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' }
	if bytes.IndexFunc(content, control) < 0 {
		return content
	}
	kept := make([]byte, 0, len(content))
	for _, b := range content {
		if !control(rune(b)) {
			kept = append(kept, b)
		}
	}
	return kept
}
