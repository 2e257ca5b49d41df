package filter

import "fmt"

// Contradictions returns the faults of bounds that no mention can meet together, such as a minXFollowers above the
// maxXFollowers, each at the path of the upper bound. Only bounds that must each hold count: no negated one, none that is
// joined by OR, and none of engagement beside others in an array. A request with such bounds is refused. A stored filter
// may have them, and then takes nothing.
func (f Filter) Contradictions() (faults []Fault) {
	var all []limit
	for _, n := range required(f.all) {
		if n.leaf != nil && !n.leaf.negated {
			all = append(all, n.leaf.limits()...)
		}
	}
	for _, upper := range all {
		for _, lower := range all {
			if upper.isMost && !lower.isMost && upper.subject == lower.subject && upper.value < lower.value {
				message := fmt.Sprintf("Expected a number that is not below %s.", lower.path)
				faults = append(faults, Fault{upper.path, "range", message})
				break
			}
		}
	}
	return faults
}

// A limit is an inclusive bound of a number that a mention has.
type limit struct {
	subject counter // its source and metric; neither for followers
	value   int64
	isMost  bool
	path    string
}

// limits returns the bounds that a condition sets.
func (c *condition) limits() []limit {
	switch {
	case c.key == MinXFollowers, c.key == MaxXFollowers:
		return []limit{{value: c.numbers[0], isMost: c.key == MaxXFollowers, path: c.path}}
	case c.key == Engagement && len(c.counters) == 1:
		only, path := c.counters[0], c.path+"[0].value"
		subject := counter{source: only.source, metric: only.metric}
		least, most := limit{subject, only.value, false, path}, limit{subject, only.value, true, path}
		switch only.operator {
		case ">=":
			return []limit{least}
		case "<=":
			return []limit{most}
		}
		return []limit{least, most}
	}
	return nil
}
