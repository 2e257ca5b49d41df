package web

import (
	"errors"

	"github.com/go-json-experiment/json"
)

// errJSON is StrictJSON's error. The decoder's own would repeat what was sent.
var errJSON = errors.New("web: not JSON of this shape")

// StrictJSON reads JSON that the kit does not validate: the body of a FormRequest, or a document that a stranger
// serves. Names count in their exact case, and a name that is given twice is an error, as are invalid UTF-8 and text
// after the value. encoding/json takes all of these, so that two readers of one text may see different values. Unknown
// names are ignored, as standards such as RFC 7591 ask for.
func StrictJSON(content []byte, into any) error {
	if json.Unmarshal(content, into) != nil {
		return errJSON
	}
	return nil
}
