package sampling

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/text"
)

// Bounds of a post in a sample. With them 24 candidates with 60 posts each keep below some 2 MB of JSON, whatever the
// posts say.
const (
	MaxTitle  = 200 // characters, and maxTitle of weight
	MaxBody   = 600 // characters, and maxBody of weight
	maxTitle  = 250
	maxBody   = 750
	maxURL    = 200 // of weight: a longer one is left out, since a part of it leads elsewhere
	maxAuthor = 100 // characters: no handle is longer
)

// A clipper cuts posts to what a sample keeps of them: their beginning, or the part in which the keyword stands.
type clipper struct {
	matcher *match.Matcher
	hits    match.Hits
}

func (c *clipper) matches(p *post.Post) bool {
	c.matcher.Match(p, &c.hits)
	return len(c.hits.List) > 0
}

// clip cuts a post; false when no part of it of that size has the keyword.
func (c *clipper) clip(p *post.Post) (proposal.SampledPost, bool) {
	out := proposal.SampledPost{
		ID:       strings.ToValidUTF8(p.SourceID, "\uFFFD"),
		Source:   p.Source,
		PostedAt: p.PostedAt,
		IsReply:  p.IsReply,
		Author:   beginning(valid(of(p.Author)), maxAuthor, 2*maxAuthor),
		URL:      strings.ToValidUTF8(p.URL, ""),
		Title:    beginning(valid(of(p.Title)), MaxTitle, maxTitle),
	}
	if text.JSONSize(out.URL) > maxURL {
		out.URL = ""
	}
	body := valid(of(p.Body))
	for from := 0; ; {
		out.Body = beginning(body[from:], MaxBody, maxBody)
		if c.has(&out) {
			return out, true
		}
		if from+len(out.Body) >= len(body) {
			return out, false
		}
		// On by half of it, so that what stands across the end of one part stands within the next.
		step := len(out.Body) / 2
		for step < len(out.Body) && !utf8.RuneStart(out.Body[step]) {
			step++
		}
		if at := strings.IndexFunc(out.Body[step:], unicode.IsSpace); at >= 0 {
			step += at + 1
			for !utf8.RuneStart(body[from+step]) {
				step++
			}
		}
		from += max(step, 1)
	}
}

func (c *clipper) has(p *proposal.SampledPost) bool {
	whole := whole(p)
	return c.matches(&whole)
}

// whole is a sampled post as the matcher and the judge read posts.
func whole(p *proposal.SampledPost) post.Post {
	out := post.Post{Source: p.Source, SourceID: p.ID, URL: p.URL, PostedAt: p.PostedAt, IsReply: p.IsReply}
	if p.Title != "" {
		out.Title = &p.Title
	}
	if p.Body != "" {
		out.Body = &p.Body
	}
	if p.Author != "" {
		out.Author = &p.Author
	}
	return out
}

func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// beginning is the text's beginning up to most characters and heaviest of weight, to the end of a word when one ends in
// its second half.
func beginning(s string, most, heaviest int) string {
	characters, heavy, end, blank := 0, 0, len(s), 0
	for i, r := range s {
		size := utf8.RuneLen(r)
		heavy += text.JSONSize(s[i : i+size])
		if characters++; characters > most || heavy > heaviest {
			end = i
			break
		}
		if unicode.IsSpace(r) {
			blank = i
		}
	}
	if end == len(s) {
		return s
	}
	if next, _ := utf8.DecodeRuneInString(s[end:]); unicode.IsSpace(next) {
		return s[:end]
	}
	if blank > end/2 {
		return s[:blank]
	}
	return s[:end]
}

// Bare is a candidate as a keyword by its text alone: what was measured and sampled of it. Its ID is 1.
func Bare(c proposal.Candidate) keyword.Keyword {
	return keyword.Keyword{
		ID:            1,
		Text:          c.Text,
		Context:       c.Context,
		ExactMatch:    c.Exact,
		CaseSensitive: c.Cased,
		Tag:           c.Tag,
	}
}
