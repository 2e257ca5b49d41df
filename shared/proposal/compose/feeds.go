package compose

import (
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// Refs of the feeds that code proposes; a topic's own is topicRef and its keyword's.
const (
	brandFeed       = "feed_brand"
	competitorsFeed = "feed_competitors"
	topicsFeed      = "feed_topics"
	topicRef        = "feed_topic_"
)

// feeds shows the own brand in one feed, all competitors in one, and each term of the field in its own when it fills
// one; the others share one.
func (r *reading) feeds(plans []*plan) []proposal.FeedDecision {
	brand := proposal.FeedDecision{Ref: brandFeed, Name: "Brand", Purpose: proposal.ForBrand}
	competitors := proposal.FeedDecision{Ref: competitorsFeed, Name: "Competitors", Purpose: proposal.ForCompetitors}
	others := proposal.FeedDecision{Ref: topicsFeed, Name: "Industry topics", Purpose: proposal.ForTopic}
	var topics []proposal.FeedDecision
	for _, p := range plans {
		ref := p.Decision.Ref
		switch {
		case p.Tag == keyword.OwnBrand:
			brand.KeywordRefs = append(brand.KeywordRefs, ref)
		case p.Tag == keyword.Competitor:
			competitors.KeywordRefs = append(competitors.KeywordRefs, ref)
		case len(topics) < proposal.MaxFeeds-3 && r.fillsFeed(p):
			topics = append(topics, proposal.FeedDecision{
				Ref: topicRef + ref, Name: titled(p.Text), Purpose: proposal.ForTopic, KeywordRefs: []string{ref},
			})
		default:
			others.KeywordRefs = append(others.KeywordRefs, ref)
		}
	}
	all := append([]proposal.FeedDecision{brand, competitors}, append(topics, others)...)
	return slices.DeleteFunc(all, func(f proposal.FeedDecision) bool { return len(f.KeywordRefs) == 0 })
}

// fillsFeed says whether a keyword by itself passes what makes a feed visible (rule F3).
func (r *reading) fillsFeed(p *plan) bool {
	if p.why != selected || r.blind() {
		return false
	}
	return len(r.gate([]*built{p.built}).Fails()) == 0
}

// blind says whether nothing is known of what posts look like: then only the brand's feed is shown.
func (r *reading) blind() bool { return r.Interrupted || r.Sampled.Sightings == nil }

// gate is what the keywords of a feed bring together: how many posts a week, how relevant they are and how much one
// subject fills of them, each keyword weighed by its volume.
func (r *reading) gate(of []*built) proposal.FeedGate {
	var monthly, judged, relevant, dominant float64
	for _, b := range of {
		middle := b.Volume.Mid()
		monthly += middle
		if b.Sample == nil || b.Sample.Scored == 0 {
			continue
		}
		judged, relevant = judged+middle, relevant+middle*b.Sample.RelevanceRate
	}
	for _, b := range of {
		if b.Sample == nil || judged == 0 {
			continue
		}
		for _, cluster := range b.Sample.Clusters {
			dominant = max(dominant, cluster.Share*b.Volume.Mid()/judged)
		}
	}
	g := proposal.FeedGate{WeeklySample: tenths(monthly * 7 / 30), DominantClusterShare: share(dominant)}
	if judged > 0 {
		g.RelevanceRate = share(relevant / judged)
	}
	return g
}

// place puts keywords that no feed names into the feed of their tag, drops what is named twice or not proposed, and
// feeds without keywords.
func place(keywords []proposal.Keyword, decided []proposal.FeedDecision) []proposal.FeedDecision {
	known, placed := map[string]bool{}, map[string]bool{}
	for _, k := range keywords {
		known[k.Ref] = true
	}
	var feeds []proposal.FeedDecision
	for _, f := range decided {
		if f.Ref == "" ||
			slices.ContainsFunc(feeds, func(other proposal.FeedDecision) bool { return other.Ref == f.Ref }) {
			continue
		}
		refs := []string{}
		for _, ref := range f.KeywordRefs {
			if known[ref] && !placed[ref] {
				refs, placed[ref] = append(refs, ref), true
			}
		}
		f.KeywordRefs = refs
		feeds = append(feeds, f)
	}
	for _, k := range keywords {
		if placed[k.Ref] {
			continue
		}
		home := homeOf(k.Tag)
		at := slices.IndexFunc(
			feeds, func(f proposal.FeedDecision) bool { return f.Ref == home.Ref || f.Purpose == home.Purpose },
		)
		if at < 0 {
			feeds = append(feeds, home)
			at = len(feeds) - 1
		}
		feeds[at].KeywordRefs = append(feeds[at].KeywordRefs, k.Ref)
	}
	return slices.DeleteFunc(feeds, func(f proposal.FeedDecision) bool { return len(f.KeywordRefs) == 0 })
}

func homeOf(tag proposal.Tag) proposal.FeedDecision {
	switch tag {
	case keyword.OwnBrand:
		return proposal.FeedDecision{Ref: brandFeed, Name: "Brand", Purpose: proposal.ForBrand}
	case keyword.Competitor:
		return proposal.FeedDecision{Ref: competitorsFeed, Name: "Competitors", Purpose: proposal.ForCompetitors}
	}
	return proposal.FeedDecision{Ref: topicsFeed, Name: "Industry topics", Purpose: proposal.ForTopic}
}

// show makes the feeds with their gates, and says of each that is not visible why. The brand's feed is visible unless it
// is mostly noise and another feed is visible: who is seldom spoken of, or for one thing, wants to hear of that.
func (r *reading) show(p *proposal.Proposal, decided []proposal.FeedDecision, of map[string]*built) {
	var members [][]*built
	for _, d := range place(p.Keywords, decided) {
		var listening []*built
		for _, ref := range d.KeywordRefs {
			b := of[ref]
			b.FeedRef = d.Ref
			if b.SelectedByDefault {
				listening = append(listening, b)
			}
		}
		f := proposal.Feed{
			Ref:         d.Ref,
			Name:        d.Name,
			Purpose:     d.Purpose,
			KeywordRefs: d.KeywordRefs,
			Source:      proposal.FromSetup,
			Gate:        r.gate(listening),
		}
		for i, earlier := range members {
			if f.Gate.DuplicateOf == "" && f.Purpose != proposal.ForBrand &&
				sameShare(listening, earlier) >= proposal.FeedDuplicate {
				f.Gate.DuplicateOf = p.Feeds[i].Ref
			}
		}
		f.Visible = len(listening) > 0 && !r.blind() && len(f.Gate.Fails()) == 0
		p.Feeds, members = append(p.Feeds, f), append(members, listening)
	}
	visible := func(f proposal.Feed) bool { return f.Visible && f.Purpose != proposal.ForBrand }
	others := slices.ContainsFunc(p.Feeds, visible)
	for i := range p.Feeds {
		if f := &p.Feeds[i]; f.Purpose == proposal.ForBrand && len(members[i]) > 0 {
			f.Visible = r.blind() || !others || !f.Gate.Noise(scored(members[i]))
		}
	}
	for i := range p.Feeds {
		if f := &p.Feeds[i]; !f.Visible {
			listens := slices.ContainsFunc(f.KeywordRefs, func(ref string) bool { return of[ref].SelectedByDefault })
			tracked := !slices.ContainsFunc(f.KeywordRefs, func(ref string) bool { return !r.tracked(of[ref].Keyword.Keyword) })
			judged := slices.ContainsFunc(
				members[i], func(b *built) bool { return b.Sample != nil && b.Sample.Scored > 0 },
			)
			f.MergedIntoRef = mergeTarget(*f, p.Feeds, r.blind())
			p.Warnings = append(p.Warnings, hiddenFeed(*f, p.Feeds, listens, tracked, judged, r.blind()))
		}
	}
}

// scored counts the sampled posts that some keywords keep.
func scored(of []*built) (posts int) {
	for _, b := range of {
		if b.Sample != nil {
			posts += b.Sample.Scored
		}
	}
	return posts
}

// mergeTarget is the visible feed that takes over what a hidden one would show: the one it repeats, or for one that is
// only too thin, a feed of the same purpose. What is mostly noise, or one subject alone, goes nowhere.
func mergeTarget(f proposal.Feed, feeds []proposal.Feed, blind bool) string {
	if blind {
		return ""
	}
	for _, other := range feeds {
		if !other.Visible || other.Ref == f.Ref {
			continue
		}
		thin := f.Gate.WeeklySample < proposal.FeedWeekly && f.Gate.RelevanceRate >= proposal.FeedRelevance &&
			other.Purpose == f.Purpose
		if other.Ref == f.Gate.DuplicateOf || f.Gate.DuplicateOf == "" && thin {
			return other.Ref
		}
	}
	return ""
}

// sameShare is the share of the sampled posts that some keywords keep which others keep too.
func sameShare(of, others []*built) float64 {
	seen := map[string]bool{}
	for _, b := range others {
		for _, id := range b.ids {
			seen[id] = true
		}
	}
	all, same := 0, 0
	for _, b := range of {
		for _, id := range b.ids {
			if all++; seen[id] {
				same++
			}
		}
	}
	if all < proposal.SampleEnough {
		return 0
	}
	return float64(same) / float64(all)
}
