package agency

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/web"
)

// InviteTargets are workspaces of the agency: all of them, or those of some ids. To huma's validator, which cannot say
// where in a union a fault is, it is anything: faults finds what is wrong.
type InviteTargets struct {
	all bool
	ids []string // as they are given

	wrong []misplaced // in what was read
}

// A misplaced fault is one of an element, or of the whole: at is "[3]" or "".
type misplaced struct{ at, code, message string }

// allTargets is what stands for all workspaces.
const allTargets = "all"

// maxTargets is how many ids there are at most: as many as one address can be let into.
const maxTargets = maxPairs

// Schema describes it to the document.
func (InviteTargets) Schema(huma.Registry) *huma.Schema {
	fewest, most := 1, maxTargets
	return &huma.Schema{
		Description: "`all` for every workspace of the agency, oldest first, or a list of ids of workspaces.",
		Extensions: map[string]any{
			"oneOf": []*huma.Schema{{Type: huma.TypeString, Enum: []any{allTargets}},
				{Type: huma.TypeArray, MinItems: &fewest, MaxItems: &most, Items: &huma.Schema{Type: huma.TypeString}}},
			"examples": []any{allTargets, []string{exampleAnchor}},
		},
	}
}

// UnmarshalJSON reads either form, and keeps what is wrong.
func (t *InviteTargets) UnmarshalJSON(data []byte) error {
	*t = InviteTargets{}
	fault := func(at, code, message string) { t.wrong = append(t.wrong, misplaced{at, code, message}) }
	var written any
	if err := json.Unmarshal(data, &written); err != nil {
		return err
	}
	switch written := written.(type) {
	case string:
		if t.all = written == allTargets; !t.all {
			fault("", "enum", "expected all, or an array of workspace ids")
		}
	case []any:
		switch {
		case len(written) == 0:
			fault("", "min_items", "expected at least one workspace id")
		case len(written) > maxTargets:
			fault("", "max_items", fmt.Sprintf("expected at most %d workspace ids", maxTargets))
			written = written[:maxTargets] // the faults of more would be without end
		}
		for i, element := range written {
			id, text := element.(string)
			if !text {
				fault(fmt.Sprintf("[%d]", i), "type", "expected string")
			}
			t.ids = append(t.ids, id)
		}
	default:
		fault("", "type", "expected all, or an array of workspace ids")
	}
	return nil
}

// faults are what is wrong, for the Resolve of a body that has it as its property of this name.
func (t InviteTargets) faults(at *huma.PathBuffer, property string) (faults []error) {
	for _, f := range t.wrong {
		faults = append(faults, web.Fault(at, property+f.at, f.code, f.message))
	}
	return faults
}

// distinct are the ids, each where it is given first.
func (t InviteTargets) distinct() (ids []string) {
	for _, id := range t.ids {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
