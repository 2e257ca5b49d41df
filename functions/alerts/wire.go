package alerts

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/alert"
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/store/alertstore"
	"earshot/shared/web"
	"earshot/shared/web/destinationwire"
	"earshot/shared/web/filterwire"
	"earshot/shared/web/workspacewire"
)

// AlertID names an alert.
type AlertID struct {
	ID int64 `path:"id" minimum:"1" maximum:"9007199254740991" doc:"The alert's id."`
}

// CreateAlertInput holds a new alert.
type CreateAlertInput struct{ Body CreateAlert }

// UpdateAlertInput holds a change of an alert.
type UpdateAlertInput struct {
	AlertID
	Body UpdateAlert
}

// CreateAlert is the body that makes an alert.
type CreateAlert struct {
	Name         string                           `json:"name" minLength:"1" maxLength:"100" doc:"Any name. Surrounding space is removed."`
	FeedID       destinationwire.Nullable[FeedID] `json:"feedId,omitzero" doc:"The feed whose mentions are watched. Give it or filters."`
	Filters      filterwire.NullEither            `json:"filters,omitzero" doc:"Selects the mentions that are watched. Give it or feedId."`
	Condition    AlertCondition                   `json:"condition"`
	Destinations []destinationwire.Destination    `json:"destinations,omitempty" maxItems:"20" doc:"Who is told, at once. At most one destination of a type."`
	Remind       alert.Remind                     `json:"remind,omitempty" enum:"never,hourly,daily" default:"never" doc:"How often the message is repeated while the alert is firing."`
	Enabled      *bool                            `json:"enabled,omitempty" default:"true" doc:"Whether the alert is evaluated."`
}

// UpdateAlert is the body that changes an alert. Properties that are not given stay.
type UpdateAlert struct {
	Name         *string                          `json:"name,omitempty" minLength:"1" maxLength:"100" doc:"Any name. Surrounding space is removed."`
	FeedID       destinationwire.Nullable[FeedID] `json:"feedId,omitzero" doc:"Watches a feed, in place of another one or of filters."`
	Filters      filterwire.NullEither            `json:"filters,omitzero" doc:"Watches what the filter takes, in place of another one or of a feed."`
	Condition    *AlertCondition                  `json:"condition,omitempty"`
	Destinations *[]destinationwire.Destination   `json:"destinations,omitempty" maxItems:"20" doc:"Replaces all destinations. At most one of a type."`
	Remind       alert.Remind                     `json:"remind,omitempty" enum:"never,hourly,daily" doc:"How often the message is repeated while the alert is firing."`
	Enabled      *bool                            `json:"enabled,omitempty" doc:"Whether the alert is evaluated."`
}

// AlertCondition says when an alert fires, in bodies and responses. A response has every key.
type AlertCondition struct {
	Metric     alert.Metric                       `json:"metric" enum:"mentions,negative_share,reach,engagement" doc:"The figure that is watched: relevant mentions, the share of negative ones among those with a sentiment, the followers of each hour's authors, or the mentions' counters except views."`
	Comparison alert.Comparison                   `json:"comparison" enum:"above,below,rises_by,falls_by" doc:"How the figure is compared with value. rises_by and falls_by compare it with baseline."`
	Value      float64                            `json:"value" doc:"A count, a share from 0 to 1, or for rises_by and falls_by per cent of the baseline." example:"100"`
	Window     alert.Window                       `json:"window" enum:"1h,6h,24h,7d" doc:"The time that the figure counts. It ends at a full hour of UTC."`
	Baseline   destinationwire.Nullable[Baseline] `json:"baseline,omitzero" doc:"What a rise or fall is measured against: the window just before, or the mean of the same hours 1 to 4 weeks before. Default: previous. null for above and below."`
	Minimum    destinationwire.Nullable[Minimum]  `json:"minimum,omitzero" doc:"With fewer mentions in the window, the alert does not fire. null for no minimum."`
}

// Alert is an alert on the wire.
type Alert struct {
	ID           int64                         `json:"id" minimum:"1" maximum:"9007199254740991" doc:"Unique in the workspace."`
	Name         string                        `json:"name"`
	FeedID       web.Null[int64]               `json:"feedId" doc:"The feed whose mentions are watched. null with filters."`
	Filters      filterwire.NullEither         `json:"filters" doc:"The filter of the mentions that are watched, as it was written. null with a feed."`
	Condition    AlertCondition                `json:"condition"`
	Destinations []destinationwire.Destination `json:"destinations" doc:"Who is told, at once."`
	Remind       string                        `json:"remind" enum:"never,hourly,daily" doc:"How often the message is repeated while the alert is firing."`
	Enabled      bool                          `json:"enabled" doc:"Whether the alert is evaluated."`
	CreatedAt    string                        `json:"createdAt" format:"date-time"`
	UpdatedAt    string                        `json:"updatedAt" format:"date-time"`
	State        AlertState                    `json:"state"`
}

// AlertState is what the evaluations of an alert have come to.
type AlertState struct {
	Firing      bool              `json:"firing"`
	Since       web.Null[string]  `json:"since" format:"date-time" doc:"When the alert began to fire. null unless it is firing."`
	Value       web.Null[float64] `json:"value" doc:"The most extreme figure since then."`
	Baseline    web.Null[float64] `json:"baseline" doc:"The baseline of value. null for above and below."`
	EvaluatedAt web.Null[string]  `json:"evaluatedAt" format:"date-time" doc:"The last evaluation. null before the first one, and after a change of what is watched. It stands still while the alert would read too many rows, as a preview says."`

	PausedBecause web.Null[PauseReason] `json:"pausedBecause" doc:"Why the alert was disabled, if no change of the alert did it: a keyword of its filters was deleted, and they named no other in its place, or its feed was. null otherwise."`
}

// AlertList is all alerts.
type AlertList struct {
	Data []Alert `json:"data"`
}

// AlertDeleted is the response to an alert's deletion.
type AlertDeleted struct {
	OK bool `json:"ok"`
}

// FeedID is the id of a feed.
type FeedID int64

// Schema describes the ids.
func (FeedID) Schema(huma.Registry) *huma.Schema { return integer(1, mention.MaxID) }

// Minimum is a number of mentions.
type Minimum int64

// Schema describes the numbers.
func (Minimum) Schema(huma.Registry) *huma.Schema { return integer(0, alert.MaxValue) }

func integer(least, most float64) *huma.Schema {
	schema := &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &least, Maximum: &most}
	schema.PrecomputeMessages()
	return schema
}

// Baseline is what a rise or a fall is measured against.
type Baseline alert.Baseline

// Schema describes the baselines.
func (Baseline) Schema(huma.Registry) *huma.Schema {
	schema := &huma.Schema{Type: huma.TypeString}
	for _, baseline := range alert.Baseline("").Values() {
		schema.Enum = append(schema.Enum, string(baseline))
	}
	schema.PrecomputeMessages()
	return schema
}

// PauseReason is why an alert was disabled by itself.
type PauseReason alert.Pause

// Schema describes the reasons.
func (PauseReason) Schema(huma.Registry) *huma.Schema {
	schema := &huma.Schema{Type: huma.TypeString, Enum: []any{string(alert.KeywordDeleted), string(alert.FeedDeleted)}}
	schema.PrecomputeMessages()
	return schema
}

// Resolve reports faults that the schema cannot express.
func (c *CreateAlert) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	return slices.Concat(
		watchedFaults(at, c.FeedID, c.Filters, c.Condition),
		workspacewire.NameFaults(at, "name", c.Name),
		frequencyFaults(at, c.Destinations),
	)
}

// Resolve reports faults that the schema cannot express.
func (u *UpdateAlert) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	faults := selectionFaults(at, u.FeedID, u.Filters)
	if u.Condition != nil {
		faults = append(faults, u.Condition.faults(at)...)
	}
	if u.Name != nil {
		faults = append(faults, workspacewire.NameFaults(at, "name", *u.Name)...)
	}
	if u.Destinations != nil {
		faults = append(faults, frequencyFaults(at, *u.Destinations)...)
	}
	return faults
}

// watchedFaults reports what is wrong with what is watched.
func watchedFaults(
	at *huma.PathBuffer, feedID destinationwire.Nullable[FeedID], filters filterwire.NullEither, condition AlertCondition,
) []error {
	faults := append(condition.faults(at), selectionFaults(at, feedID, filters)...)
	if feedID.Value == nil && filters.Either.IsZero() {
		faults = append(
			faults,
			web.Fault(at, "feedId", "required", "An alert watches a feed or a filter. Give feedId or filters"),
		)
	}
	return faults
}

// selectionFaults reports a feed beside a filter, and a filter that is too long.
func selectionFaults(
	at *huma.PathBuffer, feedID destinationwire.Nullable[FeedID], filters filterwire.NullEither,
) (faults []error) {
	if feedID.Value != nil && !filters.Either.IsZero() {
		faults = append(
			faults, web.Fault(at, "filters", "unexpected", "An alert watches a feed or a filter. Leave out feedId or filters"))
	}
	if size := len(filters.JSON()); size > alert.MaxFilters {
		faults = append(faults, web.Fault(
			at, "filters", "too_large", fmt.Sprintf("The filter has %d bytes. Use at most %d", size, alert.MaxFilters)))
	}
	return faults
}

// frequencyFaults reports destinations that are not told at once.
func frequencyFaults(at *huma.PathBuffer, destinations []destinationwire.Destination) (faults []error) {
	for i, d := range destinations {
		if d.Frequency != "" && feed.Frequency(d.Frequency) != feed.Instant {
			faults = append(faults, web.Fault(at, fmt.Sprintf("destinations[%d].frequency", i), "enum",
				"An alert is sent at once. Write instant, or leave the frequency out"))
		}
	}
	return faults
}

// faults reports what is wrong with a condition. Of a property that the schema rejects too, the kit keeps that fault.
func (c AlertCondition) faults(at *huma.PathBuffer) (faults []error) {
	if reflect.ValueOf(c).IsZero() {
		return nil // it is missing, or all of it is
	}
	for _, f := range c.toDomain().Faults() {
		faults = append(faults, web.Fault(at, f.Path, f.Code, strings.TrimSuffix(f.Message, ".")))
	}
	return faults
}

func (c AlertCondition) toDomain() alert.Condition {
	return alert.Condition{
		Metric:     c.Metric,
		Comparison: c.Comparison,
		Value:      c.Value,
		Window:     c.Window,
		Baseline:   alert.Baseline(c.Baseline.OrZero()),
		Minimum:    (*int64)(c.Minimum.Value),
	}.WithDefaults()
}

func fromCondition(c alert.Condition) AlertCondition {
	wire := AlertCondition{
		Metric:     c.Metric,
		Comparison: c.Comparison,
		Value:      c.Value,
		Window:     c.Window,
		Baseline:   destinationwire.NullIfEmpty(Baseline(c.Baseline)),
		Minimum:    destinationwire.Nullable[Minimum]{Given: true},
	}
	if c.Minimum != nil {
		wire.Minimum = destinationwire.Some(Minimum(*c.Minimum))
	}
	return wire
}

// toAlert returns the alert in a body.
func (c CreateAlert) toAlert() alert.Alert {
	made := alert.Alert{
		Name:         strings.TrimSpace(c.Name),
		FeedID:       int64(c.FeedID.OrZero()),
		Filters:      []byte(c.Filters.JSON()),
		Condition:    c.Condition.toDomain(),
		Destinations: destinationwire.ToDestinations(c.Destinations),
		Remind:       c.Remind,
		Enabled:      c.Enabled == nil || *c.Enabled,
	}
	if made.Remind == "" {
		made.Remind = alert.Never
	}
	return made
}

// apply changes an alert. The alert may then watch nothing, which callers refuse.
func (u UpdateAlert) apply(a *alert.Alert) {
	if u.Name != nil {
		a.Name = strings.TrimSpace(*u.Name)
	}
	switch {
	case u.FeedID.Value != nil:
		a.FeedID, a.Filters = int64(*u.FeedID.Value), nil
	case !u.Filters.Either.IsZero():
		a.FeedID, a.Filters = 0, []byte(u.Filters.JSON())
	default:
		if u.FeedID.Given {
			a.FeedID = 0
		}
		if u.Filters.Given {
			a.Filters = nil
		}
	}
	if u.Condition != nil {
		a.Condition = u.Condition.toDomain()
	}
	if u.Destinations != nil {
		a.Destinations = destinationwire.ToDestinations(*u.Destinations)
	}
	if u.Remind != "" {
		a.Remind = u.Remind
	}
	if u.Enabled != nil {
		a.Enabled = *u.Enabled
	}
}

// fromAlert writes an alert.
func fromAlert(a alertstore.Watched) (Alert, error) {
	wire := Alert{
		ID:           a.ID,
		Name:         a.Name,
		FeedID:       web.NullIfEmpty(a.FeedID),
		Filters:      filterwire.NullEither{Given: true},
		Condition:    fromCondition(a.Condition),
		Destinations: destinationwire.FromDestinations(a.Destinations),
		Remind:       string(a.Remind),
		Enabled:      a.Enabled,
		CreatedAt:    web.FormatTime(a.CreatedAt),
		UpdatedAt:    web.FormatTime(a.UpdatedAt),
		State: AlertState{
			Firing:        a.State.Firing,
			EvaluatedAt:   nullTime(a.State.EvaluatedAt),
			PausedBecause: web.NullIfEmpty(PauseReason(a.Paused)),
		},
	}
	if a.State.Firing {
		wire.State.Since = nullTime(a.State.Since)
		wire.State.Value, wire.State.Baseline = web.Some(a.State.Value), web.Null[float64]{Value: a.State.Baseline}
	}
	if len(a.Filters) > 0 {
		if err := wire.Filters.UnmarshalJSON(a.Filters); err != nil {
			return Alert{}, fmt.Errorf("read an alert's filter: %w", err)
		}
	}
	return wire, nil
}

func nullTime(t time.Time) web.Null[string] {
	if t.IsZero() {
		return web.Null[string]{}
	}
	return web.Some(web.FormatTime(t))
}
