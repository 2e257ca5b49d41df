package web

import (
	"strconv"

	"earshot/shared/web/problem"
)

// A place is the position of a reader in a body: the steps from the body to a value. It becomes a path only for a
// fault.
type place []step

// A step leads to a member of an object or to an element of an array.
type step struct {
	name    string
	element int // -1 if name counts
}

func (p *place) name(name string) { *p = append(*p, step{name, -1}) }
func (p *place) index(i int)      { *p = append(*p, step{"", i}) }
func (p *place) leave()           { *p = (*p)[:len(*p)-1] }

// String returns the path as clients write it, such as parts[0].name, and "body" for the body itself. It has at most
// problem.MaxPath bytes; a longer path loses its middle.
func (p place) String() string {
	if len(p) == 0 {
		return "body"
	}
	var path []byte
	for _, s := range p {
		if s.element >= 0 {
			path = append(path, '[')
			path = strconv.AppendInt(path, int64(s.element), 10)
			path = append(path, ']')
			continue
		}
		if len(path) > 0 {
			path = append(path, '.')
		}
		path = append(path, problem.CutPath(s.name)...)
	}
	return problem.CutPath(string(path))
}

// member returns the path of the member name of the object at the place.
func (p place) member(name string) string { return append(p[:len(p):len(p)], step{name, -1}).String() }
