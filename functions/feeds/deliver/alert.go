package deliver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/events/message/due"
	"earshot/shared/alert"
	"earshot/shared/alert/hourly"
	"earshot/shared/analytics"
	"earshot/shared/delivery"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/alertstore"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worker"
)

// How an alert's message finds its top mentions.
const (
	topMentions = 3
	topOf       = 100 // of the newest of the window
	mostPages   = 5   // that are read for them
)

// Alerts are the part of the store that alerts need.
type Alerts interface {
	analytics.Store
	// Alert returns store.ErrNotFound if there is none.
	Alert(ctx context.Context, orgID string, id int64) (alertstore.Watched, error)
	// Evaluated makes what its writes make. Returns store.ErrConflict if the alert changed, or another one evaluated it.
	Evaluated(ctx context.Context, orgID string, id, revision int64, state alert.State, more ...table.Write) error
	// Endings are the episodes that a change or the deletion of an alert ended.
	Endings(ctx context.Context, orgID string, id int64) ([]alert.Ending, error)
	// EndEpisode makes what its writes make. Returns store.ErrConflict if another one ended it.
	EndEpisode(ctx context.Context, orgID string, e alert.Ending, more ...table.Write) error
	Unevaluated(ctx context.Context, orgID string, id, revision int64) error
	// ChangeAlert returns store.ErrNotFound, store.ErrConflict, and the change's own error.
	ChangeAlert(
		ctx context.Context, orgID string, id int64, request string, change func(*alert.Alert) error,
	) (alertstore.Watched, error)
	Mentions(ctx context.Context, q mentionstore.MentionsQuery) (mentionstore.MentionsPage, error)
	// Writes are those of a new delivery, for Evaluated.
	Writes(d deliverystore.Delivery) []table.Write
}

// evaluate ends the episodes of an alert that a change or its deletion ended. Then it evaluates the alert at each whole
// hour since its last evaluation, and tells of what that makes. The state moves in the transaction that stores the
// deliveries, so that each event is made once.
func (o Options) evaluate(ctx context.Context, orgID string, id int64) error {
	if _, err := o.Store.Workspace(ctx, orgID); err != nil {
		return unlessGone(err)
	}
	endings, err := o.Store.Endings(ctx, orgID, id)
	if err != nil {
		return err
	}
	for _, e := range endings {
		if err := o.end(ctx, orgID, e); err != nil {
			return err
		}
	}
	w, err := o.Store.Alert(ctx, orgID, id)
	if err != nil {
		return unlessGone(err)
	}
	first, last, ok := alert.DueEvaluations(w.Alert, w.State, o.Clock.Now())
	if !ok || !w.Enabled {
		return o.Store.Unevaluated(ctx, orgID, id, w.Revision)
	}
	selected, err := o.watched(ctx, orgID, w.Alert)
	if errors.Is(err, errFeedDeleted) {
		worker.Count(ctx, "paused", 1)
		return o.pause(ctx, orgID, w.Alert)
	}
	if errors.Is(err, errUnwatched) {
		worker.Count(ctx, "unwatched", 1)
		return o.Store.Unevaluated(ctx, orgID, id, w.Revision)
	}
	if err != nil {
		return err
	}
	series, err := hourly.Count(
		ctx, o.Store, orgID, selected, w.Condition.Metric, first.Add(-w.Condition.Lookback()), last,
	)
	var over *analytics.OverBudget
	if errors.As(err, &over) || errors.Is(err, analytics.ErrTooManyAuthors) {
		worker.Count(ctx, "uncounted", 1) // a preview says it to who asks
		return o.Store.Unevaluated(ctx, orgID, id, w.Revision)
	}
	if err != nil {
		return err
	}
	state, told := w.State, false
	for at := first; !at.After(last); at = at.Add(time.Hour) {
		evaluation := series.Evaluate(w.Condition, at)
		before, remind := state, w.Remind
		if at.Before(last) || told { // reminders of hours that are made up for would all come now
			remind = alert.Never
		}
		var event alert.Event
		if state, event = alert.Step(state, w.Condition, remind, evaluation); event == alert.None && at.Before(last) {
			continue
		}
		var made []deliverystore.Delivery
		if event != alert.None {
			told = true
			if event == alert.Resolved {
				state.Since = before.Since
			}
			if made, err = o.reports(ctx, orgID, w.Alert, selected, event, state, evaluation); err != nil {
				return err
			}
			worker.Count(ctx, string(event), 1)
		}
		if err := o.store(ctx, orgID, w.Alert, state, made); err != nil {
			if errors.Is(err, store.ErrConflict) {
				return nil // it was changed, or another one evaluated it: it is due again
			}
			return err
		}
	}
	return nil
}

// store stores a state and the deliveries that it makes, and hands their endpoints on.
func (o Options) store(
	ctx context.Context, orgID string, a alert.Alert, state alert.State, made []deliverystore.Delivery,
) error {
	if err := o.Store.Evaluated(ctx, orgID, a.ID, a.Revision, state, o.writes(made)...); err != nil {
		return err
	}
	return o.handOn(ctx, orgID, made)
}

// end tells the destinations of an alert that an episode has ended with its change or deletion. It counts nothing: what
// the alert watched may be gone.
func (o Options) end(ctx context.Context, orgID string, e alert.Ending) error {
	a, s := e.Alert, e.State
	report := alert.Report{
		AlertID: a.ID, Condition: a.Condition, Event: alert.Resolved, Since: s.Since,
		From: s.EvaluatedAt.Add(-time.Duration(a.Condition.Window.Hours()) * time.Hour), To: s.EvaluatedAt,
		Peak: s.Value, Because: e.Because,
	}
	made, err := o.deliveries(ctx, orgID, a, report, nil, e.At, fmt.Sprintf(
		"%s, revision %d, %s", alert.EpisodeID(s.Since), a.Revision, e.Because,
	))
	if err != nil {
		return err
	}
	for i, destination := range a.Destinations {
		own := report
		own.Recipient = &alert.Recipient{Name: a.Name, Destination: destination, Signing: a.Signing}
		made[i].Report = &own
	}
	if err := o.Store.EndEpisode(ctx, orgID, e, o.writes(made)...); err != nil {
		if errors.Is(err, store.ErrConflict) {
			return nil // another one told them
		}
		return err
	}
	worker.Count(ctx, "ended", 1)
	return o.handOn(ctx, orgID, made)
}

// writes returns the writes of new deliveries.
func (o Options) writes(made []deliverystore.Delivery) (writes []table.Write) {
	for _, d := range made {
		writes = append(writes, o.Store.Writes(d)...)
	}
	return writes
}

// handOn hands the endpoints of new deliveries on.
func (o Options) handOn(ctx context.Context, orgID string, made []deliverystore.Delivery) error {
	for _, d := range made {
		if d.State.Status != delivery.Pending {
			continue
		}
		if err := due.Send(ctx, o.Queue, 0, due.Work{WorkspaceID: orgID, Endpoint: d.Endpoint.String()}); err != nil {
			return err
		}
	}
	return nil
}

// pause disables an alert whose feed is deleted, so that it says so, unless it was changed since it was read.
func (o Options) pause(ctx context.Context, orgID string, read alert.Alert) error {
	_, err := o.Store.ChangeAlert(ctx, orgID, read.ID, "", func(a *alert.Alert) error {
		if a.Revision != read.Revision {
			return store.ErrConflict
		}
		a.Enabled, a.Paused = false, alert.FeedDeleted
		return nil
	})
	if errors.Is(err, store.ErrConflict) {
		return nil // it is due again
	}
	return unlessGone(err)
}

var (
	// errFeedDeleted means that an alert's feed is deleted.
	errFeedDeleted = errors.New("deliver: the alert's feed is deleted")
	// errUnwatched means that what an alert watches is no filter any more.
	errUnwatched = errors.New("deliver: the alert watches nothing")
)

// watched returns the filter of the mentions that an alert watches. Returns errFeedDeleted and errUnwatched.
func (o Options) watched(ctx context.Context, orgID string, a alert.Alert) (filter.Filter, error) {
	if a.FeedID == 0 {
		selected, err := hourly.OfFilters(a.Filters)
		if err != nil {
			return selected, errUnwatched
		}
		return selected, nil
	}
	f, err := o.Store.Feed(ctx, orgID, a.FeedID)
	if errors.Is(err, store.ErrNotFound) {
		return filter.Filter{}, errFeedDeleted
	}
	if err != nil {
		return filter.Filter{}, err
	}
	selected, err := hourly.OfFeed(f)
	if err != nil {
		return selected, errUnwatched
	}
	return selected, nil
}

// reports returns the deliveries that tell an alert's destinations of an event.
func (o Options) reports(
	ctx context.Context, orgID string, a alert.Alert, selected filter.Filter,
	event alert.Event, state alert.State, of alert.Evaluation,
) (made []deliverystore.Delivery, err error) {
	if len(a.Destinations) == 0 {
		return nil, nil
	}
	report := alert.Report{
		AlertID: a.ID, Condition: a.Condition, Event: event, Since: state.Since,
		From: of.At.Add(-time.Duration(a.Condition.Window.Hours()) * time.Hour), To: of.At,
		Mentions: of.Mentions, Value: of.Value, Baseline: of.Baseline, Peak: state.Value,
	}
	top, err := o.top(ctx, orgID, selected, report)
	if err != nil {
		return nil, err
	}
	// A condition that was changed fires anew, even at the same hour.
	return o.deliveries(ctx, orgID, a, report, top, of.At, fmt.Sprintf(
		"%s, revision %d, %s at %s", alert.EpisodeID(state.Since), a.Revision, event, alert.EpisodeID(of.At),
	))
}

// deliveries returns those of a report, one for each of the alert's destinations in their order. at and subject tell
// events apart.
func (o Options) deliveries(
	ctx context.Context, orgID string, a alert.Alert, report alert.Report, quoted []string, at time.Time, subject string,
) (made []deliverystore.Delivery, err error) {
	disabled, err := o.disabled(ctx, orgID)
	if err != nil {
		return nil, err
	}
	kind := delivery.AlertFired // and a reminder
	if report.Event == alert.Resolved {
		kind = delivery.AlertResolved
	}
	now := o.Clock.Now().UTC().Truncate(time.Millisecond)
	for _, destination := range a.Destinations {
		to := delivery.Endpoint{Owner: delivery.OfAlert(a.ID), Kind: string(destination.Type)}
		d := deliverystore.Delivery{
			WorkspaceID: orgID, Endpoint: to, Type: kind, FeedID: a.FeedID, SourceIDs: quoted,
			CreatedAt: now, Report: &report, State: delivery.First(now),
			ID: delivery.ID(at, orgID, to.String(), kind, subject),
		}
		if disabled[to] {
			d.State = delivery.State{Status: delivery.Disabled}
		}
		made = append(made, d)
	}
	return made, nil
}

// top returns the mentions of a window that say the most about what the alert watches, by their sourceIds.
func (o Options) top(
	ctx context.Context, orgID string, selected filter.Filter, r alert.Report,
) (sourceIDs []string, err error) {
	query := mentionstore.MentionsQuery{WorkspaceID: orgID, Limit: topOf}.Narrowed(selected)
	query.Start, query.End = r.From, r.To
	var found []mention.Mention
	for range mostPages {
		page, err := o.Store.Mentions(ctx, query)
		if err != nil {
			return nil, err
		}
		found = append(found, page.Mentions...)
		if query.After = page.Next; page.Next == "" || len(found) >= topOf {
			break
		}
	}
	weight := func(m mention.Mention) int64 {
		switch {
		case r.Condition.Metric == alert.NegativeShare && m.Sentiment == mention.Negative:
			return 1
		case r.Condition.Metric == alert.Reach && m.AuthorFollowers != nil:
			return *m.AuthorFollowers
		case r.Condition.Metric == alert.Engagement:
			return heard(m)
		}
		return 0
	}
	slices.SortStableFunc(found, func(a, b mention.Mention) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), byWeight(a, b))
	})
	for _, m := range found[:min(len(found), topMentions)] {
		sourceIDs = append(sourceIDs, m.SourceID)
	}
	return sourceIDs, nil
}
