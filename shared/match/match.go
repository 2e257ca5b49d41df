package match

import (
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/post"
	"earshot/shared/text/fold"
)

// A Workspace is a workspace as Compile takes it.
type Workspace struct {
	ID       string
	Keywords []keyword.Keyword
	Filters  keyword.Filters
}

// A Hit is a workspace that a post matches.
type Hit struct {
	Workspace *Workspace         // as given to Compile
	Keywords  []*keyword.Keyword // the matched keywords, in the workspace's order; never empty
}

// Hits holds Match's result and its working memory. The zero value is ready. One Hits serves any number of calls and
// matchers, by one goroutine at a time. It keeps the memory that the longest post needed, about eight times its text.
type Hits struct {
	List []Hit // in the order of the workspaces given to Compile

	normalizer
	texts      [2]text // the title and the body
	keywords   marked
	conditions marked
	looked     bool // whether a scan has found all conditions
	searches   int  // how many conditions were searched singly
	rules      []uint32
	matched    []*keyword.Keyword
	author     []byte
	place
}

// A Matcher is built by Compile and never changes. It is safe for concurrent use if each goroutine has its own Hits.
type Matcher struct {
	keywords   phrases
	conditions phrases
	postings   postings
	rules      []rule
	scopes     []scope
	lists      []uint32 // the numbers that list values point to
	authors    map[string]uint32
	platforms  []string
}

// A scope is a workspace with its filters.
type scope struct {
	workspace                                       *Workspace
	negative                                        list // phrases of conditions
	authors                                         list
	withoutSubreddits, onlySubreddits, withoutRepos []string
}

// A rule is a keyword. Rules are in the order of workspaces and their keywords.
type rule struct {
	keyword   *keyword.Keyword
	scope     uint32
	platforms uint32 // bits in the order of keyword.Platforms, or everywhere
	terms     list   // phrases of conditions
	excludes  list   // phrases of conditions
	authors   list
	all       bool // all terms must occur, not any
}

const everywhere = 1<<32 - 1

// A list is a stretch of Matcher.lists.
type list struct{ from, to uint32 }

func (m *Matcher) list(l list) []uint32 { return m.lists[l.from:l.to] }

// Match sets hits.List to the workspaces whose keywords p matches. The list and its slices are valid until the next
// call with the same hits. Match takes time linear in p's text, however hostile. If no keyword's text occurs in p, it
// allocates nothing once hits has seen a text of that length.
func (m *Matcher) Match(p *post.Post, hits *Hits) {
	hits.List, hits.rules, hits.matched = hits.List[:0], hits.rules[:0], hits.matched[:0]
	hits.keywords.reset(m.keywords.count)
	for i, raw := range [...]*string{p.Title, p.Body} {
		t := &hits.texts[i]
		if raw == nil {
			t.reset(&hits.normalizer, "")
			continue
		}
		t.reset(&hits.normalizer, *raw)
		m.keywords.scan(t, &hits.normalizer, &hits.keywords)
	}
	if len(hits.keywords.list) == 0 {
		return
	}
	for _, phrase := range hits.keywords.list {
		hits.rules = append(hits.rules, m.postings.rulesOf(phrase)...)
	}
	slices.Sort(hits.rules)
	hits.conditions.reset(m.conditions.count)
	hits.looked, hits.searches = false, 0
	hits.place = m.placeOf(p, hits)
	m.collect(p, hits)
}

// collect keeps the rules whose conditions hold and groups them by workspace.
func (m *Matcher) collect(p *post.Post, hits *Hits) {
	hits.matched = slices.Grow(hits.matched, len(hits.rules)) // it must not move, because List refers into it
	for i := 0; i < len(hits.rules); {
		number := m.rules[hits.rules[i]].scope
		s := &m.scopes[number]
		admitted := m.admits(s, p, hits)
		start := len(hits.matched)
		for ; i < len(hits.rules) && m.rules[hits.rules[i]].scope == number; i++ {
			if r := &m.rules[hits.rules[i]]; admitted && m.meets(r, p, hits) {
				hits.matched = append(hits.matched, r.keyword)
			}
		}
		if end := len(hits.matched); end > start && !m.hasAny(s.negative, hits) {
			hits.List = append(hits.List, Hit{s.workspace, hits.matched[start:end:end]})
		}
	}
}

// A short post's few conditions are searched one by one, which is faster than a scan for all of them.
const (
	fewConditions = 256
	shortPost     = 4 << 10 // bytes
)

// has reports whether the post has a phrase of the conditions.
func (m *Matcher) has(phrase uint32, hits *Hits) bool {
	if hits.conditions.has(phrase) || hits.looked {
		return hits.conditions.has(phrase)
	}
	if hits.searches == fewConditions || len(hits.texts[0].folded)+len(hits.texts[1].folded) > shortPost {
		hits.looked = true
		for i := range hits.texts {
			m.conditions.scan(&hits.texts[i], &hits.normalizer, &hits.conditions)
		}
		return hits.conditions.has(phrase)
	}
	if hits.searches == 0 {
		for i := range hits.texts {
			m.conditions.own(&hits.texts[i], &hits.normalizer, &hits.conditions)
		}
	}
	hits.searches++
	for i := range hits.texts {
		m.conditions.search(phrase, &hits.texts[i], &hits.normalizer, &hits.conditions)
	}
	return hits.conditions.has(phrase)
}

// meets reports whether a post that has a rule's text meets the rule's other conditions.
func (m *Matcher) meets(r *rule, p *post.Post, hits *Hits) bool {
	if r.platforms != everywhere && r.platforms&m.platformsOf(p, hits) == 0 || hits.by(m.list(r.authors)) {
		return false
	}
	if r.terms.from != r.terms.to && !m.hasTerms(r, hits) {
		return false
	}
	return !m.hasAny(r.excludes, hits)
}

func (m *Matcher) hasTerms(r *rule, hits *Hits) bool {
	if !r.all {
		return m.hasAny(r.terms, hits)
	}
	for _, phrase := range m.list(r.terms) {
		if !m.has(phrase, hits) {
			return false
		}
	}
	return true
}

func (m *Matcher) hasAny(l list, hits *Hits) bool {
	for _, phrase := range m.list(l) {
		if m.has(phrase, hits) {
			return true
		}
	}
	return false
}

// A place is a post's origin and author, as filters see them.
type place struct {
	platforms uint32 // bits of the platforms that admit it, and the highest bit; 0 until they are known
	writer    int64  // the author's number in Matcher.authors; -1 if no workspace excludes the author
	known     bool   // whether subreddit and repo are set
	subreddit string
	repo      string
}

func (m *Matcher) placeOf(p *post.Post, hits *Hits) place {
	at := place{writer: -1}
	if p.Author != nil && len(m.authors) > 0 {
		hits.author = fold.AppendHandle(&hits.normalizer, hits.author[:0], *p.Author)
		if number, ok := m.authors[string(hits.author)]; ok {
			at.writer = int64(number)
		}
	}
	return at
}

// platformsOf returns the platforms that admit the post.
func (m *Matcher) platformsOf(p *post.Post, hits *Hits) uint32 {
	if hits.place.platforms == 0 {
		hits.place.platforms = 1 << 31
		for i, platform := range m.platforms {
			if keyword.Admits(platform, p.Source, p.IsReply) {
				hits.place.platforms |= 1 << i
			}
		}
	}
	return hits.place.platforms
}

// by reports whether one of the authors wrote the post.
func (at *place) by(authors []uint32) bool {
	return at.writer >= 0 && slices.Contains(authors, uint32(at.writer))
}

// admits reports whether a workspace's filters admit the post, apart from its negative keywords.
func (m *Matcher) admits(s *scope, p *post.Post, hits *Hits) bool {
	if hits.by(m.list(s.authors)) {
		return false
	}
	if s.withoutSubreddits != nil || s.onlySubreddits != nil || s.withoutRepos != nil {
		at := &hits.place
		if !at.known {
			at.known, at.subreddit, at.repo = true, p.Subreddit(), p.Repo()
		}
		onReddit := at.subreddit != "" || keyword.Admits("reddit", p.Source, false) ||
			keyword.Admits("reddit_comment", p.Source, true)
		if at.subreddit != "" && slices.Contains(s.withoutSubreddits, at.subreddit) ||
			onReddit && s.onlySubreddits != nil && !slices.Contains(s.onlySubreddits, at.subreddit) {
			return false
		}
		if at.repo != "" {
			owner, _, _ := strings.Cut(at.repo, "/")
			if slices.Contains(s.withoutRepos, at.repo) || slices.Contains(s.withoutRepos, owner) {
				return false
			}
		}
	}
	return true
}
