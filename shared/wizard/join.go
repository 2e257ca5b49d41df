package wizard

import (
	"encoding/json"
	"slices"

	"earshot/shared/filter"
)

// understanding joins what was read.
func (r *reader) understanding() Understanding {
	ofFollowers := func(i item) bool { return i.key == filter.MinXFollowers || i.key == filter.MaxXFollowers }
	if r.sized != "" && !slices.ContainsFunc(r.items, ofFollowers) {
		r.fail(r.sized)
	}
	switch {
	case len(r.unknown) > 0:
		return Understanding{Explanation: notUnderstood(r.unknown)}
	case r.problem != "":
		return Understanding{Explanation: r.problem}
	case r.negating && r.negated == "":
		return Understanding{Explanation: "It is unclear what to exclude. Name it after \"not\"."}
	case len(r.items) == 0 && r.span == (span{}) && !r.headed && !r.all:
		return Understanding{Explanation: "The request names nothing to show. " + remedy}
	}
	if problem := r.settle(); problem != "" {
		return Understanding{Explanation: problem}
	}
	written, advanced, problem := r.filters()
	if problem == "" && !valid(written) {
		problem = "The request has more conditions than a query may have. Ask for less at once."
	}
	if problem != "" {
		return Understanding{Explanation: problem}
	}
	u := Understanding{Filters: written, Advanced: advanced, Limit: int(r.limit), IncludeAll: r.all, View: r.view}
	u.Explanation = explanation(u, r.names)
	return u
}

// settle gives counters their platform, and conditions their usual form.
func (r *reader) settle() string {
	var sources []string
	for _, i := range r.items {
		if i.key == filter.Source && !i.negated {
			sources = append(sources, i.texts...)
		}
	}
	for at := range r.items {
		i := &r.items[at]
		switch {
		case i.key == filter.Engagement && i.unit != "":
			if len(sources) != 1 || units[i.unit][sources[0]] == "" {
				return "Counters differ by platform. Name one platform that has " + i.unit + "."
			}
			if i.bound.least > 0 && i.bound.most != unbounded && i.bound.least != i.bound.most {
				return "A counter has one bound. Say the least or the most."
			}
			i.texts = []string{sources[0], units[i.unit][sources[0]]}
		case i.key == filter.Engaged && i.negated:
			i.flag, i.negated = !i.flag, false
		case i.key == filter.PostType && i.negated:
			i.texts = []string{map[string]string{"reply": "top-level", "top-level": "reply"}[i.texts[0]]}
			i.negated = false
		case i.key == filter.Relevance && slices.Contains(i.numbers, 2) && !i.negated:
			r.all = true
		}
	}
	return ""
}

// filters returns the filter's JSON and whether it is advanced.
func (r *reader) filters() (written string, advanced bool, problem string) {
	branches, problem := r.branches()
	if problem != "" {
		return "", false, problem
	}
	if len(branches) == 1 {
		merged, problem := r.merge(branches[0])
		if problem != "" {
			return "", false, problem
		}
		return r.write(merged, nil)
	}
	var common []condition
	if r.either > 1 {
		if common, problem = r.merge(r.items[:r.either-1]); problem != "" {
			return "", false, problem
		}
	}
	var merged [][]condition
	for _, branch := range branches {
		one, problem := r.merge(branch)
		if problem != "" {
			return "", false, problem
		}
		merged = append(merged, one)
	}
	return r.write(common, merged)
}

const unclear = "It is unclear what \"or\" joins. Write \"either … or …\" at the end, or ask for one of them."

// branches divides the conditions at each "or" between conditions of different keys. It has a problem if the request
// leaves open how much each side has.
func (r *reader) branches() (branches [][]item, problem string) {
	from := max(r.either-1, 0)
	branches = [][]item{nil}
	open := true // each later branch begins with "anything"
	for at, i := range r.items[from:] {
		if at > 0 && i.joint == "or" &&
			(i.key != r.items[from+at-1].key || i.negated != r.items[from+at-1].negated || i.open) {
			branches = append(branches, nil)
			open = open && i.open
		}
		last := len(branches) - 1
		branches[last] = append(branches[last], i)
	}
	if len(branches) == 1 {
		return [][]item{r.items}, ""
	}
	alike, single := true, true
	for _, branch := range branches {
		alike = alike && slices.Equal(keysOf(branch), keysOf(branches[0]))
		single = single && len(branch) == 1
	}
	if !open && !alike && !single || from > 0 && !single {
		return nil, unclear
	}
	if slices.ContainsFunc(r.items, func(i item) bool { return i.negated }) {
		return nil, unclear
	}
	return branches, ""
}

func keysOf(items []item) (keys []string) {
	for _, i := range items {
		keys = append(keys, string(i.key))
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// merge joins conditions of one key. Of a key of which a mention has one value, and of lists, one value must hold. Texts
// joined by "and", and keywords after "both", must all hold.
func (r *reader) merge(items []item) (merged []condition, problem string) {
	for _, i := range items {
		at := slices.IndexFunc(merged, func(m condition) bool { return m.key == i.key && m.negated == i.negated })
		each := i.key == filter.Text && i.joint == "and" && !i.negated || i.key == filter.Keyword && r.both ||
			i.key == filter.Engagement
		if at < 0 || each {
			merged = append(merged, i.condition)
			continue
		}
		m := &merged[at]
		switch i.key {
		case filter.Engaged:
			if m.flag != i.flag {
				return nil, "The request wants mentions engaged with and not engaged with. Ask for one of them."
			}
		case filter.MinXFollowers:
			m.number = max(m.number, i.number)
		case filter.MaxXFollowers:
			m.number = min(m.number, i.number)
		case filter.ReviewRating: // "reviews" with stars
			if len(i.numbers) < len(m.numbers) {
				m.numbers = i.numbers
			}
		default:
			m.texts, m.numbers, m.flag = appendNew(m.texts, i.texts), appendNew(m.numbers, i.numbers), m.flag || i.flag
		}
	}
	for _, m := range merged {
		for _, other := range merged {
			if m.key == other.key && m.negated && !other.negated &&
				(contains(other.texts, m.texts) || contains(other.numbers, m.numbers)) {
				return nil, "The request both wants and excludes the same. Ask for one of them."
			}
		}
	}
	return merged, ""
}

func appendNew[T comparable](to, values []T) []T {
	for _, v := range values {
		if !slices.Contains(to, v) {
			to = append(to, v)
		}
	}
	return to
}

func contains[T comparable](in, values []T) bool {
	return slices.ContainsFunc(values, func(v T) bool { return slices.Contains(in, v) })
}

// write writes a simple filter if every key is there once and there are no branches, otherwise an advanced one.
func (r *reader) write(common []condition, branches [][]condition) (written string, advanced bool, problem string) {
	whole := map[string]any{}
	simple := len(branches) == 0
	var conditions []map[string]any
	for _, c := range common {
		name, value := c.member()
		simple = simple && whole[name] == nil
		whole[name] = value
		conditions = append(conditions, map[string]any{name: value})
	}
	if !simple {
		groups, operator := []map[string]any{}, "AND"
		group := func(operator string, conditions []map[string]any) {
			groups = append(groups, map[string]any{"operator": operator, "conditions": conditions})
		}
		if len(conditions) > 0 {
			group("AND", conditions)
		}
		if single(branches) {
			var either []map[string]any
			for _, branch := range branches {
				name, value := branch[0].member()
				either = append(either, map[string]any{name: value})
			}
			if either != nil {
				group("OR", either)
			}
		} else {
			operator = "OR"
			for _, branch := range branches {
				var all []map[string]any
				for _, c := range branch {
					name, value := c.member()
					all = append(all, map[string]any{name: value})
				}
				group("AND", all)
			}
		}
		whole = map[string]any{"operator": operator, "groups": groups}
	}
	if !r.span.start.IsZero() {
		whole["startDate"] = inForm(r.span.start)
	}
	if !r.span.end.IsZero() {
		whole["endDate"] = inForm(r.span.end)
	}
	text, err := json.Marshal(whole)
	if err != nil {
		return "", false, "The request cannot be written as a filter. Say it in other words."
	}
	return string(text), !simple, ""
}

func single(branches [][]condition) bool {
	return !slices.ContainsFunc(branches, func(b []condition) bool { return len(b) != 1 })
}

// member returns the condition's key and value in a filter.
func (c condition) member() (name string, value any) {
	name = string(c.key)
	if c.negated {
		name = "!" + name
	}
	switch c.key {
	case filter.MinXFollowers, filter.MaxXFollowers:
		return name, c.number
	case filter.Engaged:
		return name, c.flag
	case filter.Engagement:
		counter := map[string]any{"source": c.texts[0], "metric": c.texts[1], "value": c.bound.least}
		switch {
		case c.bound.least == c.bound.most:
			counter["operator"] = "="
		case c.bound.most != unbounded:
			counter["value"], counter["operator"] = c.bound.most, "<="
		}
		return name, []any{counter}
	case filter.Relevance:
		values := []any{}
		for _, n := range c.numbers {
			values = append(values, n)
		}
		if c.flag { // irrelevant: also what has no score
			values = append(values, "none")
		}
		return name, values
	case filter.Keyword, filter.ReviewRating:
		return name, c.numbers
	}
	return name, c.texts
}
