package shards

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/archive"
	"earshot/shared/post"
	"earshot/shared/query"
	"earshot/shared/source"
	"earshot/shared/text/fold"
)

// pageMax is how many posts one search of a platform shows.
const pageMax = 500

// Source is one platform of the archive. It is searched as the platform would be: by words, newest first. It is a
// source.Source.
type Source struct {
	reader   *Reader
	platform string
}

// An end is where a platform's posts end when it has so many.
type end struct {
	held   int64
	newest time.Time
}

// Source returns a platform of the archive.
func (r *Reader) Source(platform string) *Source { return &Source{reader: r, platform: platform} }

// Sources returns the platforms that there are posts of, in the order of their names.
func (r *Reader) Sources(ctx context.Context) ([]source.Source, error) {
	platforms, err := r.Platforms(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]source.Source, len(platforms))
	for i, platform := range platforms {
		all[i] = r.Source(platform)
	}
	return all, nil
}

// Platforms lists the platforms that there are posts of, sorted.
func (r *Reader) Platforms(ctx context.Context) ([]string, error) {
	counts, err := r.counts(ctx)
	if err != nil {
		return nil, err
	}
	platforms := make([]string, 0, len(counts))
	for name := range counts {
		platforms = append(platforms, name)
	}
	slices.Sort(platforms)
	return platforms, nil
}

// counts returns how many posts each platform has. Posts that two batches or two shards list count twice, and deleted
// ones until their shard is made anew.
func (r *Reader) counts(ctx context.Context) (map[string]int64, error) {
	batches, err := allBatches(ctx, r.store)
	if err != nil {
		return nil, fmt.Errorf("archive: count posts: %w", err)
	}
	m, err := r.store.ArchiveManifest(ctx)
	if err != nil {
		return nil, fmt.Errorf("archive: count posts: %w", err)
	}
	counts := map[string]int64{}
	for _, b := range batches {
		if b.Key > m.Taken {
			for name, n := range b.Platforms {
				counts[name] += n
			}
		}
	}
	for i := range m.Shards {
		for name, n := range m.Shards[i].Platforms {
			counts[name] += n
		}
	}
	return counts, nil
}

// About returns the source's properties.
func (s *Source) About() source.About { return source.About{Name: s.platform, Max: pageMax} }

// Held returns how many posts the platform has.
func (s *Source) Held(ctx context.Context) (int64, error) {
	counts, err := s.reader.counts(ctx)
	return counts[s.platform], err
}

// A silence of this length divides an archive. Posts after it count only if they are more than a few stragglers.
const (
	silence    = 30 * 24 * time.Hour
	stragglers = 20 // one in so many
)

// farFuture is after every post.
var farFuture = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// Newest returns the time of the platform's newest post, or zero if there are no posts. It ignores posts after a
// silence of a month that are fewer than one in twenty. An archive that was filled from a frozen file and then got a
// few posts of today therefore ends where the file does. The result is remembered until the platform has other posts.
func (s *Source) Newest(ctx context.Context) (time.Time, error) {
	held, err := s.Held(ctx)
	if err != nil || held == 0 {
		return time.Time{}, err
	}
	s.reader.mu.Lock()
	known := s.reader.ends[s.platform]
	s.reader.mu.Unlock()
	if known.held == held {
		return known.newest, nil
	}
	var found, before time.Time
	request := Request{
		Query: Query{
			Expression: s.expression(),
			Keep:       func(p *post.Post) bool { return archive.PlatformOf(p) == s.platform },
		},
		Since: post.Earliest,
		Until: farFuture,
		Limit: pageMax,
	}
	for i := int64(0); i*stragglers <= held; {
		page, err := s.reader.Search(ctx, request)
		if err != nil {
			return time.Time{}, err
		}
		for _, each := range page.Posts {
			if i*stragglers > held {
				break
			}
			at := each.Post.PostedAt
			if i == 0 || i*stragglers < held && before.Sub(at) > silence || at.After(found) { // IDs order seconds alone
				found = at
			}
			before = at
			i++
		}
		if request.Before = page.Next; page.Next == 0 {
			break
		}
	}
	s.reader.mu.Lock()
	s.reader.ends[s.platform] = end{held, found}
	s.reader.mu.Unlock()
	return found, nil
}

// expression finds the platform's posts.
func (s *Source) expression() string { return `{facts} : "` + platformWord(s.platform) + `"` }

// Search returns posts of the window that match the whole query or, without one, hold the text. An exact text matches
// as a keyword with ExactMatch does. Another one compares as a keyword's text does, and is found at least wherever a
// word begins with it: a shard does not find it within words. A text without words is looked for in every post of the
// window.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	request := Request{Since: q.Since, Until: q.Until, Limit: q.Limit(s.About())}
	if q.After != "" {
		before, err := strconv.ParseInt(q.After, 10, 64)
		if err != nil || before < 1 {
			return source.Page{}, fmt.Errorf("archive: search: %q is no page's Next", q.After)
		}
		request.Before = archive.ID(before)
	}
	words, holds := phrase(q.Text, q.Exact)
	if q.Whole != "" {
		parsed, faults := query.Parse(q.Whole)
		if len(faults) > 0 {
			return source.Page{}, fmt.Errorf("archive: search: the query has faults, the first: %s", faults[0].Message)
		}
		words, holds = whole(parsed)
		tested := 0
		request.Enough = func() bool { return tested >= mostTested }
		decides := holds
		holds = func(p *post.Post) bool {
			tested++
			return decides(p)
		}
	}
	request.Query.Expression = s.expression()
	if words != "" {
		request.Query.Expression += " AND " + words
	}
	request.Query.Keep = func(p *post.Post) bool { return archive.PlatformOf(p) == s.platform && holds(p) }
	found, err := s.reader.Search(ctx, request)
	switch {
	case ctx.Err() != nil:
		return source.Page{}, fmt.Errorf("archive: search: %w", ctx.Err())
	case err != nil:
		return source.Page{}, &source.Unavailable{Source: s.platform, Reason: "the archive cannot be read: " + err.Error()}
	}
	page := source.Page{Posts: make([]post.Post, len(found.Posts))}
	for i := range found.Posts {
		page.Posts[i] = found.Posts[i].Post
	}
	if found.Next > 0 {
		page.Next = strconv.FormatInt(int64(found.Next), 10)
	}
	return page, nil
}

// mostTested is about how many documents are read for one page of a query. What the index cannot say, such as signs or
// what a post lacks, has documents read of posts that do not match.
const mostTested = 10_000

// whole returns the expression that finds what a query matches, and the function that decides on a post. The index
// alone knows languages: a query that asks for one keeps every candidate.
func whole(parsed query.Query) (expression string, holds func(*post.Post) bool) {
	found, _ := parsed.FTS()
	if parsed.Uses(query.Lang) {
		return "(" + found + ")", func(*post.Post) bool { return true }
	}
	return "(" + found + ")", func(p *post.Post) bool { return parsed.Matches(p, "") }
}

// errEmpty means that a text has nothing that the index could find.
var errEmpty = errors.New("archive: the text has no words")

// phrase returns the expression that finds a text, and the function that decides on a post. The expression is empty if
// the index cannot find the text.
func phrase(text string, exact bool) (expression string, holds func(*post.Post) bool) {
	quoted := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"“”„‟«»`, r) {
			return ' '
		}
		return r
	}, text)
	parsed, faults := query.Parse(`"` + strings.TrimSpace(quoted) + `"`)
	folded := fold.Form(text)
	within := func(part *string) bool { return part != nil && strings.Contains(fold.Form(*part), folded) }
	contains := func(p *post.Post) bool { return folded == "" || within(p.Title) || within(p.Body) }
	if len(faults) > 0 {
		return "", contains
	}
	whole, _ := parsed.FTS()
	if exact {
		return "(" + whole + ")", func(p *post.Post) bool { return parsed.Matches(p, "") }
	}
	if prefix, err := beginning(text); err == nil {
		return "((" + whole + ") OR " + prefix + ")", contains
	}
	return "", contains
}

// beginning returns the expression that finds posts in which a word begins with the text's last word, behind the other
// words of the text.
func beginning(text string) (string, error) {
	words := strings.Fields(query.Index(&post.Post{Body: &text}, "").Body)
	if len(words) == 0 {
		return "", errEmpty
	}
	return `{title body} : ("` + strings.Join(words, " ") + `" *)`, nil
}
