package blob

import (
	"fmt"
	"io"
	"math"
	"mime"
	"strings"
	"time"

	"earshot/shared/text"
)

var (
	keys  = text.NewPattern(`^[A-Za-z0-9._=-]+(/[A-Za-z0-9._=-]+)*$`)
	names = text.NewPattern(`^[A-Za-z0-9_-][A-Za-z0-9._-]*$`)
)

// CheckKey returns ErrInvalid unless key is a valid key. A key has 1 to MaxKey bytes. It consists of elements with
// single slashes between. An element has letters, digits, dots, dashes, underscores and equals signs, and is neither
// "." nor "..". A URL's path can hold a key unescaped.
func CheckKey(key string) error {
	if len(key) > MaxKey || !keys.MatchString(key) {
		return fmt.Errorf("%w: key of %d bytes", ErrInvalid, len(key))
	}
	for element := range strings.SplitSeq(key, "/") {
		if element == "." || element == ".." {
			return fmt.Errorf("%w: the key has an element %q", ErrInvalid, element)
		}
	}
	return nil
}

// CheckFile returns ErrInvalid unless the file can be stored. It leaves the content at its start.
func CheckFile(file File) error {
	if _, _, err := mime.ParseMediaType(file.ContentType); err != nil || !printable(file.ContentType) {
		return fmt.Errorf("%w: the content type is no media type", ErrInvalid)
	}
	if len(file.Name) > MaxName || !names.MatchString(file.Name) {
		return fmt.Errorf("%w: a name of %d bytes", ErrInvalid, len(file.Name))
	}
	if file.Content == nil || file.Size < 0 || file.Size > MaxSize {
		return fmt.Errorf("%w: a size of %d bytes", ErrInvalid, file.Size)
	}
	size, err := file.Content.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("%w: find the content's end: %w", ErrInvalid, err)
	}
	if size != file.Size {
		return fmt.Errorf("%w: the content has %d bytes, not %d", ErrInvalid, size, file.Size)
	}
	if _, err := file.Content.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("%w: find the content's start: %w", ErrInvalid, err)
	}
	return nil
}

// CheckRange returns ErrInvalid unless length bytes from offset on can be read at once.
func CheckRange(offset, length int64) error {
	if offset < 0 || length < 1 || length > MaxRange || offset > math.MaxInt64-length {
		return fmt.Errorf("%w: a range of %d bytes from %d on", ErrInvalid, length, offset)
	}
	return nil
}

// CheckExpiry returns ErrInvalid unless a link can last that long.
func CheckExpiry(expires time.Duration) error {
	if expires < MinExpiry || expires > MaxExpiry {
		return fmt.Errorf("%w: a link for %v", ErrInvalid, expires)
	}
	return nil
}

func printable(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' })
}
