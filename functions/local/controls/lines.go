package controls

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine bounds a line, so a body of any length takes little memory.
const maxLine = 1 << 20

// lines reads a body line by line. next moves to the next line that is not blank. It returns false at the end and
// when reading fails; err returns that failure.
type lines struct {
	from   *bufio.Reader
	text   []byte // of the line, until the next one; not all of it when it is too long
	number int    // of the line, from 1
	long   bool   // longer than maxLine
	err    error
}

func newLines(body io.Reader) *lines { return &lines{from: bufio.NewReaderSize(body, 64<<10)} }

// waits reports whether next has to wait for the sender: nothing that was sent is left.
func (l *lines) waits() bool { return l.from.Buffered() == 0 }

func (l *lines) next() bool {
	for l.err == nil {
		l.number++
		l.text, l.long = l.text[:0], false
		for {
			part, err := l.from.ReadSlice('\n')
			if len(l.text)+len(part) > maxLine+1 { // the end of the line does not count
				l.long = true
			} else {
				l.text = append(l.text, part...)
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			l.err = err
			break
		}
		if l.number == 1 {
			l.text = bytes.TrimPrefix(l.text, []byte("\uFEFF")) // a mark that some programs begin their files with
		}
		l.text = bytes.TrimSpace(l.text)
		// Text before a failure is half a line. Before the end it is the last line.
		if (l.long || len(l.text) > 0) && (l.err == nil || l.err == io.EOF) {
			return true
		}
	}
	return false
}
