package match

import "unsafe"

// Stats holds a matcher's size.
type Stats struct {
	Workspaces int
	Keywords   int // without paused ones
	Patterns   int // different texts to find: keywords, other ways to write them as names, terms and exclusions
	Bytes      int // resident, without the keywords given to Compile
}

// Stats returns the size of m.
func (m *Matcher) Stats() Stats {
	s := Stats{Workspaces: len(m.scopes), Keywords: len(m.rules), Bytes: int(unsafe.Sizeof(*m))}
	for _, p := range []*phrases{&m.keywords, &m.conditions} {
		s.Patterns += len(p.needles) - 1 + len(p.owned.names)
		s.Bytes += size(p.states) + size(
			p.needles,
		) + size(p.probed) + size(p.probes) + size(p.of) + size(p.texts) + size(p.ends) +
			size(p.runs.words) + size(p.pairs.words) + size(p.starts) + size(p.tiny) + size(p.longer.words) +
			size(p.owned.text) + size(p.owned.ends) + size(p.owned.table) + size(p.owned.names) + texts(p.cases)
	}
	s.Bytes += size(m.postings.first) + size(
		m.postings.rules,
	) + size(m.rules) + size(m.scopes) + size(m.lists) + texts(m.platforms)
	for i := range m.scopes {
		f := &m.scopes[i]
		s.Bytes += texts(f.withoutSubreddits) + texts(f.onlySubreddits) + texts(f.withoutRepos)
	}
	for author := range m.authors {
		s.Bytes += len(author) + 40 // an entry of a map, with room to grow
	}
	return s
}

func size[T any](s []T) int {
	var one T
	return cap(s) * int(unsafe.Sizeof(one))
}

func texts(list []string) int {
	bytes := size(list)
	for _, s := range list {
		bytes += len(s)
	}
	return bytes
}
