package delivery

import "strings"

// An Endpoint is where an owner's events of one kind go: the destination of that kind, wherever it leads at the moment.
// Its form is "feed/7/WEBHOOK". An owner has one destination of each kind at most.
type Endpoint struct {
	Owner Owner
	Kind  string // as a destination's type: EMAIL, SLACK, WEBHOOK
}

func (e Endpoint) String() string { return e.Owner.String() + "/" + e.Kind }

// ParseEndpoint reads what String wrote.
func ParseEndpoint(text string) (e Endpoint, ok bool) {
	at := strings.LastIndexByte(text, '/')
	if at < 0 || at == len(text)-1 {
		return Endpoint{}, false
	}
	owner, ok := ParseOwner(text[:at])
	return Endpoint{owner, text[at+1:]}, ok
}
