package cleanup

import (
	"fmt"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// mostNamed is how many values a sentence names.
const mostNamed = 5

// explain says what a change does and what it would have done, in at most three sentences.
func explain(item Item, k keyword.Keyword, approved int) string {
	does := doing(item, k)
	e := item.Evidence
	switch {
	case item.Setting == proposal.SettingTag || item.Setting == proposal.SettingContext:
		return does + " It changes nothing of which posts you get."
	case widens(item, k):
		return does + " It takes nothing away; what it adds you see once it listens."
	case e.Mentions == 0:
		return fmt.Sprintf("%s Nothing has come in for %s yet that it could be tried on.", does, quoted(item.Keyword))
	case e.WouldRemove == 0:
		return fmt.Sprintf(
			"%s Of the %s that came in for %s it would have taken none from you.", does, counted(e.Mentions, "post"),
			quoted(item.Keyword),
		)
	}
	figures := fmt.Sprintf(
		"Of the %s that came in for %s it would have taken %d from you, %d of them relevant.",
		counted(e.Mentions, "post"), quoted(item.Keyword), e.WouldRemove, e.WouldRemoveRelevant,
	)
	switch {
	case approved > 0:
		return fmt.Sprintf(
			"%s %s You marked %s of those as relevant, so it is better left out.", does, figures, fewer(approved),
		)
	case !item.Recommended:
		return does + " " + figures + " You would lose more than you gain."
	case item.Found:
		return does + " None of that was relevant so far. " + figures
	}
	return does + " " + figures
}

// widens says whether a change lets more in and keeps nothing out.
func widens(item Item, k keyword.Keyword) bool {
	return item.Setting == proposal.SettingExactMatch && item.Terms[0] == "false" ||
		item.Setting == proposal.SettingAdditionalTerms && len(k.AdditionalTerms) > 0 &&
			k.AdditionalTermsLogic != keyword.All
}

// doing is a sentence on what a change does.
func doing(item Item, k keyword.Keyword) string {
	switch item.Setting {
	case proposal.SettingAdditionalTerms:
		switch {
		case k.AdditionalTermsLogic == keyword.All:
			return fmt.Sprintf(
				"You get posts on %s only when they also speak of %s.", quoted(item.Keyword), joined(item.Terms, "and"),
			)
		case len(k.AdditionalTerms) > 0:
			return fmt.Sprintf("You also get posts on %s that speak of %s.", quoted(item.Keyword), named(item.Terms))
		}
		return fmt.Sprintf(
			"You get posts on %s only when they also speak of %s.", quoted(item.Keyword), named(item.Terms),
		)
	case proposal.SettingExcludeWords:
		return fmt.Sprintf("You leave out posts with %s.", named(item.Terms))
	case proposal.SettingWildcardExcludeWords:
		return fmt.Sprintf("You leave out posts with words that begin with %s.", named(item.Terms))
	case proposal.SettingExcludeAuthors:
		return fmt.Sprintf("You leave out what %s wrote.", named(item.Terms))
	case proposal.SettingPlatforms:
		return fmt.Sprintf("You listen for %s on %s only.", quoted(item.Keyword), strings.Join(item.Terms, ", "))
	case proposal.SettingExactMatch:
		if item.Terms[0] == "true" {
			return fmt.Sprintf("You get posts that have %s as a word of its own.", quoted(item.Keyword))
		}
		return fmt.Sprintf("You also get posts that have %s within a word.", quoted(item.Keyword))
	case proposal.SettingTag:
		return fmt.Sprintf("You file %s under %s.", quoted(item.Keyword), strings.ReplaceAll(item.Terms[0], "_", " "))
	}
	return fmt.Sprintf("You tell the judge of relevance what %s is about.", quoted(item.Keyword))
}

func named(values []string) string { return joined(values, "or") }

// joined are values in a sentence, the first of them where they are many.
func joined(values []string, by string) string {
	quotes := make([]string, 0, mostNamed)
	for _, value := range values[:min(len(values), mostNamed)] {
		quotes = append(quotes, quoted(value))
	}
	switch more := len(values) - len(quotes); {
	case more > 0:
		return fmt.Sprintf("%s %s %d more", strings.Join(quotes, ", "), by, more)
	case len(quotes) == 1:
		return quotes[0]
	}
	return strings.Join(quotes[:len(quotes)-1], ", ") + " " + by + " " + quotes[len(quotes)-1]
}

func quoted(text string) string { return "\"" + text + "\"" }

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func fewer(n int) string {
	if n == 1 {
		return "one"
	}
	return fmt.Sprint(n)
}
