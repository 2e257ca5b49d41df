package match

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"earshot/shared/text/fold"
)

// owned finds names that are a whole handle or domain.
type owned struct {
	seed  maphash.Seed
	text  []byte   // all names, folded, one after the other
	ends  []uint32 // where each name ends in text
	table []uint32 // a hash table with open addressing: the number of a name plus 1, or 0
	names []probe
}

// A name is a way to write a phrase, with its probe.
type name struct {
	folded string
	probe
}

func newOwned(names []name) owned {
	if len(names) == 0 {
		return owned{}
	}
	size := 1
	for size < 2*len(names) {
		size *= 2
	}
	o := owned{
		seed:  maphash.MakeSeed(),
		table: make([]uint32, size),
		ends:  make([]uint32, 0, len(names)),
		names: make([]probe, 0, len(names)),
	}
	for i, n := range names {
		o.text = append(o.text, n.folded...)
		o.ends = append(o.ends, uint32(len(o.text)))
		o.names = append(o.names, n.probe)
		slot := maphash.String(o.seed, n.folded) & uint64(size-1)
		for o.table[slot] != 0 {
			slot = (slot + 1) & uint64(size-1)
		}
		o.table[slot] = uint32(i + 1)
	}
	o.text = slices.Clip(o.text)
	return o
}

func (o *owned) name(i uint32) []byte {
	start := uint32(0)
	if i > 0 {
		start = o.ends[i-1]
	}
	return o.text[start:o.ends[i]]
}

// each yields the probes of the name written in t from start to end.
func (o *owned) each(t *text, start, end int) func(func(*probe) bool) {
	return func(yield func(*probe) bool) {
		written := t.folded[start:end]
		for slot := maphash.Bytes(o.seed, written); ; slot++ {
			i := o.table[slot&uint64(len(o.table)-1)]
			if i == 0 {
				return
			}
			if bytes.Equal(o.name(i-1), written) && !yield(&o.names[i-1]) {
				return
			}
		}
	}
}

// own adds to found the phrases whose own handle or domain t has.
func (p *phrases) own(t *text, n *normalizer, found *marked) {
	if len(p.owned.names) == 0 {
		return
	}
	add := func(start, end int) {
		for probe := range p.owned.each(t, start, end) {
			if !found.has(probe.phrase) && p.mindsCase(t, n, probe, start) {
				found.add(probe.phrase)
			}
		}
	}
	for at := 0; ; {
		next := bytes.IndexByte(t.folded[at:], '@')
		if next < 0 {
			break
		}
		at += next + 1
		end := t.handle(at)
		t.effort.named += end - at + 1
		if end > at {
			add(at, end)
		}
	}
	for at := 0; ; {
		next := bytes.IndexByte(t.folded[at:], '.')
		if next < 0 {
			return
		}
		at += next
		if at+1 == len(t.folded) || t.folded[at+1] == ' ' || t.hostChar(at) == 0 {
			at++
			continue
		}
		start, end := t.host(at)
		t.effort.named += end - start
		if end-start <= longestHost {
			p.host(t, start, end, add)
		}
		at = end
	}
}

// handleHosts are platforms whose handles are subdomains of the platform's domain, unless the owner brings a domain.
var handleHosts = []string{".bsky.social"}

// handle returns the end of the handle that begins at start, behind an @. It returns start if there is none. An @ that
// follows a letter, digit, underline, hyphen or plus belongs to an e-mail address. A name that continues with a dot is
// a host, not a handle.
func (t *text) handle(start int) int {
	if start > 1 {
		if before := t.folded[start-2]; wordy(kinds[before]) || before == '-' || before == '+' {
			return start
		}
	}
	end := start
	for end < len(t.folded) && (end == start || t.joined(end)) {
		size := 1
		if t.folded[end] != '_' {
			if size = labelChar(utf8.DecodeRune(t.folded[end:])); size == 0 {
				break
			}
		}
		end += size
	}
	if t.wordEnd(end) {
		return end
	}
	for _, host := range handleHosts {
		if bytes.HasPrefix(t.folded[end:], []byte(host)) && t.wordEnd(end+len(host)) {
			return end
		}
	}
	return start
}

const longestHost = 253 // bytes of a name, RFC 1035 section 2.3.4

// host returns the bounds of the host name around the dot at offset dot. A host name has labels of letters, digits and
// hyphens, with a dot between each two.
func (t *text) host(dot int) (start, end int) {
	start, end = dot, dot+1
	for end < len(t.folded) && t.joined(end) {
		size := t.hostChar(end)
		if size == 0 {
			break
		}
		end += size
	}
	for start > 0 && t.joined(start) {
		_, size := utf8.DecodeLastRune(t.folded[:start])
		if t.hostChar(start-size) == 0 {
			break
		}
		start -= size
	}
	return start, end
}

// host adds the names whose own host is the one from start to end. These are the registered label ("acme" in
// docs.acme.co.uk), and every domain that equals the host or has it as a subdomain ("acme.com" for www.acme.com).
func (p *phrases) host(t *text, start, end int, add func(start, end int)) {
	any := func(start, end int) bool {
		for range p.owned.each(t, start, end) {
			return true
		}
		return false
	}
	label, suffix := -1, 0
	for at := start; at < end; {
		next := end
		if dot := bytes.IndexByte(t.folded[at:end], '.'); dot >= 0 {
			next = at + dot
		}
		if any(at, end) || any(at, next) {
			if label < 0 {
				label, suffix = registrable(t.folded[start:end])
				label, suffix = label+start, suffix+start
			}
			if at <= label {
				add(at, end)
			}
			if next == suffix {
				add(at, next)
			}
		}
		at = next + 1
	}
}

// registrable returns where the registered label of a host name begins, and where the dot of the public suffix behind
// it is. It returns -1 and -1 if the name is not below a public suffix.
func registrable(name []byte) (label, suffix int) {
	suffix = len(name)
	for range suffixLabels(string(name)) {
		if suffix = bytes.LastIndexByte(name[:suffix], '.'); suffix <= 0 {
			return -1, -1
		}
	}
	if suffix == len(name) {
		return -1, -1
	}
	return 1 + bytes.LastIndexByte(name[:suffix], '.'), suffix
}

// reserved are top-level names under which no one can register (RFC 2606, RFC 6762 appendix G, and ICANN's internal).
// Documents, tests and local networks use them in place of a company's real top-level name.
var reserved = []string{"example", "test", "local", "internal"}

// suffixLabels counts the labels of name's public suffix in the ICANN section of the list (publicsuffix.org), under
// which names are registered. It returns 0 if name has none. The list's private section does not count: names below
// github.io are GitHub's.
func suffixLabels(name string) int {
	if !fold.ASCII(name) {
		ascii, err := idna.Punycode.ToASCII(name)
		if err != nil {
			return 0
		}
		name = ascii
	}
	for {
		suffix, icann := publicsuffix.PublicSuffix(name)
		if icann {
			return strings.Count(suffix, ".") + 1
		}
		if slices.Contains(reserved, suffix) {
			return 1
		}
		_, above, found := strings.Cut(suffix, ".")
		if !found {
			return 0
		}
		name = above
	}
}

// hostChar returns the size of the character at p if a host name can have it there, else 0.
func (t *text) hostChar(p int) int {
	if t.folded[p] != '.' {
		return labelChar(utf8.DecodeRune(t.folded[p:]))
	}
	if labelChar(utf8.DecodeLastRune(t.folded[:p])) > 0 && labelChar(utf8.DecodeRune(t.folded[p+1:])) > 0 {
		return 1
	}
	return 0
}

// labelChar returns size if a label can have r, else 0.
func labelChar(r rune, size int) int {
	if r < utf8.RuneSelf {
		if k := kinds[byte(r)]; k == letter || k == digit || r == '-' {
			return size
		}
		return 0
	}
	if unicode.In(r, unicode.L, unicode.M, unicode.Nd) {
		return size
	}
	return 0
}

// joined reports whether the characters on both sides of p can be of one name. Scripts without blanks between words put
// names right beside other letters, so beyond ASCII a name ends where a word does.
func (t *text) joined(p int) bool {
	before, after := t.folded[p-1], t.folded[p]
	if before < utf8.RuneSelf && after < utf8.RuneSelf || before == '.' || before == '-' || after == '.' ||
		after == '-' {
		return true
	}
	return !t.edge(p)
}
