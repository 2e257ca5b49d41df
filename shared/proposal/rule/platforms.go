package rule

import (
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// platforms (P1). Every platform that the plan allows is on or off; nothing else is on. What a keyword is narrowed to
// is on for at least one of its platforms, or it would hear nothing. A platform's sample are the posts of their own
// samples that the selected keywords find there as they are scoped, but for the narrowing to platforms itself: where at
// least proposal.SampleEnough of them are less than proposal.NoisyPlatform relevant, it is off, unless no other would
// be left that is listened on, or none that speaks of the brand. A plan that lists no platforms is not known, and allows all.
func platforms(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	known := func(platform string) bool { return slices.Contains(keyword.Platforms(), platform) }
	if len(p.Platforms.On) == 0 {
		r.add("P1", "platforms.on", "", "No platform is on: leave on the best that the plan allows.")
	}
	for n, platform := range p.Platforms.On {
		place := path("platforms.on", n, "")
		switch {
		case !known(platform):
			r.add("P1", place, "", "%s is no platform: name one of the vocabulary.", quote(platform))
		case slices.Contains(p.Platforms.On[:n], platform):
			r.add("P1", place, "", "%s is on twice: name it once.", quote(platform))
		case len(e.Plan.Platforms) > 0 && !slices.Contains(e.Plan.Platforms, platform):
			r.add("P1", place, "", "The plan does not allow %s: turn it off with that reason.", quote(platform))
		}
	}
	off := map[string]bool{}
	for n, o := range p.Platforms.Off {
		place := path("platforms.off", n, "source")
		switch {
		case !known(o.Source):
			r.add("P1", place, "", "%s is no platform: name one of the vocabulary.", quote(o.Source))
		case off[o.Source]:
			r.add("P1", place, "", "%s is off twice: name it once.", quote(o.Source))
		case slices.Contains(p.Platforms.On, o.Source):
			r.add("P1", place, "", "%s is on and off: decide for one.", quote(o.Source))
		}
		off[o.Source] = true
		if blank(o.Reason) {
			r.add("P1", path("platforms.off", n, "reason"), "", "%s is off without a reason: say why.", quote(o.Source))
		}
	}
	for _, platform := range e.Plan.Platforms {
		if known(platform) && !off[platform] && !slices.Contains(p.Platforms.On, platform) {
			r.add("P1", "platforms", "", "%s is neither on nor off: decide.", quote(platform))
		}
	}
	for n, k := range p.Keywords {
		place := at(n, "platforms")
		for i, platform := range k.Platforms {
			switch {
			case !known(platform):
				r.add("P1", place, k.Ref, "%s is no platform: name one of the vocabulary.", quote(platform))
			case slices.Contains(k.Platforms[:i], platform):
				r.add("P1", place, k.Ref, "%s is there twice: name it once.", quote(platform))
			}
		}
		switch {
		case k.Platforms == nil:
		case len(k.Platforms) == 0:
			r.add("P1", place, k.Ref, "The keyword is narrowed to no platform: say null for all, or name some.")
		case k.SelectedByDefault &&
			!slices.ContainsFunc(k.Platforms, func(platform string) bool { return slices.Contains(p.Platforms.On, platform) }):
			r.add("P1", place, k.Ref, "Every platform of the keyword is off: widen it, or do not select it.")
		}
	}
	noise := noisy(p, e)
	left := slices.ContainsFunc(
		p.Platforms.On,
		func(platform string) bool { return !slices.Contains(noise, platform) && listened(p, platform) },
	)
	if left {
		for _, platform := range noise {
			if lastOfBrand(p, e, platform, noise) {
				continue
			}
			r.add(
				"P1", "platforms.on", "", "What is found on %s is mostly noise: turn it off with that reason.",
				quote(platform),
			)
		}
	}
	return found
}

// listened says whether a selected keyword listens on a platform.
func listened(p proposal.Proposal, platform string) bool {
	return slices.ContainsFunc(p.Keywords, func(k proposal.Keyword) bool {
		return k.SelectedByDefault && (len(k.Platforms) == 0 || slices.Contains(k.Platforms, platform))
	})
}

// noisy are the platforms that are on and mostly noise.
func noisy(p proposal.Proposal, e proposal.Evidence) (noisy []string) {
	type figures struct{ posts, relevant int }
	on := map[string]figures{}
	for _, k := range p.Keywords {
		posts := e.Sampled.Sightings[k.Ref].Posts
		if !k.SelectedByDefault || len(posts) == 0 {
			continue
		}
		everywhere := k.Tracked()
		everywhere.Platforms = nil
		l := listen(everywhere)
		for _, post := range posts {
			if !l.hears(sampled(post))[0] {
				continue
			}
			for _, platform := range p.Platforms.On {
				if !keyword.Admits(platform, post.Source, post.IsReply) {
					continue
				}
				f := on[platform]
				f.posts++
				if post.Relevant {
					f.relevant++
				}
				on[platform] = f
			}
		}
	}
	for _, platform := range p.Platforms.On {
		f := on[platform]
		if proposal.MostlyNoise(f.posts, f.relevant) && !slices.Contains(noisy, platform) {
			noisy = append(noisy, platform)
		}
	}
	return noisy
}
