package searches

import (
	"context"
	"slices"
	"sync"

	"earshot/shared/keyword"
	"earshot/shared/parallel"
	"earshot/shared/post"
	"earshot/shared/proposal/survey"
	"earshot/shared/query"
	"earshot/shared/search"
	"earshot/shared/source"
	"earshot/shared/source/catalogue"
)

// Bounds of what a search asks of one source.
const (
	mostRequests = 8   // to a platform
	mostPosts    = 500 // matching ones
)

// ArchiveSlug names the archive where a search says what it could not ask.
const ArchiveSlug = "archive"

// Reasons why a source was not asked.
const (
	reasonNoArchive = "this deployment has no archive of earlier posts"
	reasonStream    = "its platform can be followed live and not searched"
	reasonNotOpen   = "it cannot be asked here: its credentials are not configured, or there is no network"
	reasonLeftOut   = "the query leaves it out"
	reasonNoWords   = "the query has no word that a platform could be asked for"
	andArchive      = "; the archive was searched"
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
	for _, text := range texts(parsed) {
		question.Texts = append(question.Texts, survey.Text{Text: text, Exact: true})
	}
	var tasks []func() error
	archived := map[string]bool{}
	if o.Archive == nil {
		a.stats.Skipped[ArchiveSlug] = reasonNoArchive
	} else if sources, err := o.Archive(ctx); err != nil {
		if ctx.Err() != nil {
			return found{}, ctx.Err()
		}
		a.stats.Skipped[ArchiveSlug] = survey.Reason(err)
	} else {
		archive := survey.New(survey.Options{Sources: sources, Clock: o.Clock, Log: o.Log})
		for _, name := range archive.Names() {
			if a.wants(name) && admits(parsed, name) && len(question.Texts) > 0 {
				archived[name] = true
				tasks = append(tasks, func() error { return a.one(within, archive, name, question, false) })
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
		if reason := unasked(name, open, platforms.Streams(), parsed, question); reason != "" {
			a.skip(name, reason, archived[name])
			continue
		}
		tasks = append(tasks, func() error { return a.one(within, platforms, name, question, true) })
	}
	if err := parallel.Together(tasks...); err != nil {
		return found{}, err
	}
	return found{a.posts, a.stats}, ctx.Err()
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

// unasked returns why a source is not asked live; empty if it is.
func unasked(
	name string, open []source.Source, streams []string, parsed query.Query, question survey.Question,
) string {
	isOpen := slices.ContainsFunc(open, func(s source.Source) bool { return s.About().Name == name })
	platform, _ := catalogue.Find(name)
	switch {
	case !admits(parsed, name):
		return reasonLeftOut
	case slices.Contains(streams, name):
		return reasonStream
	case !isOpen && platform.Closed != "":
		return platform.Closed
	case !isOpen:
		return reasonNotOpen
	case len(question.Texts) == 0:
		return reasonNoWords
	}
	return ""
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
		a.stats.Skipped[key] = survey.Reason(err)
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

// texts returns what the sources are asked for: of each alternative its longest word or phrase, each once. A post that
// meets the alternative has it. An alternative without words adds nothing.
func texts(parsed query.Query) (all []string) {
	for _, terms := range parsed.Alternatives() {
		longest := ""
		for _, t := range terms {
			if !t.Negated && (t.Field == query.Text || t.Field == query.Title) && len(t.Value) > len(longest) {
				longest = t.Value
			}
		}
		if longest != "" && !slices.Contains(all, longest) {
			all = append(all, longest)
		}
	}
	return all
}
