package feed

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
)

// Bounds of a document. Feeds of newsletters reach a depth of about 40 where their entries are XHTML, and declare about
// 20 namespaces. gofeed's reader of extensions recurses with the depth. It copies all namespaces in scope wherever one
// is declared.
const (
	maxDepth      = 200
	maxNamespaces = 64 // in scope at the same time
	maxAttributes = 64 // of an element
)

// bounded reports as an error that the document exceeds a bound. It reads the document as gofeed's decoder will, and
// keeps nothing.
func bounded(content []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(content))
	decoder.Strict = false
	decoder.CharsetReader = charset.NewReaderLabel
	var declared []int // by each open element
	scope := 0
	for {
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return errNoFeed
		}
		switch token := token.(type) {
		case xml.StartElement:
			own := namespaces(token.Attr)
			declared = append(declared, own)
			scope += own
			if len(declared) > maxDepth || scope > maxNamespaces || len(token.Attr) > maxAttributes {
				return errShape
			}
		case xml.EndElement:
			if last := len(declared) - 1; last >= 0 {
				scope -= declared[last]
				declared = declared[:last]
			}
		}
	}
}

func namespaces(attributes []xml.Attr) (n int) {
	for _, attribute := range attributes {
		if attribute.Name.Space == "xmlns" || attribute.Name.Local == "xmlns" ||
			strings.HasPrefix(attribute.Name.Local, "xmlns:") {
			n++
		}
	}
	return n
}
