package attention

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"earshot/shared/keyword"
)

func quota(f Facts) []Item {
	month := f.ResetAt.AddDate(0, -1, 0)
	occurrence := fmt.Sprint(month.Format("2006-01"), " ", f.Limit) // on a larger plan it may happen again
	resets := f.ResetAt.Format("2 January")
	larger := len(f.Workspace.Plan.Upgrades()) > 0
	switch {
	case f.Limit <= 0:
		return nil
	case f.Stored >= f.Limit:
		item := Item{
			ID:       f.idOf(QuotaUsed, "", occurrence),
			Kind:     QuotaUsed,
			Severity: Critical,
			Title:    "This month's mentions are used up",
			Message: fmt.Sprintf(
				"The workspace has used its %d mentions of this month. Nothing more is collected until %s (UTC).",
				f.Limit, resets,
			),
			Action:    Action{Type: Open, Path: "/api/v2/org/usage"},
			CreatedAt: month,
		}
		if larger {
			item.Message += " A larger plan resumes collection at once."
			item.Action.Path = "/api/v2/org/upgrade-link"
		}
		return []Item{item}
	case float64(f.Stored) >= nearly*float64(f.Limit):
		remedy := "narrow keywords that bring the most noise."
		if larger {
			remedy = "narrow keywords that bring the most noise, or choose a larger plan."
		}
		return []Item{
			{
				ID:       f.idOf(QuotaNearlyUsed, "", occurrence),
				Kind:     QuotaNearlyUsed,
				Severity: Warning,
				Title:    "This month's mentions are nearly used up",
				Message: fmt.Sprintf(
					"%d of this month's %d mentions are used. At %d collection stops until %s (UTC): %s", f.Stored,
					f.Limit, f.Limit, resets, remedy,
				),
				Action:    Action{Type: Open, Path: "/api/v2/org/usage"},
				CreatedAt: month,
			},
		}
	}
	return nil
}

func keywords(f Facts) []Item {
	if len(f.Keywords) == 0 {
		return []Item{
			{
				ID:        f.idOf(NoKeywords, "", fmt.Sprint(f.KeywordsMade)),
				Kind:      NoKeywords,
				Severity:  Critical,
				Title:     "The workspace has no keywords",
				Message:   "The workspace has no keyword, so nothing is collected. Add one; the recommendations suggest the first.",
				Action:    Action{Type: Open, Path: "/api/v2/monitoring/recommendations"},
				CreatedAt: f.Workspace.CreatedAt,
			},
		}
	}
	var last time.Time
	for _, k := range f.Keywords {
		if !k.Paused {
			return nil
		}
		if k.UpdatedAt.After(last) {
			last = k.UpdatedAt
		}
	}
	return []Item{
		{
			ID:        f.idOf(KeywordsPaused, "", last.UTC().Format(time.RFC3339Nano)),
			Kind:      KeywordsPaused,
			Severity:  Warning,
			Title:     "All keywords are paused",
			Message:   "Every keyword is paused, so nothing is collected. Resume the keywords that you want to track.",
			Action:    Action{Type: Open, Path: "/api/v2/keywords"},
			CreatedAt: last,
		},
	}
}

func silent(f Facts) []Item {
	var items []Item
	today := f.Now.UTC().Truncate(day)
	for _, k := range f.Keywords {
		last, mentioned := f.Mentioned[k.ID]
		grown := k.CreatedAt.Add(young)
		if k.Paused || f.Now.Before(grown) || mentioned && last.After(today.AddDate(0, 0, -silence)) {
			continue
		}
		so := fmt.Sprintf("had no mention in %d days", silence)
		if k.CreatedAt.After(f.Now.AddDate(0, 0, -silence)) {
			so = "has had no mention yet"
		}
		since, occurrence := grown, "never"
		if mentioned {
			occurrence = last.Format(time.DateOnly)
			if quiet := last.AddDate(0, 0, silence); quiet.After(since) {
				since = quiet
			}
		}
		items = append(
			items,
			Item{
				ID:       f.idOf(KeywordSilent, fmt.Sprint(k.ID), occurrence),
				Kind:     KeywordSilent,
				Severity: Info,
				Title:    fmt.Sprintf("%q finds nothing", k.Text),
				Message: fmt.Sprintf(
					"The keyword %q %s. Look at its spelling, its additional terms and its platforms: they may ask for too much at once.",
					k.Text,
					so,
				),
				Action:    openKeyword(k.ID),
				CreatedAt: since,
			},
		)
	}
	return items
}

func openKeyword(id int64) Action {
	return Action{Type: Open, Path: fmt.Sprintf("/api/v2/keywords/%d", id)}
}

func failing(f Facts) []Item {
	active := map[int64]keyword.Keyword{}
	for _, k := range f.Keywords {
		if !k.Paused {
			active[k.ID] = k
		}
	}
	since := map[string]time.Time{}
	for _, task := range f.Tasks {
		k, ours := active[task.KeywordID]
		if task.KeywordID == 0 {
			k, ours = listening(active, task.Source)
		}
		if !ours || task.Failures < manyFailures {
			continue
		}
		from := task.Since
		if from.Before(k.CreatedAt) {
			from = k.CreatedAt // there was nothing to miss before the keyword
		}
		if known, failing := since[task.Source]; !failing || from.Before(known) {
			since[task.Source] = from
		}
	}
	var items []Item
	for source, from := range since {
		items = append(
			items,
			Item{
				ID:       f.idOf(SourceFailing, source, from.UTC().Format(time.RFC3339Nano)),
				Kind:     SourceFailing,
				Severity: Warning,
				Title:    fmt.Sprintf("%s does not answer", source),
				Message: fmt.Sprintf(
					"Collecting from %s has failed again and again; what was posted there since %s (UTC) is missing. It is tried on, and what can be fetched "+
						"later still comes in.",
					source,
					from.UTC().Format("2 January 2006, 15:04"),
				),
				Action:    Action{Type: None},
				CreatedAt: from,
			},
		)
	}
	return items
}

// listening returns the oldest keyword that takes posts of a source that is read whole.
func listening(active map[int64]keyword.Keyword, source string) (oldest keyword.Keyword, found bool) {
	for _, k := range active {
		takes := k.Platforms == nil || slices.ContainsFunc(k.Platforms, func(platform string) bool {
			return keyword.Admits(platform, source, false) || keyword.Admits(platform, source, true)
		})
		if takes && (!found || k.CreatedAt.Before(oldest.CreatedAt)) {
			oldest, found = k, true
		}
	}
	return oldest, found
}

func falsePositives(f Facts) []Item {
	var items []Item
	for _, k := range f.Keywords {
		judged := f.Judged[k.ID]
		total := judged.Relevant + judged.NotRelevant
		if k.Paused || total < enoughJudged || float64(judged.NotRelevant) < tooManyFalse*float64(total) {
			continue
		}
		// It is news again with twice as many judgements.
		doubled := 0
		for n := total / enoughJudged; n > 1; n /= 2 {
			doubled++
		}
		items = append(
			items,
			Item{
				ID:       f.idOf(ManyFalsePositives, fmt.Sprint(k.ID), fmt.Sprint(doubled)),
				Kind:     ManyFalsePositives,
				Severity: Warning,
				Title:    fmt.Sprintf("%q finds much that is not relevant", k.Text),
				Message: fmt.Sprintf(
					"%d of %d judgements of mentions of %q say not relevant. Its suggestions list words to exclude and words to require.",
					judged.NotRelevant,
					total,
					k.Text,
				),
				Action:    Action{Type: Open, Path: "/api/v2/keywords/suggestions"},
				CreatedAt: k.UpdatedAt,
			},
		)
	}
	return items
}

func company(f Facts) []Item {
	if f.Company.Name != "" || f.Company.Domain != "" || f.Company.Description != "" {
		return nil
	}
	return []Item{
		{
			ID:        f.idOf(NoCompany, "", ""),
			Kind:      NoCompany,
			Severity:  Info,
			Title:     "There is no company profile",
			Message:   "The judge of relevance does not know what the company does and for whom. Fill in the profile, so that fewer mentions are misjudged.",
			Action:    Action{Type: Open, Path: "/api/v2/org/company"},
			CreatedAt: f.Workspace.CreatedAt,
		},
	}
}

func keys(f Facts) []Item {
	var items []Item
	for _, key := range f.Keys {
		if key.ExpiresAt.IsZero() || key.Expired(f.Now) || key.ExpiresAt.Sub(f.Now) > expiresSoon {
			continue
		}
		since := key.ExpiresAt.Add(-expiresSoon)
		if key.CreatedAt.After(since) {
			since = key.CreatedAt
		}
		items = append(
			items,
			Item{
				ID:       f.idOf(KeyExpires, key.ID, key.ExpiresAt.UTC().Format(time.RFC3339Nano)),
				Kind:     KeyExpires,
				Severity: Warning,
				Title:    fmt.Sprintf("The API key %q expires soon", key.Name),
				Message: fmt.Sprintf(
					"The API key %q is good until %s (UTC). Make another and put it in its place before then.",
					key.Name, key.ExpiresAt.UTC().Format("2 January 2006, 15:04"),
				),
				Action:    Action{Type: Open, Path: "/api/v2/org/keys"},
				CreatedAt: since,
			},
		)
	}
	return items
}

func broken(f Facts) []Item {
	var items []Item
	for _, e := range f.Disabled {
		why := "It took nothing for five days."
		if e.Gone {
			why = "It answered that it wants no more."
		}
		id := f.idOf(DeliveryBroken, e.Name, e.Since.UTC().Format(time.RFC3339Nano))
		items = append(items, Item{
			ID:       id,
			Kind:     DeliveryBroken,
			Severity: Warning,
			Title:    fmt.Sprintf("The %s of %q gets nothing", e.Kind, e.Owner),
			Message: fmt.Sprintf(
				"The %s of %q is disabled. %s Mend it or give another one. Apply this item to enable it, and send again what it missed (recover).",
				e.Kind,
				e.Owner,
				why,
			),
			Action:    Action{Apply, "/api/v2/attention/" + id + "/apply", e.Name},
			CreatedAt: e.Since,
		})
	}
	return items
}

// paused finds the alerts that watch nothing any more, and that nobody disabled.
func paused(f Facts) []Item {
	var items []Item
	for _, a := range f.Paused {
		path := "/api/v2/alerts/" + strconv.FormatInt(a.ID, 10)
		items = append(items, Item{
			ID:       f.idOf(AlertPaused, path, a.Since.UTC().Format(time.RFC3339Nano)),
			Kind:     AlertPaused,
			Severity: Warning,
			Title:    fmt.Sprintf("The alert %q is paused", a.Name),
			Message: fmt.Sprintf(
				"The keyword that the alert %q watched was deleted. Enable the alert with other filters or a feed, or delete it.",
				a.Name,
			),
			Action:    Action{Type: Open, Path: path},
			CreatedAt: a.Since,
		})
	}
	return items
}
