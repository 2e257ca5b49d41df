package searches

import (
	"context"
	"slices"
	"strings"
	"sync"
	"unicode"

	"earshot/shared/keyword"
	"earshot/shared/parallel"
	"earshot/shared/post"
	"earshot/shared/proposal/survey"
	"earshot/shared/query"
	"earshot/shared/search"
	"earshot/shared/source"
)

// Bounds of what a search asks of one source.
const (
	mostAsks     = 4   // of a platform, each of up to three requests
	mostRequests = 8   // to a platform
	mostPosts    = 500 // matching ones
)

// ArchiveSlug names the archive where a search says what it could not ask.
const ArchiveSlug = "archive"

// Reasons why a source was not asked, or not for all.
const (
	reasonNoArchive  = "This deployment has no archive of earlier posts."
	reasonNewestOnly = "A part of the query names nothing that posts have. For it, only each platform's newest posts were tested."
	reasonNotOpen    = "It cannot be asked here: its credentials are not configured, or there is no network."
	reasonMissed     = "It was not asked for a part of the query: that part has no word, or the query has too many parts."
	andArchive       = " The archive was searched."
)

// asking is one run's asking of all sources, which answer at the same time.
type asking struct {
	o      Options
	search search.Search

	mu    sync.Mutex
	posts []post.Post
	stats search.Stats
	gone  bool // the search ended meanwhile: nobody wants its progress
}

// found is what asking all sources found.
type found struct {
	posts []post.Post
	stats search.Stats
}

// ask asks the platforms and the archive. A source that cannot be asked, or fails, is in the statistics with the reason.
func (o Options) ask(ctx context.Context, s search.Search, parsed query.Query) (found, error) {
	a := &asking{o: o, search: s}
	a.stats = search.Stats{PerSource: map[string]int{}, Skipped: map[string]string{}}
	within, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	question := survey.Question{
		Name:    parsed.String(),
		Window:  s.Window.Length(),
		Matches: func(p *post.Post) bool { return parsed.Matches(p, o.language(parsed, p)) },
		Most:    mostPosts,
	}
	var tasks []func() error
	archived := map[string]bool{}
	if o.Archive == nil {
		a.stats.Skipped[ArchiveSlug] = reasonNoArchive
	} else if sources, err := o.Archive(ctx); err != nil {
		if ctx.Err() != nil {
			return found{}, ctx.Err()
		}
		a.stats.Skipped[ArchiveSlug] = sentence(survey.Reason(err))
	} else {
		archive := survey.New(survey.Options{Sources: sources, Clock: o.Clock, Log: o.Log})
		earlier := question
		earlier.Asks = []source.Query{{Whole: s.Query}}
		if slices.ContainsFunc(parsed.Alternatives(), unindexed) {
			a.stats.Skipped[ArchiveSlug] = reasonNewestOnly
		}
		for _, name := range archive.Names() {
			if a.wants(name) && admits(parsed, name) {
				archived[name] = true
				tasks = append(tasks, func() error { return a.one(within, archive, name, earlier, false) })
			}
		}
	}
	var open []source.Source
	if o.Live != nil {
		open = o.Live(ctx)
	}
	platforms := survey.New(
		survey.Options{Sources: open, Cache: o.Store, Most: mostRequests, Clock: o.Clock, Log: o.Log},
	)
	for _, name := range a.names(open) {
		plan := planned(parsed, name, open)
		if plan.Skipped != "" {
			a.skip(name, plan.Skipped, archived[name])
			continue
		}
		if len(plan.Missed) > 0 {
			a.skip(name, reasonMissed, archived[name])
		}
		asked := question
		asked.Asks = plan.Asks
		tasks = append(tasks, func() error { return a.one(within, platforms, name, asked, true) })
	}
	if err := parallel.Together(tasks...); err != nil {
		return found{}, err
	}
	return found{a.posts, a.stats}, ctx.Err()
}

// sentence makes a sentence of a reason.
func sentence(reason string) string {
	return strings.ToUpper(reason[:1]) + strings.TrimSuffix(reason[1:], ".") + "."
}

// language returns the language of a post, if the query asks for it.
func (o Options) language(parsed query.Query, p *post.Post) string {
	if !parsed.Uses(query.Lang) {
		return ""
	}
	return o.Judge.Read(p).Language
}

// wants reports whether the request asks for a source.
func (a *asking) wants(name string) bool {
	return len(a.search.Sources) == 0 || slices.Contains(a.search.Sources, name)
}

// names lists the sources that are asked live or named as skipped: those of the request, or all platforms and all
// sources that are open.
func (a *asking) names(open []source.Source) []string {
	names := slices.Clone(a.search.Sources)
	if len(names) == 0 {
		names = keyword.Platforms()
		for _, each := range open {
			names = append(names, each.About().Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// planned returns how a platform is asked, or why it is not.
func planned(parsed query.Query, name string, open []source.Source) query.Plan {
	for _, each := range open {
		if about := each.About(); about.Name == name {
			return parsed.Live(about, mostAsks)
		}
	}
	plan := parsed.Live(source.About{Name: name}, mostAsks)
	if plan.Skipped == "" {
		plan.Skipped = reasonNotOpen
	}
	return plan
}

func (a *asking) skip(name, reason string, archived bool) {
	if archived {
		reason += andArchive
	}
	a.stats.Skipped[name] = reason
}

// one asks one source, and stores how far the search is. Only an end of the search's own time is an error.
func (a *asking) one(
	ctx context.Context, surveyed *survey.Survey, name string, question survey.Question, live bool,
) error {
	posts, err := surveyed.Search(ctx, name, question)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.posts = append(a.posts, posts...)
	a.stats.RawMatches += len(posts)
	a.stats.PerSource[name] += len(posts)
	if err != nil {
		key := name
		if !live {
			key = ArchiveSlug
		}
		a.stats.Skipped[key] = sentence(survey.Reason(err))
	}
	if a.gone {
		return nil
	}
	ok, err := a.o.Store.SearchProgress(ctx, a.search.WorkspaceID, a.search.ID, a.stats)
	if ctx.Err() != nil {
		return nil // the time to ask is over, and with it the time to tell
	}
	a.gone = err == nil && !ok
	return err
}

// admits reports whether posts of a source can meet the query.
func admits(parsed query.Query, name string) bool {
	return slices.ContainsFunc(parsed.Alternatives(), func(terms []query.Term) bool {
		return !slices.ContainsFunc(terms, func(t query.Term) bool {
			if t.Field != query.Source {
				return false
			}
			post, reply := keyword.Admits(t.Value, name, false), keyword.Admits(t.Value, name, true)
			if t.Negated {
				return post && reply
			}
			return !post && !reply
		})
	})
}

// unindexed reports whether the archive's index leads to no posts of an alternative. Each of its terms is something that
// a post lacks, or has no letter and no number.
func unindexed(terms []query.Term) bool {
	return !slices.ContainsFunc(terms, func(t query.Term) bool {
		return !t.Negated &&
			strings.ContainsFunc(t.Value, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
	})
}
