// Package deliverystore stores what is delivered to destinations: each delivery with its attempts, what waits at each
// endpoint by when it is due, and the endpoints' health. The rows are the truth; messages of the queue only hurry.
//
// The functions that deliver import it, and the one that shows deliveries.
package deliverystore

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"earshot/shared/alert"
	"earshot/shared/delivery"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Store reads and writes deliveries and endpoints.
type Store struct{ *store.Kernel }

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{k} }

// Kept is how long a delivery can be seen, from its making.
const Kept = 30 * 24 * time.Hour

// maxAttempts is how many attempts a row tells of: the last ones. One that a person resends has more than
// delivery.Attempts.
const maxAttempts = 20

// A Delivery is an event on its way to an endpoint.
type Delivery struct {
	WorkspaceID string
	ID          string // the event's
	Endpoint    delivery.Endpoint
	Type        delivery.Type
	FeedID      int64
	SourceIDs   []string // of its mentions, the first first
	Sequence    int64    // of the first of them, in the feed
	CreatedAt   time.Time
	Digest      *delivery.Digest // of a digest, whose mentions an event of many may tell a part of
	Report      *alert.Report    // of an alert

	State    delivery.State
	Attempts []delivery.Outcome // the last 20, the first first
	Reached  []string           // addresses or channels of the destination that have it already

	revision int64
}

// Addressed reports whether a delivery brings the place where it goes, whatever its owner says by now.
func (d Delivery) Addressed() bool { return d.Report != nil && d.Report.Recipient != nil }

func deliveryKey(orgID, id string) table.Key {
	return table.Key{Partition: rows.Deliveries(orgID), Sort: rows.SortDelivery + id}
}

// dueKey returns the key of the row that names a waiting delivery.
func dueKey(orgID string, to delivery.Endpoint, due time.Time, id string) table.Key {
	return table.Key{Partition: rows.Deliveries(orgID), Sort: dueOf(to) + rows.FromTime(due) + "#" + id}
}

func dueOf(to delivery.Endpoint) string { return rows.SortDue + to.String() + "#" }

// writesAtOnce is how many deliveries are written at the same time.
const writesAtOnce = 16

// AddDeliveries stores new deliveries, each once, however often it is called. WakeEndpoint must be called for their
// endpoints then.
func (s *Store) AddDeliveries(ctx context.Context, all []Delivery) error {
	failed := make([]error, len(all))
	parallel.Few(writesAtOnce, len(all), func(i int) { failed[i] = s.addDelivery(ctx, all[i]) })
	return errors.Join(failed...)
}

func (s *Store) addDelivery(ctx context.Context, d Delivery) error {
	d.revision = 1
	err := s.Table.Put(ctx, table.Put{Table: rows.CoreTable, Item: fromDelivery(d), If: table.Absent()})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		// It is there. The row that names it may be missing, if its writer died.
		was, err := s.Delivery(ctx, d.WorkspaceID, d.ID)
		if err != nil {
			return err
		}
		d = was
	case err != nil:
		return fmt.Errorf("store a delivery: %w", err)
	}
	return s.setDue(ctx, d)
}

// Writes returns the writes of a new delivery, for a transaction that makes it with something else. They name it as due, and
// wake its endpoint.
func (s *Store) Writes(d Delivery) []table.Write {
	d.revision = 1
	writes := []table.Write{table.Put{Table: rows.CoreTable, Item: fromDelivery(d), If: table.Absent()}}
	if d.State.Status != delivery.Pending {
		return writes
	}
	return append(writes, duePut(d), s.waking(d.WorkspaceID, d.Endpoint))
}

func duePut(d Delivery) table.Put {
	key := dueKey(d.WorkspaceID, d.Endpoint, d.State.Due, d.ID)
	return table.Put{Table: rows.CoreTable, Item: table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		table.ExpiryAttribute:    d.CreatedAt.Add(Kept).Unix(),
	}}
}

// setDue stores that a delivery is due, if it is pending.
func (s *Store) setDue(ctx context.Context, d Delivery) error {
	if d.State.Status != delivery.Pending {
		return nil
	}
	if err := s.Table.Put(ctx, duePut(d)); err != nil {
		return fmt.Errorf("store when a delivery is due: %w", err)
	}
	return nil
}

// Delivery reads a delivery. Returns ErrNotFound if there is none.
func (s *Store) Delivery(ctx context.Context, orgID, id string) (Delivery, error) {
	return store.One(ctx, s.Kernel, deliveryKey(orgID, id), toDelivery)
}

// A Query selects deliveries.
type Query struct {
	WorkspaceID string
	After       string // the id behind which to go on; empty: from the newest
	Limit       int
	Owner       *delivery.Owner // nil: any
	FeedID      int64           // 0: any
	Statuses    []delivery.Status
	Since       time.Time // zero: any
}

func (q Query) takes(d Delivery) bool {
	if q.Owner != nil && d.Endpoint.Owner != *q.Owner || q.FeedID != 0 && d.FeedID != q.FeedID {
		return false
	}
	for _, status := range q.Statuses {
		if d.State.Status == status {
			return true
		}
	}
	return len(q.Statuses) == 0
}

// maxPages is how many pages of rows one call reads, each up to a megabyte.
const maxPages = 8

// Deliveries lists deliveries, the newest first. next is where to go on; empty at the end. A page may be short, or
// empty, while more follow.
func (s *Store) Deliveries(ctx context.Context, q Query) (found []Delivery, next string, err error) {
	from := table.Query{
		Table: rows.CoreTable, Partition: rows.Deliveries(q.WorkspaceID), Descending: true, Consistent: true, Limit: 200,
		From: rows.SortDelivery, To: rows.SortDelivery + "~",
	}
	if !q.Since.IsZero() {
		from.From = rows.SortDelivery + delivery.Since(q.Since)
	}
	if q.After != "" {
		from.After = &table.Position{Key: deliveryKey(q.WorkspaceID, q.After)}
	}
	for range maxPages {
		page, err := s.Table.Query(ctx, from)
		if err != nil {
			return nil, "", fmt.Errorf("list deliveries: %w", err)
		}
		for i, item := range page.Items {
			d := toDelivery(item)
			if !q.takes(d) {
				continue
			}
			if found = append(found, d); len(found) == q.Limit {
				if i == len(page.Items)-1 && page.Next == nil {
					return found, "", nil
				}
				return found, d.ID, nil
			}
		}
		if page.Next == nil {
			return found, "", nil
		}
		from.After = page.Next
	}
	return found, strings.TrimPrefix(from.After.Key.Sort, rows.SortDelivery), nil
}

// DueDeliveries lists the deliveries of an endpoint that are due, the longest overdue first, at most limit. It mends
// rows that a writer who died left behind.
func (s *Store) DueDeliveries(
	ctx context.Context, orgID string, to delivery.Endpoint, limit int,
) (due []Delivery, err error) {
	return s.waiting(ctx, orgID, to, rows.FromTime(s.Clock.Now()), limit)
}

// WaitingDeliveries is DueDeliveries for all that wait at an endpoint, whenever they are due.
func (s *Store) WaitingDeliveries(
	ctx context.Context, orgID string, to delivery.Endpoint, limit int,
) (waiting []Delivery, err error) {
	return s.waiting(ctx, orgID, to, "", limit)
}

// waiting lists the deliveries of an endpoint that are due until a time, as rows write it. Empty means whenever.
func (s *Store) waiting(
	ctx context.Context, orgID string, to delivery.Endpoint, until string, limit int,
) (due []Delivery, err error) {
	prefix := dueOf(to)
	query := table.Query{
		Table: rows.CoreTable, Partition: rows.Deliveries(orgID), Consistent: true, Limit: limit,
		From: prefix, To: prefix + until + "~",
	}
	page, err := s.Table.Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("list what waits: %w", err)
	}
	keys := make([]table.Key, len(page.Items))
	for i, item := range page.Items {
		sort := table.KeyOf(item).Sort
		keys[i] = deliveryKey(orgID, sort[strings.LastIndexByte(sort, '#')+1:])
	}
	items, err := s.All(ctx, unique(keys))
	if err != nil {
		return nil, err
	}
	byKey := map[table.Key]table.Item{}
	for _, item := range items {
		if item != nil {
			byKey[table.KeyOf(item)] = item
		}
	}
	for i, row := range page.Items {
		item := byKey[keys[i]]
		d := toDelivery(item)
		if item != nil && d.State.Status == delivery.Pending {
			if dueKey(orgID, d.Endpoint, d.State.Due, d.ID) == table.KeyOf(row) {
				due = append(due, d)
				continue
			}
			if err := s.setDue(ctx, d); err != nil {
				return nil, err
			}
		}
		if err := s.unsetDue(ctx, table.KeyOf(row)); err != nil {
			return nil, err
		}
	}
	return due, nil
}

// unique returns keys, each once.
func unique(keys []table.Key) (once []table.Key) {
	seen := map[table.Key]bool{}
	for _, key := range keys {
		if !seen[key] {
			seen[key] = true
			once = append(once, key)
		}
	}
	return once
}

func (s *Store) unsetDue(ctx context.Context, key table.Key) error {
	if err := s.Table.Delete(ctx, table.Delete{Table: rows.CoreTable, Key: key}); err != nil {
		return fmt.Errorf("take a delivery from those that wait: %w", err)
	}
	return nil
}

// NextDelivery returns when the first delivery that waits at an endpoint is due. ok is false if none waits.
func (s *Store) NextDelivery(ctx context.Context, orgID string, to delivery.Endpoint) (at time.Time, ok bool, err error) {
	prefix := dueOf(to)
	page, err := s.Table.Query(ctx, table.Query{
		Table: rows.CoreTable, Partition: rows.Deliveries(orgID), Prefix: prefix, Consistent: true, Limit: 1,
	})
	if err != nil {
		return time.Time{}, false, fmt.Errorf("look for what is due next: %w", err)
	}
	if len(page.Items) == 0 {
		return time.Time{}, false, nil
	}
	text, _, _ := strings.Cut(strings.TrimPrefix(table.KeyOf(page.Items[0]).Sort, prefix), "#")
	return rows.ToTime(text), true, nil
}

// RecordAttempt stores the outcome of an attempt at a pending delivery, by delivery.State's After, and returns it as it is now.
// Of two that tell of the same delivery at once the first is stored.
func (s *Store) RecordAttempt(ctx context.Context, d Delivery, o delivery.Outcome, random float64) (Delivery, error) {
	after := d
	after.State = d.State.After(o, random)
	after.State.Due = after.State.Due.Truncate(time.Millisecond)
	after.Attempts = append(after.Attempts[:len(after.Attempts):len(after.Attempts)], o)
	return s.saveAttempt(ctx, d, after)
}

// RecordReached stores which addresses or channels have a pending delivery, in the middle of an attempt. The delivery
// stays due when it was. If another one tells of the delivery at once, nothing is stored.
func (s *Store) RecordReached(ctx context.Context, d Delivery) error {
	read := d.revision
	d.revision++
	err := s.Table.Put(ctx, table.Put{
		Table: rows.CoreTable, Item: fromDelivery(d), If: table.Equal(rows.AttrRevision, read),
	})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("store who has a delivery: %w", err)
	}
	return nil
}

// GiveUpDelivery ends a pending delivery without an attempt, because its destination is disabled or gone.
func (s *Store) GiveUpDelivery(ctx context.Context, d Delivery) (Delivery, error) {
	after := d
	after.State.Status, after.State.Due = delivery.Disabled, time.Time{}
	return s.saveAttempt(ctx, d, after)
}

// saveAttempt stores what became of a delivery, then when it is due, and then takes away when it was.
func (s *Store) saveAttempt(ctx context.Context, d, after Delivery) (Delivery, error) {
	after.Attempts = after.Attempts[max(0, len(after.Attempts)-maxAttempts):]
	after.revision = d.revision + 1
	err := s.Table.Put(ctx, table.Put{
		Table: rows.CoreTable, Item: fromDelivery(after), If: table.Equal(rows.AttrRevision, d.revision),
	})
	var failed *table.ConditionFailed
	if errors.As(err, &failed) {
		return s.Delivery(ctx, d.WorkspaceID, d.ID)
	}
	if err != nil {
		return d, fmt.Errorf("store an attempt: %w", err)
	}
	if err := s.setDue(ctx, after); err != nil {
		return d, err
	}
	return after, s.unsetDue(ctx, dueKey(d.WorkspaceID, d.Endpoint, d.State.Due, d.ID))
}

// ResendDelivery makes a delivery due now, whatever became of it, with all its attempts before it. request is its name in
// Repeated of the HTTP kit. may returns why the delivery must not be sent; nil: any may. Returns ErrNotFound, and may's
// error. WakeEndpoint must be called for its endpoint then.
func (s *Store) ResendDelivery(
	ctx context.Context, orgID, id, request string, may func(Delivery) error,
) (d Delivery, err error) {
	var refused error
	err = s.Settle(ctx, "resend a delivery", func() error {
		made, err := s.Made(ctx, orgID, request)
		if err != nil {
			return err
		}
		if d, err = s.Delivery(ctx, orgID, id); err != nil || made != "" {
			return err
		}
		if may != nil {
			if refused = may(d); refused != nil {
				return nil
			}
		}
		after := d
		after.State, after.Reached, after.revision = delivery.First(s.Instant()), nil, d.revision+1
		writes := append([]table.Write{table.Put{
			Table: rows.CoreTable, Item: fromDelivery(after), If: table.Equal(rows.AttrRevision, d.revision),
		}, duePut(after)}, s.Making(orgID, request, id)...) // together: without the second, nobody would find it
		if err := s.Table.Transact(ctx, table.Transaction{Writes: writes}); err != nil {
			return err
		}
		d = after
		return nil
	})
	if err = cmp.Or(err, refused); err != nil {
		return Delivery{}, err
	}
	return d, nil
}

// An Endpoint is what is known of one.
type Endpoint struct {
	WorkspaceID string
	Name        delivery.Endpoint
	Health      delivery.Health
	DueAt       time.Time // when it may be worked on; zero if nothing waits

	claimed  delivery.Health // when it was claimed, or refreshed
	claim    string
	revision int64
}

func endpointKey(orgID string, name delivery.Endpoint) table.Key {
	return table.Key{Partition: rows.Deliveries(orgID), Sort: rows.SortEndpoint + name.String()}
}

// Endpoint reads an endpoint. One that nothing was ever sent to is new.
func (s *Store) Endpoint(ctx context.Context, orgID string, name delivery.Endpoint) (Endpoint, error) {
	item, err := s.Get(ctx, rows.CoreTable, endpointKey(orgID, name))
	if err != nil {
		return Endpoint{}, err
	}
	return toEndpoint(orgID, name, item), nil
}

// Endpoints lists the endpoints of a workspace that something was ever sent to.
func (s *Store) Endpoints(ctx context.Context, orgID string) ([]Endpoint, error) {
	query := table.Query{Partition: rows.Deliveries(orgID), Prefix: rows.SortEndpoint, Consistent: true}
	return store.AllOf(ctx, s.Kernel, "endpoints", query, func(item table.Item) Endpoint {
		name, _ := delivery.ParseEndpoint(table.KeyOf(item).Sort[len(rows.SortEndpoint):])
		return toEndpoint(orgID, name, item)
	})
}

// WakeEndpoint makes an endpoint due: something was added for it.
func (s *Store) WakeEndpoint(ctx context.Context, orgID string, name delivery.Endpoint) error {
	_, err := s.Table.Update(ctx, s.waking(orgID, name))
	if err != nil {
		return fmt.Errorf("wake an endpoint: %w", err)
	}
	return nil
}

func (s *Store) waking(orgID string, name delivery.Endpoint) table.Update {
	return table.Update{
		Table: rows.CoreTable,
		Key:   endpointKey(orgID, name),
		Set: map[string]any{
			rows.AttrWork: rows.WorkEndpoints, rows.AttrDueAt: rows.FromTime(s.Instant()), "org": orgID,
		},
		Add: map[string]int64{rows.AttrRevision: 1},
	}
}

// health are the attributes of an endpoint's health.
var health = []string{"failingSince", "timeOuts", "lastTry", "disabledAt", "gone"}

// EnableEndpoint brings an endpoint back that was given up, and wakes it. One that nothing was ever sent to stays as it is.
func (s *Store) EnableEndpoint(ctx context.Context, orgID string, name delivery.Endpoint) error {
	update := s.waking(orgID, name)
	update.If, update.Remove = table.Present(), health
	_, err := s.Table.Update(ctx, update)
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("enable an endpoint: %w", err)
	}
	return nil
}

// DueEndpoints lists endpoints that may be worked on now, the longest overdue first, at most limit.
func (s *Store) DueEndpoints(ctx context.Context, limit int) (due []Endpoint, err error) {
	items, err := s.DueRows(ctx, rows.WorkEndpoints, limit)
	for _, item := range items {
		name, _ := delivery.ParseEndpoint(table.KeyOf(item).Sort[len(rows.SortEndpoint):])
		due = append(due, toEndpoint(rows.Text(item, "org"), name, item))
	}
	return due, err
}

// ClaimEndpoint takes an endpoint for the time lease, in which nobody else works on it. Returns false if another one does.
func (s *Store) ClaimEndpoint(
	ctx context.Context, orgID string, name delivery.Endpoint, lease time.Duration,
) (Endpoint, bool, error) {
	now, claim := s.Clock.Now(), rand.Text()
	until := rows.FromTime(now.Add(lease))
	item, err := s.Table.Update(ctx, table.Update{
		Table: rows.CoreTable,
		Key:   endpointKey(orgID, name),
		If: table.All(table.Present(), table.Any(
			table.Missing("lease"),
			table.Equal("claim", claim), // a repeat may meet its own claim
			table.Less("lease", rows.FromTime(now.Add(time.Millisecond))),
		)),
		Set: map[string]any{
			"lease": until, "claim": claim, rows.AttrWork: rows.WorkEndpoints, rows.AttrDueAt: until, "org": orgID,
		},
		Add: map[string]int64{rows.AttrRevision: 1},
	})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return Endpoint{}, false, nil
	case err != nil:
		return Endpoint{}, false, fmt.Errorf("claim an endpoint: %w", err)
	}
	return toEndpoint(orgID, name, item), true, nil
}

// ReleaseEndpoint ends a claim, stores the endpoint's health, and makes it due at next; zero: nothing waits. It returns false,
// and does nothing, if something was added since the endpoint was claimed or refreshed, or the claim is over.
func (s *Store) ReleaseEndpoint(ctx context.Context, e Endpoint, next time.Time) (ok bool, err error) {
	update := table.Update{
		Table:  rows.CoreTable,
		Key:    endpointKey(e.WorkspaceID, e.Name),
		If:     table.All(table.Equal("claim", e.claim), table.Equal(rows.AttrRevision, e.revision)),
		Set:    map[string]any{},
		Remove: []string{"lease", "claim"},
		Add:    map[string]int64{rows.AttrRevision: 1},
	}
	kept := table.Item{}
	fromHealth(kept, e.Health)
	for _, name := range health {
		if value, there := kept[name]; there {
			update.Set[name] = value
		} else {
			update.Remove = append(update.Remove, name)
		}
	}
	if next.IsZero() {
		update.Remove = append(update.Remove, rows.AttrWork, rows.AttrDueAt)
	} else {
		update.Set[rows.AttrDueAt] = rows.FromTime(next)
	}
	_, err = s.Table.Update(ctx, update)
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("release an endpoint: %w", err)
	}
	return true, nil
}

// RefreshEndpoint reads whether a claimed endpoint was woken or enabled meanwhile. Its health stays that of the caller, unless a
// person enabled it. mine is false if the claim is over.
func (s *Store) RefreshEndpoint(ctx context.Context, e Endpoint) (refreshed Endpoint, mine bool, err error) {
	now, err := s.Endpoint(ctx, e.WorkspaceID, e.Name)
	if err != nil || now.claim != e.claim || e.claim == "" {
		return e, false, err
	}
	e.revision = now.revision
	if now.Health != e.claimed {
		e.Health, e.claimed = now.Health, now.Health
	}
	return e, true, nil
}

func fromDelivery(d Delivery) table.Item {
	key := deliveryKey(d.WorkspaceID, d.ID)
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		table.ExpiryAttribute:    d.CreatedAt.Add(Kept).Unix(),
		rows.AttrRevision:        d.revision,
		"org":                    d.WorkspaceID,
		"endpoint":               d.Endpoint.String(),
		"type":                   string(d.Type),
		"feedId":                 d.FeedID,
		"sourceIds":              rows.FromTexts(d.SourceIDs),
		"createdAt":              rows.FromTime(d.CreatedAt),
		"status":                 string(d.State.Status),
	}
	rows.Set(item, "sequence", d.Sequence)
	rows.Set(item, "tried", int64(d.State.Tried))
	rows.Set(item, "nextAt", rows.FromTime(d.State.Due))
	if d.Digest != nil {
		item["digest"] = fromJSON(d.Digest)
	}
	if d.Report != nil {
		item["report"] = fromJSON(d.Report)
	}
	if len(d.Reached) > 0 {
		item["reached"] = rows.FromTexts(d.Reached)
	}
	if len(d.Attempts) > 0 {
		attempts := make([]any, len(d.Attempts))
		for i, o := range d.Attempts {
			attempt := table.Item{"at": rows.FromMillis(o.At), "took": o.Took.Milliseconds()}
			rows.Set(attempt, "status", int64(o.Status))
			rows.Set(attempt, "timedOut", o.TimedOut)
			rows.Set(attempt, "reason", o.Reason)
			rows.Set(attempt, "response", o.Response)
			attempts[i] = map[string]any(attempt)
		}
		item["attempts"] = attempts
	}
	return item
}

func toDelivery(item table.Item) Delivery {
	if item == nil {
		return Delivery{}
	}
	d := Delivery{
		WorkspaceID: rows.Text(item, "org"),
		ID:          table.KeyOf(item).Sort[len(rows.SortDelivery):],
		Type:        delivery.Type(rows.Text(item, "type")),
		FeedID:      rows.Integer(item, "feedId"),
		SourceIDs:   rows.Texts(item, "sourceIds"),
		Sequence:    rows.Integer(item, "sequence"),
		CreatedAt:   rows.ToTime(rows.Text(item, "createdAt")),
		State: delivery.State{
			Status: delivery.Status(rows.Text(item, "status")),
			Tried:  int(rows.Integer(item, "tried")),
			Due:    rows.ToTime(rows.Text(item, "nextAt")),
		},
		Reached:  rows.Texts(item, "reached"),
		revision: rows.Integer(item, rows.AttrRevision),
	}
	d.Endpoint, _ = delivery.ParseEndpoint(rows.Text(item, "endpoint"))
	d.Digest = toJSON[delivery.Digest](item, "digest")
	d.Report = toJSON[alert.Report](item, "report")
	for _, one := range rows.List(item, "attempts") {
		attempt, _ := one.(map[string]any)
		timedOut, _ := attempt["timedOut"].(bool)
		d.Attempts = append(d.Attempts, delivery.Outcome{
			At:       rows.ToMillis(rows.Integer(attempt, "at")),
			Took:     time.Duration(rows.Integer(attempt, "took")) * time.Millisecond,
			Status:   int(rows.Integer(attempt, "status")),
			TimedOut: timedOut,
			Reason:   rows.Text(attempt, "reason"),
			Response: rows.Text(attempt, "response"),
		})
	}
	return d
}

// fromJSON writes numbers, times and texts, which have no error.
func fromJSON(value any) []byte {
	text, _ := json.Marshal(value)
	return text
}

// toJSON reads what fromJSON wrote; nil if the attribute is missing.
func toJSON[T any](item table.Item, name string) *T {
	text := rows.Bytes(item, name)
	if len(text) == 0 {
		return nil
	}
	value := new(T)
	_ = json.Unmarshal(text, value) // fromJSON wrote it
	return value
}

func fromHealth(item table.Item, h delivery.Health) {
	rows.Set(item, "failingSince", rows.FromMillis(h.FailingSince))
	rows.Set(item, "timeOuts", int64(h.TimeOuts))
	rows.Set(item, "disabledAt", rows.FromMillis(h.DisabledAt))
	rows.Set(item, "gone", h.Gone)
	if h.TimeOuts > 0 {
		item["lastTry"] = rows.FromMillis(h.LastTry)
	}
}

func toEndpoint(orgID string, name delivery.Endpoint, item table.Item) Endpoint {
	found := delivery.Health{
		FailingSince: rows.ToMillis(rows.Integer(item, "failingSince")),
		TimeOuts:     int(rows.Integer(item, "timeOuts")),
		LastTry:      rows.ToMillis(rows.Integer(item, "lastTry")),
		DisabledAt:   rows.ToMillis(rows.Integer(item, "disabledAt")),
		Gone:         rows.Boolean(item, "gone"),
	}
	return Endpoint{
		WorkspaceID: orgID,
		Name:        name,
		Health:      found,
		claimed:     found,
		DueAt:       rows.DueAt(item),
		claim:       rows.Text(item, "claim"),
		revision:    rows.Integer(item, rows.AttrRevision),
	}
}
