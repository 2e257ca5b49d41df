package mentionstore

import (
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
)

// dictionary stands before the texts of every packed row, so that addresses and comments which many mentions have take
// few bytes. Stored rows need it: it never changes.
var dictionary = []byte(
	" with this that have from your would there about because people should could their really think" +
		" what when they will more some other than like just know make time good work using" +
		" is a word of the post's language, and nothing near it speaks of your company." +
		" is taken for a name in a post of another language.” has little in common with your profile." +
		"What is said around “ is a common word, and there is no company profile yet to tell which meaning is yours." +
		" is written here as an ordinary word, or as a part of another name." +
		" is written as a name, though the post says little of what your profile describes." +
		" is a distinctive name, with few words around it.” is a distinctive name; the post is not in English, so the name" +
		" alone decided.” is a distinctive name, though the post says little of what your profile describes." +
		"” is a distinctive name; there is no company profile yet to compare the post with." +
		"https://cdn.bsky.app/img/avatar/plain/did:plc:@jpeghttps://www.youtube.com/watch?v=" +
		"https://stackoverflow.com/questions/https://github.com//issues/https://dev.to/https://medium.com/" +
		"https://x.com//status/https://www.reddit.com/user/https://www.reddit.com/r//comments/" +
		"https://bsky.app/profile/did:plc:.bsky.social/post/https://news.ycombinator.com/item?id=" +
		"https://news.ycombinator.com/user?id=")

// mostDeflated bounds texts that are deflated, in bytes. A page bounds its mentions by the bytes of their rows, and
// longer texts could take many times the bytes of theirs.
const mostDeflated = 4 << 10

// deflated returns content compressed (RFC 1951, with dictionary); nil if that is not shorter, or content too long. It
// keeps no compressor, whose tables would have to be cleared for each text: that takes twice the time, and makes texts of
// posts 4 % smaller.
func deflated(content []byte) []byte {
	if len(content) > mostDeflated {
		return nil
	}
	var out bytes.Buffer
	if err := flate.StatelessDeflate(&out, content, true, dictionary); err != nil || out.Len() >= len(content) {
		return nil
	}
	return out.Bytes()
}

// An inflater undoes deflated.
type inflater struct {
	from bytes.Reader
	r    io.ReadCloser
	out  bytes.Buffer
}

var inflaters = sync.Pool{New: func() any {
	return &inflater{r: flate.NewReaderDict(bytes.NewReader(nil), dictionary)}
}}

// inflated undoes deflated. Damaged content is cut where the damage is. The next call takes the place of the answer.
func (i *inflater) inflated(content []byte) []byte {
	if len(content) == 0 {
		return nil
	}
	i.from.Reset(content)
	if err := i.r.(flate.Resetter).Reset(&i.from, dictionary); err != nil {
		return nil
	}
	i.out.Reset()
	_, _ = i.out.ReadFrom(io.LimitReader(i.r, mostDeflated))
	return i.out.Bytes()
}
