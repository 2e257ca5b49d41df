package organization

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/alert"
	"earshot/shared/alert/hourly"
	"earshot/shared/analytics"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/filter"
	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/store"
	"earshot/shared/store/alertstore"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
	"earshot/shared/workspace/attention"
)

// AttentionStore is the part of the store that the attention operations use: the facts of a workspace, and the
// dismissed items.
type AttentionStore interface {
	analytics.Store
	Usage(ctx context.Context, w workspace.Workspace) (workspacestore.Usage, error)
	Keywords(ctx context.Context, orgID string) ([]keyword.Keyword, error)
	KeywordsMade(ctx context.Context, orgID string) (int64, error)
	LastMentioned(ctx context.Context, orgID string) (map[int64]time.Time, error)
	Tasks(ctx context.Context, orgID string) ([]listenstore.Task, error)
	Feedback(ctx context.Context, orgID string) (mentionstore.FeedbackTotals, error)
	Company(ctx context.Context, orgID string) (workspace.Company, error)
	Keys(ctx context.Context, ownerID string) ([]workspace.Key, error)
	Endpoints(ctx context.Context, orgID string) ([]deliverystore.Endpoint, error)
	// Feed and Notification return store.ErrNotFound if there is none.
	Feed(ctx context.Context, orgID string, id int64) (feed.Feed, error)
	Notification(ctx context.Context, orgID string, id int64) (feed.Notification, error)
	Feeds(ctx context.Context, orgID string) ([]feed.Feed, error)
	Notifications(ctx context.Context, orgID string) ([]feed.Notification, error)
	// Alert returns store.ErrNotFound if there is none.
	Alert(ctx context.Context, orgID string, id int64) (alertstore.Watched, error)
	Alerts(ctx context.Context, orgID string) ([]alertstore.Watched, error)
	Mentions(ctx context.Context, q mentionstore.MentionsQuery) (mentionstore.MentionsPage, error)
	EnableEndpoint(ctx context.Context, orgID string, name delivery.Endpoint) error
	ForgetBounces(ctx context.Context, orgID string, addresses []string) error
	Dismissed(ctx context.Context, orgID string) (map[string]bool, error)
	Dismiss(ctx context.Context, orgID, id string) error
}

type attentive struct {
	store AttentionStore
	clock clock.Clock
}

func registerAttention(api *web.API, o Options) {
	a := attentive{o.Store, o.Clock}
	web.Register(api, web.Operation{
		ID: "listAttention", Method: http.MethodGet, Path: "/api/v2/attention", Group: Group,
		Summary: "List what needs attention",
		Description: "Lists what needs attention in the workspace now, most urgent first. Items report that the " +
			"month's mentions are used up or nearly used up, and that the company profile is missing. They " +
			"report keywords that are missing, all paused, without mentions, or often judged not relevant. They " +
			"also report sources that do not respond, API keys that expire soon, that nobody is told of mentions, and " +
			"destinations that are disabled because they took nothing for days. They report what is new in the figures: " +
			"twice as many mentions in 24 hours as in the weeks before, a share of negative ones in 7 days that is half as " +
			"much again as in the 7 days before, and mentions of the last 7 days by authors with 10,000 followers that " +
			"nobody marked as engaged. A solved item is no longer listed. A dismissed item is listed again when it happens again.",
		Example: AttentionList{Data: []AttentionItem{exampleItem()}},
	}, a.list)
	web.Register(api, web.Operation{
		ID:          "dismissAttention",
		Method:      http.MethodPost,
		Path:        "/api/v2/attention/{id}/dismiss",
		Group:       Group,
		Scope:       workspace.Write,
		Summary:     "Dismiss an attention item",
		Description: "Hides the item for 90 days, or until it happens again. Dismissing it twice has the effect of dismissing it once.",
		Codes:       []problem.Code{problem.AttentionItemNotFound},
		Example:     Dismissed{OK: true},
	}, a.dismiss)
	web.Register(api, web.Operation{
		ID:      "applyAttention",
		Method:  http.MethodPost,
		Path:    "/api/v2/attention/{id}/apply",
		Group:   Group,
		Scope:   workspace.Write,
		Summary: "Do what an attention item proposes",
		Description: "Does what an item proposes whose `action.type` is apply: it enables the disabled destination of a " +
			"`delivery_broken` item, and forgets that its addresses bounced. The item is solved then, and applying it again is ATTENTION_ITEM_NOT_FOUND. " +
			"ATTENTION_ACTION_NOT_APPLY means that the item's action is another. The request has no body.",
		Codes:   []problem.Code{problem.AttentionItemNotFound, problem.AttentionActionNotApply},
		Example: AttentionApplied{OK: true},
	}, a.apply)
}

// AttentionApplied is the response to applying an item.
type AttentionApplied struct {
	OK bool `json:"ok"`
}

// AttentionList lists what needs attention.
type AttentionList struct {
	Data []AttentionItem `json:"data"`
}

// AttentionItem is one thing that needs attention.
type AttentionItem struct {
	ID        string            `json:"id" pattern:"^att_[0-9a-f]{32}$" doc:"Id of the item. It stays the same during one occurrence."`
	Kind      AttentionKind     `json:"kind"`
	Severity  AttentionSeverity `json:"severity"`
	Title     string            `json:"title"`
	Message   string            `json:"message" doc:"The fact and the remedy."`
	Action    AttentionAction   `json:"action"`
	CreatedAt Moment            `json:"createdAt" doc:"When the occurrence began, as far as known."`
}

// AttentionAction is the remedy.
type AttentionAction struct {
	Type string           `json:"type" enum:"open,apply,none" doc:"open: continue with the operation at path. apply: POST to path does what the item proposes. none: no action is needed."`
	Path web.Null[string] `json:"path" doc:"Path of the operation to continue with. Null if type is none."`
}

// AttentionKind is the kind of an item.
type AttentionKind string

// Schema lists the kinds.
func (AttentionKind) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString,
		Enum: namesOf(attention.Kinds(), func(k attention.Kind) string { return string(k) }),
	}
}

// AttentionSeverity is how urgent an item is.
type AttentionSeverity string

// Schema lists the severities.
func (AttentionSeverity) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString,
		Enum: namesOf(attention.Severities(), func(s attention.Severity) string { return string(s) }),
		Description: "critical: nothing is collected. warning: " +
			"something is wrong or soon will be. info: something could be better.",
	}
}

func exampleItem() AttentionItem {
	return AttentionItem{
		ID:       "att_5f2b8c0d9e4a7361c8f05d2e7b9a4c16",
		Kind:     AttentionKind(attention.KeywordSilent),
		Severity: AttentionSeverity(attention.Info),
		Title:    `"northwind" finds nothing`,
		Message: `The keyword "northwind" had no mention in 30 days. Look at its spelling, its additional terms and its platforms: ` +
			`they may ask for too much at once.`,
		Action:    AttentionAction{Type: "open", Path: web.Some("/api/v2/keywords/7")},
		CreatedAt: "2026-11-20T10:15:00.000Z",
	}
}

func fromItem(item attention.Item) AttentionItem {
	return AttentionItem{
		ID:       item.ID,
		Kind:     AttentionKind(item.Kind),
		Severity: AttentionSeverity(item.Severity),
		Title:    item.Title,
		Message:  item.Message,
		Action: AttentionAction{
			Type: string(item.Action.Type),
			Path: web.NullIfEmpty(item.Action.Path),
		},
		CreatedAt: fromTime(item.CreatedAt),
	}
}

func (a attentive) list(ctx context.Context, _ *struct{}) (*AttentionList, error) {
	w := web.CallerOf(ctx).Workspace
	items, err := a.items(ctx, w)
	if err != nil {
		return nil, err
	}
	dismissed, err := a.store.Dismissed(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	list := &AttentionList{Data: []AttentionItem{}}
	for _, item := range items {
		if !dismissed[item.ID] {
			list.Data = append(list.Data, fromItem(item))
		}
	}
	return list, nil
}

// DismissInput names the item to dismiss.
type DismissInput struct {
	ID string `path:"id" minLength:"1" doc:"The item's id." example:"att_5f2b8c0d9e4a7361c8f05d2e7b9a4c16"`
}

// Dismissed is the response to a dismissal.
type Dismissed struct {
	OK bool `json:"ok"`
}

func (a attentive) dismiss(ctx context.Context, in *DismissInput) (*Dismissed, error) {
	w := web.CallerOf(ctx).Workspace
	if !attention.ValidID(in.ID) {
		return nil, unknownItem()
	}
	dismissed, err := a.store.Dismissed(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	if dismissed[in.ID] {
		return &Dismissed{OK: true}, nil
	}
	items, err := a.items(ctx, w)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(items, func(item attention.Item) bool { return item.ID == in.ID }) {
		return nil, unknownItem()
	}
	if err := a.store.Dismiss(ctx, w.ID, in.ID); err != nil {
		return nil, err
	}
	return &Dismissed{OK: true}, nil
}

func unknownItem() error {
	return problem.New(
		problem.AttentionItemNotFound, "No attention item has this id. GET /api/v2/attention lists them.",
	)
}

func (a attentive) apply(ctx context.Context, in *DismissInput) (*AttentionApplied, error) {
	w := web.CallerOf(ctx).Workspace
	items, err := a.items(ctx, w)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(items, func(item attention.Item) bool { return item.ID == in.ID })
	if at < 0 {
		return nil, unknownItem()
	}
	if items[at].Action.Type != attention.Apply {
		return nil, problem.New(
			problem.AttentionActionNotApply,
			"The item has nothing to apply. Its action says what to do: open continues with the operation at its path.",
		)
	}
	to, _ := delivery.ParseEndpoint(items[at].Action.Endpoint)
	if feed.DestinationType(to.Kind) == feed.Email { // else its next mail disables it again
		_, places, err := a.owner(ctx, w.ID, to.Owner)
		for i := 0; err == nil && i < len(places); i++ {
			err = a.store.ForgetBounces(ctx, w.ID, places[i].Emails)
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	if err := a.store.EnableEndpoint(ctx, w.ID, to); err != nil {
		return nil, err
	}
	return &AttentionApplied{OK: true}, nil
}

// items returns the workspace's attention items, dismissed or not.
func (a attentive) items(ctx context.Context, w workspace.Workspace) ([]attention.Item, error) {
	facts, err := a.facts(ctx, w)
	if err != nil {
		return nil, err
	}
	return attention.Items(facts), nil
}

// disabled reads the endpoints that were given up, with the names of their owners. It leaves out those whose owner is
// deleted or has no such destination any more.
func (a attentive) disabled(ctx context.Context, orgID string) (all []attention.Endpoint, err error) {
	endpoints, err := a.store.Endpoints(ctx, orgID)
	if err != nil {
		return nil, err
	}
	for _, e := range endpoints {
		if e.Health.DisabledAt.IsZero() {
			continue
		}
		kind := feed.DestinationType(e.Name.Kind)
		one := attention.Endpoint{
			Name: e.Name.String(), Kind: kind.Words(), Why: kind.GivenUp(e.Health.Gone), Since: e.Health.DisabledAt,
		}
		var places []feed.Destination
		switch one.Owner, places, err = a.owner(ctx, orgID, e.Name.Owner); {
		case errors.Is(err, store.ErrNotFound):
			continue
		case err != nil:
			return nil, err
		}
		if slices.ContainsFunc(places, func(d feed.Destination) bool { return d.Type == kind }) {
			all = append(all, one)
		}
	}
	return all, nil
}

// owner reads the name and the destinations of an owner. Returns store.ErrNotFound if it is deleted.
func (a attentive) owner(ctx context.Context, orgID string, of delivery.Owner) (string, []feed.Destination, error) {
	switch of.Kind {
	case delivery.Notification:
		n, err := a.store.Notification(ctx, orgID, of.ID)
		return n.Name, n.Destinations, err
	case delivery.Alert:
		w, err := a.store.Alert(ctx, orgID, of.ID)
		return w.Name, w.Destinations, err
	}
	f, err := a.store.Feed(ctx, orgID, of.ID)
	return f.Name, f.Destinations, err
}

// told reads whether anybody is told of mentions, and the alerts that were paused.
func (a attentive) told(ctx context.Context, orgID string, f *attention.Facts) (err error) {
	alerts, err := a.store.Alerts(ctx, orgID)
	if err != nil {
		return err
	}
	for _, one := range alerts {
		f.Told = f.Told || one.Enabled && len(one.Destinations) > 0
		if !one.Enabled && one.Paused != "" {
			f.Paused = append(f.Paused, attention.PausedAlert{
				ID: one.ID, Name: one.Name, Feed: one.Paused == alert.FeedDeleted, Since: one.WatchesSince,
			})
		}
	}
	if f.Feeds, err = a.store.Feeds(ctx, orgID); err != nil || len(f.Feeds) == 0 {
		return err
	}
	for _, one := range f.Feeds {
		f.Told = f.Told || len(one.Destinations) > 0
	}
	if f.Told {
		return nil
	}
	notifications, err := a.store.Notifications(ctx, orgID)
	for _, n := range notifications {
		f.Told = f.Told || n.Enabled && len(n.Destinations) > 0
	}
	return err
}

// loudPages is how many pages of the newest mentions are looked through for loud ones.
const loudPages = 3

// figures reads what is new in a workspace's mentions.
func (a attentive) figures(ctx context.Context, orgID string, f *attention.Facts) (err error) {
	relevant, err := hourly.OfFilters(nil)
	if err != nil {
		return err
	}
	from := f.Now.AddDate(0, 0, -attention.SeriesDays)
	if f.Series, err = hourly.Count(ctx, a.store, orgID, relevant, alert.NegativeShare, from, f.Now); err != nil {
		return err
	}
	unanswered, _ := filter.Parse([]byte(`{"engaged":false}`))
	query := mentionstore.MentionsQuery{WorkspaceID: orgID, Limit: mentionstore.MaxMentionsPage}.Narrowed(unanswered)
	query.Start = f.Now.AddDate(0, 0, -7)
	for range loudPages {
		page, err := a.store.Mentions(ctx, query)
		if err != nil {
			return err
		}
		for _, m := range page.Mentions {
			if m.Author != nil && m.AuthorFollowers != nil {
				f.Loud = append(f.Loud, attention.Loud{
					SourceID: m.SourceID, Author: *m.Author, Source: m.Source, Followers: *m.AuthorFollowers, PostedAt: m.PostedAt,
				})
			}
		}
		if query.After = page.Next; page.Next == "" {
			break
		}
	}
	return nil
}

// facts reads the input of the rules, one fact after the other, because nobody waits for this list.
func (a attentive) facts(ctx context.Context, w workspace.Workspace) (f attention.Facts, err error) {
	f = attention.Facts{Workspace: w, Now: a.clock.Now()}
	usage, err := a.store.Usage(ctx, w)
	if err != nil {
		return f, err
	}
	f.Stored, f.Limit, f.ResetAt = usage.Stored, usage.Limit, usage.ResetAt
	if f.Keywords, err = a.store.Keywords(ctx, w.ID); err != nil {
		return f, err
	}
	if len(f.Keywords) == 0 {
		if f.KeywordsMade, err = a.store.KeywordsMade(ctx, w.ID); err != nil {
			return f, err
		}
	}
	if f.Mentioned, err = a.store.LastMentioned(ctx, w.ID); err != nil {
		return f, err
	}
	if f.Disabled, err = a.disabled(ctx, w.ID); err != nil {
		return f, err
	}
	if err := a.told(ctx, w.ID, &f); err != nil {
		return f, err
	}
	if err := a.figures(ctx, w.ID, &f); err != nil {
		return f, err
	}
	for _, of := range []string{w.ID, ""} { // its own, and the sources that are read whole
		tasks, err := a.store.Tasks(ctx, of)
		if err != nil {
			return f, err
		}
		for _, t := range tasks {
			f.Tasks = append(
				f.Tasks, attention.Task{KeywordID: t.KeywordID, Source: t.Source, Failures: t.Failures, Since: t.Since},
			)
		}
	}
	judged, err := a.store.Feedback(ctx, w.ID)
	if err != nil {
		return f, err
	}
	f.Judged = make(map[int64]attention.Judged, len(judged.ByKeyword))
	for id, tally := range judged.ByKeyword {
		f.Judged[id] = attention.Judged(tally)
	}
	if f.Company, err = a.store.Company(ctx, w.ID); err != nil {
		return f, err
	}
	f.Keys, err = a.store.Keys(ctx, w.ID)
	return f, err
}
