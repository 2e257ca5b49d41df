package deliver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/events/message/due"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/feed/audience"
	"earshot/shared/mention"
	"earshot/shared/store"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worker"
)

// perEvent is how many mentions an event of a digest lists. An interval with more has several events.
const perEvent = 50

// gather adds an announcement's mentions to the intervals of the destinations that get digests.
func (o Options) gather(ctx context.Context, a mentionstore.Announcement, listens *audience.Audience) error {
	shown, order := shownBy(a)
	for _, feedID := range order {
		for _, place := range listens.Places(feedID) {
			if !place.Destination.Digests() {
				continue
			}
			err := o.Store.Gather(ctx, deliverystore.Gathered{
				WorkspaceID: a.WorkspaceID, Endpoint: endpointOf(place), FeedID: feedID, Destination: place.Destination,
				Announcement: a.ID, At: a.At, SourceIDs: shown[feedID], Sequence: a.First[feedID],
			})
			if err != nil {
				return err
			}
			worker.Count(ctx, "gathered", len(shown[feedID]))
		}
	}
	return nil
}

// digest makes the digests of an endpoint's intervals that are over.
func (o Options) digest(ctx context.Context, orgID string, to delivery.Endpoint) error {
	if _, err := o.Store.Workspace(ctx, orgID); err != nil {
		return unlessGone(err)
	}
	err := o.Store.SealDigest(ctx, orgID, to)
	if errors.Is(err, deliverystore.ErrEarlier) {
		if err = o.expand(ctx, orgID); err == nil {
			err = o.Store.SealDigest(ctx, orgID, to)
		}
	}
	if err != nil && !errors.Is(err, deliverystore.ErrEarlier) { // those who store still: the schedule names it again
		return err
	}
	for {
		// Each is told of the one before it, so they are read again.
		sealed, err := o.Store.SealedDigests(ctx, orgID, to)
		if err != nil || len(sealed) == 0 {
			return err
		}
		if err := o.makeDigest(ctx, sealed[0]); err != nil {
			return err
		}
	}
}

// A gathered mention is one of an interval, with its number in the feed.
type gathered struct {
	mention.Mention
	sequence int64
}

// makeDigest stores the deliveries of a digest. It ends it last: until then all of it may be done again.
func (o Options) makeDigest(ctx context.Context, of deliverystore.Sealed) error {
	_, err := o.Store.Feed(ctx, of.WorkspaceID, of.FeedID)
	if errors.Is(err, store.ErrNotFound) {
		return o.Store.EndDigest(ctx, of, 0)
	}
	if err != nil {
		return err
	}
	place, err := o.placeOf(ctx, of.WorkspaceID, of.Endpoint)
	if err != nil {
		return err
	}
	disabled, err := o.disabled(ctx, of.WorkspaceID)
	if err != nil {
		return err
	}
	all, err := o.gathered(ctx, of)
	if err != nil {
		return err
	}
	mentions := make([]mention.Mention, len(all))
	for i, one := range all {
		mentions[i] = one.Mention
	}
	figures := figuresOf(mentions)
	figures.Before = of.Before
	// An event lists all mentions, in parts. A message to people quotes those that weigh the most.
	parts := slices.Collect(slices.Chunk(all, perEvent))
	events := of.Endpoint.Kind == string(feed.Webhook) && (place == nil || place.destination.Sent() == feed.FormatStandard)
	if !events && len(all) > 0 {
		slices.SortStableFunc(all, byWeight)
		parts = [][]gathered{all[:min(len(all), perLetter)]}
	}
	made := make([]deliverystore.Delivery, len(parts))
	for i, part := range parts {
		state := delivery.First(of.To)
		if disabled[of.Endpoint] {
			state = delivery.State{Status: delivery.Disabled}
		}
		subject := fmt.Sprintf("%s to %s, %d", of.From.Format(time.RFC3339Nano), of.To.Format(time.RFC3339Nano), i+1)
		made[i] = deliverystore.Delivery{
			WorkspaceID: of.WorkspaceID,
			ID:          delivery.ID(of.To, of.WorkspaceID, of.Endpoint.String(), delivery.MentionsDigest, subject),
			Endpoint:    of.Endpoint,
			Type:        delivery.MentionsDigest,
			FeedID:      of.FeedID,
			Sequence:    part[0].sequence,
			CreatedAt:   of.To,
			Digest:      &delivery.Digest{From: of.From, To: of.To, Part: i + 1, Parts: len(parts), Figures: figures},
			State:       state,
		}
		for _, one := range part {
			made[i].SourceIDs = append(made[i].SourceIDs, one.SourceID)
		}
	}
	if err := o.Store.AddDeliveries(ctx, made); err != nil {
		return err
	}
	worker.Count(ctx, "digests", len(made))
	if len(made) > 0 && !disabled[of.Endpoint] {
		if err := o.Store.WakeEndpoint(ctx, of.WorkspaceID, of.Endpoint); err != nil {
			return err
		}
		work := due.Work{WorkspaceID: of.WorkspaceID, Endpoint: of.Endpoint.String()}
		if err := due.Send(ctx, o.Queue, 0, work); err != nil {
			return err
		}
	}
	return o.Store.EndDigest(ctx, of, len(all))
}

// gathered reads the mentions of an interval, in the order in which they were found, without those that are deleted, or
// no longer relevant.
func (o Options) gathered(ctx context.Context, of deliverystore.Sealed) (all []gathered, err error) {
	err = o.Store.GatheredMentions(ctx, of, func(sourceIDs []string, sequence int64) error {
		found, err := o.Store.ToldMentions(ctx, of.WorkspaceID, sourceIDs)
		if err != nil {
			return err
		}
		for _, m := range found {
			if m.Relevant {
				m.Title, m.Body, m.Vector = nil, nil, nil // there may be many
				all = append(all, gathered{m, sequence + int64(slices.Index(sourceIDs, m.SourceID))})
			}
		}
		return nil
	})
	return all, err
}

// byWeight orders mentions for people: by how relevant they are, then by how many have seen or answered them, then the
// newest first.
func byWeight(a, b gathered) int {
	return cmp.Or(
		cmp.Compare(relevance(b.Mention), relevance(a.Mention)),
		cmp.Compare(heard(b.Mention), heard(a.Mention)),
		b.PostedAt.Compare(a.PostedAt),
	)
}

// relevance returns a number that is the higher, the more relevant the judge found the mention; 0 if it did not judge it.
func relevance(m mention.Mention) int {
	if m.RelevanceScore == nil {
		return 0
	}
	return int(mention.Low - *m.RelevanceScore)
}

func heard(m mention.Mention) (n int64) {
	for _, count := range m.Engagement {
		n += count
	}
	return n
}

// figuresOf counts mentions. A mention of several keywords counts for each.
func figuresOf(all []mention.Mention) delivery.Figures {
	f := delivery.Figures{Mentions: len(all)}
	byID := map[int64]*delivery.KeywordFigure{}
	for _, m := range all {
		switch m.Sentiment {
		case mention.Positive:
			f.Positive++
		case mention.Negative:
			f.Negative++
		case mention.Neutral:
			f.Neutral++
		}
		for _, k := range m.Keywords {
			if byID[k.ID] == nil {
				byID[k.ID] = &delivery.KeywordFigure{ID: k.ID, Text: k.Text}
			}
			byID[k.ID].Mentions++
		}
	}
	for _, k := range byID {
		f.Keywords = append(f.Keywords, *k)
	}
	slices.SortFunc(f.Keywords, func(a, b delivery.KeywordFigure) int {
		return cmp.Or(cmp.Compare(b.Mentions, a.Mentions), cmp.Compare(a.ID, b.ID))
	})
	f.Keywords = f.Keywords[:min(len(f.Keywords), delivery.MaxKeywordFigures)]
	return f
}
