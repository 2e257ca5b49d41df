package deliver

import (
	"context"
	"errors"
	"fmt"
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
		came, err := o.makeDigest(ctx, sealed[0])
		if err != nil || came == putOff {
			return err
		}
		if came == unfinished || !enough(ctx) { // the schedule names it too, if the message is lost
			return due.Send(ctx, o.Queue, 0, due.Work{WorkspaceID: orgID, Endpoint: to.String(), Digest: true})
		}
	}
}

// progress is how far a call came with a digest.
type progress int

const (
	ended      progress = iota // its deliveries are stored
	unfinished                 // its mentions are counted in part, and stored so for the next call
	putOff                     // it waits for its summary
)

// makeDigest stores the deliveries of a digest. It ends it last: until then all of it may be done again.
func (o Options) makeDigest(ctx context.Context, of deliverystore.Sealed) (progress, error) {
	f, err := o.Store.Feed(ctx, of.WorkspaceID, of.FeedID)
	if errors.Is(err, store.ErrNotFound) {
		return ended, o.Store.EndDigest(ctx, of, 0)
	}
	if err != nil {
		return ended, err
	}
	place, err := o.placeOf(ctx, of.WorkspaceID, of.Endpoint)
	if err != nil {
		return ended, err
	}
	disabled, err := o.disabled(ctx, of.WorkspaceID)
	if err != nil {
		return ended, err
	}
	summaryID := ""
	if !disabled[of.Endpoint] {
		id, waits, err := o.summaryOf(ctx, of, f, place)
		if err != nil || waits {
			return putOff, err
		}
		summaryID = id
	}
	t, err := tallyOf(of)
	if err != nil {
		return ended, err
	}
	stored := t.After
	all, err := o.count(ctx, of, t)
	if err != nil {
		return ended, err
	}
	// What several events list is stored before them: a call that repeats this one must not list other mentions in them,
	// because some were muted meanwhile.
	several := of.Endpoint.Kind == string(feed.Webhook) && len(t.parts)+len(t.Batches) > 0
	if !all || several && t.After != stored {
		if mine, err := o.leave(ctx, of, t); err != nil || !mine || !all {
			return unfinished, err
		}
	}
	return ended, o.storeDigest(ctx, of, t, place, disabled[of.Endpoint], summaryID)
}

// storeDigest stores the deliveries of a digest whose mentions are counted, and ends it.
func (o Options) storeDigest(
	ctx context.Context, of deliverystore.Sealed, t *tally, place *place, disabled bool, summaryID string,
) (err error) {
	// An event lists all mentions, in parts. A message to people quotes those that weigh the most.
	var parts []deliverystore.Part
	if of.Endpoint.Kind == string(feed.Webhook) && (place == nil || place.destination.Sent() == feed.FormatStandard) {
		if parts, err = o.partsOf(ctx, of, t); err != nil {
			return err
		}
	} else if top := t.heaviest(); t.Figures.Mentions > 0 {
		part := deliverystore.Part{Sequence: top[0].Sequence}
		for _, one := range top {
			part.SourceIDs = append(part.SourceIDs, one.SourceID)
		}
		parts = append(parts, part)
	}
	figures := t.figures(of.Before)
	made := make([]deliverystore.Delivery, len(parts))
	for i, part := range parts {
		state := delivery.First(of.To)
		if disabled {
			state = delivery.State{Status: delivery.Disabled}
		}
		subject := fmt.Sprintf("%s to %s, %d", of.From.Format(time.RFC3339Nano), of.To.Format(time.RFC3339Nano), i+1)
		made[i] = deliverystore.Delivery{
			WorkspaceID: of.WorkspaceID,
			ID:          delivery.ID(of.To, of.WorkspaceID, of.Endpoint.String(), delivery.MentionsDigest, subject),
			Endpoint:    of.Endpoint,
			Type:        delivery.MentionsDigest,
			FeedID:      of.FeedID,
			SourceIDs:   part.SourceIDs,
			Sequence:    part.Sequence,
			CreatedAt:   of.To,
			Digest: &delivery.Digest{
				From: of.From, To: of.To, Part: i + 1, Parts: len(parts), Figures: figures, SummaryID: summaryID,
			},
			State: state,
		}
	}
	if err := o.Store.AddDeliveries(ctx, made); err != nil {
		return err
	}
	worker.Count(ctx, "digests", len(made))
	if len(made) > 0 && !disabled {
		if err := o.Store.WakeEndpoint(ctx, of.WorkspaceID, of.Endpoint); err != nil {
			return err
		}
		work := due.Work{WorkspaceID: of.WorkspaceID, Endpoint: of.Endpoint.String()}
		if err := due.Send(ctx, o.Queue, 0, work); err != nil {
			return err
		}
	}
	return o.Store.EndDigest(ctx, of, figures.Mentions)
}

// byWeight orders mentions for people: by how relevant they are, then by how many have seen or answered them, then the
// newest first.
func byWeight(a, b mention.Mention) int { return byWeighed(weighedOf(a, 0), weighedOf(b, 0)) }

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
