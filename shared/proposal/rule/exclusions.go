package rule

import (
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/post"
	"earshot/shared/proposal"
)

// An exclusion is one value of one of a keyword's lists of exclusions.
type exclusion struct {
	field, value string
	alone        keyword.Keyword // the keyword with this exclusion and no other
}

// exclusions are those of a keyword, and the keyword without any.
func exclusions(k proposal.Keyword) (without keyword.Keyword, all []exclusion) {
	without = k.Tracked()
	without.ExcludeWords, without.WildcardExcludeWords, without.ExcludeAuthors = nil, nil, nil
	for _, list := range []struct {
		field  string
		values []string
		set    func(*keyword.Keyword, []string)
	}{
		{"excludeWords", k.ExcludeWords, func(k *keyword.Keyword, v []string) { k.ExcludeWords = v }},
		{"wildcardExcludeWords", k.WildcardExcludeWords, func(k *keyword.Keyword, v []string) { k.WildcardExcludeWords = v }},
		{"excludeAuthors", k.ExcludeAuthors, func(k *keyword.Keyword, v []string) { k.ExcludeAuthors = v }},
	} {
		for i := range list.values[:min(len(list.values), maxJudged)] {
			one := exclusion{list.field, list.values[i], without}
			list.set(&one.alone, list.values[i:i+1])
			all = append(all, one)
		}
	}
	return without, all
}

// harmlessExclusion (X1) tries each exclusion by itself, and then all together, on those posts of the sample that the
// keyword finds without any: as many relevant ones as noise may go, and not one more. The brand is the company's name,
// its domain, the texts of the own_brand keywords and the keyword's own: a post that says no more than one of these is
// never excluded. Authors are judged by the sample alone: the company's own account says what it says of itself.
func harmlessExclusion(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	brand := brands(p, e)
	for n, k := range p.Keywords {
		without, all := exclusions(k)
		if len(all) == 0 {
			continue
		}
		clear := true
		relevant, noise := removed(
			append([]keyword.Keyword{without, k.Tracked()}, scoped(all)...), e.Sampled.Sightings[k.Ref].Posts,
		)
		said := says(all, append(slices.Clone(brand), k.Keyword))
		for i, x := range all {
			switch {
			case said[i]:
				r.add("X1", at(n, x.field), k.Ref, "%s excludes the brand itself: drop it.", quote(x.value))
			case relevant[i+1] > noise[i+1]:
				r.add(
					"X1", at(n, x.field), k.Ref, "%s removes %d relevant posts of the sample and %d of noise: drop it.",
					quote(x.value), relevant[i+1], noise[i+1],
				)
			default:
				continue
			}
			clear = false
		}
		if clear && relevant[0] > noise[0] {
			r.add(
				"X1", at(n, "excludeWords"), k.Ref,
				"The exclusions together remove %d relevant posts of the sample and %d of noise: drop some.",
				relevant[0], noise[0],
			)
		}
	}
	return found
}

func scoped(all []exclusion) []keyword.Keyword {
	keywords := make([]keyword.Keyword, len(all))
	for i, x := range all {
		keywords[i] = x.alone
	}
	return keywords
}

// removed are how many relevant posts and how many others each keyword but the first does not find of those that the
// first finds.
func removed(keywords []keyword.Keyword, posts []proposal.SampledPost) (relevant, noise []int) {
	relevant, noise = make([]int, len(keywords)-1), make([]int, len(keywords)-1)
	l := listen(keywords...)
	for _, p := range posts {
		heard := l.hears(sampled(p))
		for i := range relevant {
			switch {
			case !heard[0] || heard[i+1]:
			case p.Relevant:
				relevant[i]++
			default:
				noise[i]++
			}
		}
	}
	return relevant, noise
}

// says which exclusions a post has that is one of the names and no more.
func says(all []exclusion, names []string) []bool {
	said := make([]bool, len(all))
	for _, name := range names {
		keywords := []keyword.Keyword{{Text: name}}
		for _, x := range all {
			keywords = append(
				keywords,
				keyword.Keyword{
					Text:                 name,
					ExcludeWords:         x.alone.ExcludeWords,
					WildcardExcludeWords: x.alone.WildcardExcludeWords,
				},
			)
		}
		heard := listen(keywords...).hears(post.Post{Source: elsewhere, Body: &name})
		for i := range all {
			said[i] = said[i] || heard[0] && !heard[i+1]
		}
	}
	return said
}

// brands are the texts that name the company.
func brands(p proposal.Proposal, e proposal.Evidence) []string {
	all := []string{}
	add := func(name string) {
		if !blank(name) && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	add(e.Profile.Company)
	add(e.Domain)
	for _, k := range p.Keywords {
		if k.Tag == keyword.OwnBrand {
			add(k.Keyword)
		}
	}
	return all
}

// waitingExclusion (X2) takes every exclusion of an own_brand keyword for one that touches the brand: excluding takes
// posts of the brand away, which a person should see with figures first.
func waitingExclusion(p proposal.Proposal, _ proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	for n, k := range p.Keywords {
		if k.Tag != keyword.OwnBrand {
			continue
		}
		written := k.Initially()
		for _, setting := range []struct {
			name   proposal.Setting
			values []string
		}{
			{proposal.SettingExcludeWords, written.ExcludeWords},
			{proposal.SettingWildcardExcludeWords, written.WildcardExcludeWords},
			{proposal.SettingExcludeAuthors, written.ExcludeAuthors},
		} {
			if values := terms(setting.values); len(values) > 0 {
				r.add(
					"X2", at(n, string(setting.name)), k.Ref,
					"%s would be excluded from the brand at apply: approve %s as cleanup.", quote(values[0]),
					setting.name,
				)
			}
		}
	}
	return found
}
