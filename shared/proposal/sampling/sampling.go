// Package sampling reads a sample of posts for the setup engine. It finds which of a candidate's posts are meant, their
// topics, the kinds of noise, and the terms that would tell the two apart ("Sample" in the description of the engine).
//
// shared/judge, which judges live mentions, decides relevance. shared/match, which matches live posts, counts every
// figure of a term, over the posts as the sample stores them. A second count therefore gives the same figures. The
// package is pure: the same posts in any order give the same result. Texts of posts are hostile. Terms and labels made
// of them are single words, and all other text goes into the clipped posts alone.
//
// The stages sample and agent import it, and compose, which counts what scopings keep.
package sampling

import (
	"slices"
	"strings"

	"earshot/shared/judge"
	"earshot/shared/judge/vocabulary"
	"earshot/shared/language"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/theme"
	"earshot/shared/workspace"
)

// A Sampler looks at the samples of one company; immutable, safe for concurrent use.
type Sampler struct {
	judge    *judge.Judge
	words    vocabulary.Words
	company  workspace.Company
	language string          // of the company's site; empty when it is not known
	own      map[string]bool // words of the profile, in lowercase
	handles  map[string]bool // of the profile, folded
}

// New makes a sampler of the company that a profile is of.
func New(j *judge.Judge, profile proposal.Profile, domain string) *Sampler {
	words, _ := vocabulary.Open() // the judge reads the same words: without them there would be none
	s := &Sampler{
		judge:   j,
		words:   words,
		own:     map[string]bool{},
		handles: map[string]bool{},
		company: workspace.Company{
			Name:        profile.Company,
			Domain:      domain,
			Description: profile.Description,
			Products:    profile.Products,
			Audience:    profile.Audience,
			Handles:     profile.OwnHandles(),
		},
	}
	if name, ok := language.Parse(profile.Language); ok && name != mention.Undetermined {
		s.language = name
	}
	texts := []string{
		profile.Company, profile.Description, profile.Audience, strings.NewReplacer(".", " ", "-", " ").Replace(domain),
	}
	texts = slices.Concat(texts, profile.Products, profile.Competitors, profile.IndustryTerms, profile.OtherNames)
	for _, handle := range profile.Handles {
		texts = append(texts, handle.Handle)
		s.handles[mention.Handle(handle.Handle)] = true
	}
	for _, text := range texts {
		for word := range theme.Words(text) {
			s.own[word] = true
		}
	}
	return s
}

// Look samples at most limit of the posts for a candidate (Spread) and tells what they show. Of an ambiguous name it
// judges up to Reading of the posts, so that the terms that tell the posts apart are proven by more than the sample.
// Posts that the candidate's bare text does not match are passed over: it would bring none of them. Nothing in the
// answer is nil, whatever there is to see.
func (s *Sampler) Look(c proposal.Candidate, posts []post.Post, limit int) proposal.Sighting {
	found := s.matching(c, posts)
	seen := s.see(c, found, limit)
	out := proposal.Sighting{Posts: make([]proposal.SampledPost, 0, len(seen)), Languages: map[string]int{},
		Sources: map[string]proposal.SourceSample{}}
	jobs, foreign := 0, 0
	for i := range seen {
		p := &seen[i].SampledPost
		out.Posts = append(out.Posts, *p)
		source := out.Sources[p.Source]
		source.Scored++
		if p.Relevant {
			source.Relevant++
			out.Relevant++
		}
		out.Sources[p.Source] = source
		out.Languages[p.Language]++
		if p.Job {
			jobs++
		}
		if s.foreign(p.Language) {
			foreign++
		}
	}
	if len(seen) > 0 {
		out.JobShare, out.Foreign = float64(jobs)/float64(len(seen)), float64(foreign)/float64(len(seen))
	}
	read := seen
	if len(found) > len(seen) && limit > 0 && ambiguous(c, out.Relevant, len(seen)) {
		read = s.see(c, found, max(limit, Reading))
		out.Read.Scored = len(read)
		for i := range read {
			if read[i].Relevant {
				out.Read.Relevant++
			}
		}
	}
	t := newTrial(s, c, read)
	out.Anchors, out.Excludes, out.Authors, out.Clusters = t.anchors(), t.excludes(), s.authors(read), s.clusters(
		c, seen,
	)
	return out
}

// foreign says whether a language is another than the company's. Of a post or a company whose language is not known
// nobody can say it.
func (s *Sampler) foreign(of string) bool {
	return s.language != "" && of != mention.Undetermined && of != s.language
}
