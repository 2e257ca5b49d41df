package suggest

import (
	"fmt"
	"strings"
)

// reason returns what was counted, in one or two sentences.
func (s *sample) reason(change Suggestion, gone tally) string {
	all := change.Evidence
	left := fmt.Sprintf(
		"%d of the %d recent mentions of %q that are not relevant", gone.notRelevant, all.NotRelevant, change.Keyword,
	)
	lost := fmt.Sprintf("none of the %d relevant ones", all.Relevant)
	if gone.relevant > 0 {
		lost = fmt.Sprintf("%d of the %d relevant ones", gone.relevant, all.Relevant)
	}
	kept := fmt.Sprintf("It keeps %d of the %d relevant ones.", all.Relevant-gone.relevant, all.Relevant)
	switch change.Type {
	case AddExcludeWords:
		return fmt.Sprintf(
			"%s %s in %s, and in %s.", listed(change.Values), one(change.Values, "stands", "stand"), left, lost,
		)
	case AddExcludeAuthors:
		return fmt.Sprintf("%s wrote %s, and %s.", listed(change.Values), left, lost)
	case AddTerms:
		return fmt.Sprintf("Asking for %s would leave out %s. %s", listed(change.Values), left, kept)
	case ChangeTermsLogic:
		return fmt.Sprintf("Asking for all of the additional terms would leave out %s. %s", left, kept)
	case SetExactMatch:
		return fmt.Sprintf("In %s the keyword is only a part of longer words, and in %s.", left, lost)
	}
	return fmt.Sprintf(
		"%d of the %d recent mentions of %q on %s are not relevant, elsewhere %d of %d.", gone.notRelevant,
		gone.mentions, change.Keyword, change.Values[0], all.NotRelevant-gone.notRelevant, all.Mentions-gone.mentions,
	)
}

// listed writes values as a sentence has them.
func listed(values []string) string {
	quoted := make([]string, len(values))
	for i, value := range values {
		quoted[i] = `"` + value + `"`
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1]
}

func one(values []string, singular, plural string) string {
	if len(values) == 1 {
		return singular
	}
	return plural
}
