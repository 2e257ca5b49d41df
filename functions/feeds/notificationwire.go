package feeds

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/feed"
	"earshot/shared/web"
	"earshot/shared/web/destinationwire"
	"earshot/shared/web/workspacewire"
)

// NotificationID names a notification.
type NotificationID struct {
	ID int64 `path:"id" minimum:"1" maximum:"9007199254740991" doc:"The notification's id."`
}

// CreateNotificationInput holds a new notification.
type CreateNotificationInput struct{ Body CreateNotification }

// UpdateNotificationInput holds a change of a notification.
type UpdateNotificationInput struct {
	NotificationID
	Body UpdateNotification
}

// CreateNotification is the body that makes a notification.
type CreateNotification struct {
	Name         string                                     `json:"name" minLength:"1" maxLength:"100" doc:"Any name. Surrounding space is removed."`
	FeedID       int64                                      `json:"feedId" minimum:"1" maximum:"9007199254740991" doc:"The feed whose mentions are sent."`
	Destinations []destinationwire.Destination              `json:"destinations,omitempty" maxItems:"20" doc:"Where the mentions are sent. At most one destination of a type."`
	FeedIndex    destinationwire.Nullable[DestinationIndex] `json:"feedDestinationIndex,omitzero" doc:"Index of one of the feed's destinations, from 0. Use it instead of destinations."`
	Enabled      *bool                                      `json:"enabled,omitempty" default:"true" doc:"Whether the mentions are sent."`
}

// UpdateNotification is the body that changes a notification. Properties that are not given stay.
type UpdateNotification struct {
	Name         *string                                    `json:"name,omitempty" minLength:"1" maxLength:"100" doc:"Any name. Surrounding space is removed."`
	FeedID       *int64                                     `json:"feedId,omitempty" minimum:"1" maximum:"9007199254740991" doc:"The feed whose mentions are sent."`
	Destinations *[]destinationwire.Destination             `json:"destinations,omitempty" maxItems:"20" doc:"Replaces all destinations. At most one of a type."`
	FeedIndex    destinationwire.Nullable[DestinationIndex] `json:"feedDestinationIndex,omitzero" doc:"Index of one of the feed's destinations, from 0. Use it instead of destinations."`
	Enabled      *bool                                      `json:"enabled,omitempty" doc:"Whether the mentions are sent."`
}

// Notification is a notification on the wire.
type Notification struct {
	ID           int64                                      `json:"id" minimum:"1" maximum:"9007199254740991" doc:"Unique in the workspace."`
	Name         string                                     `json:"name"`
	FeedID       int64                                      `json:"feedId" minimum:"1" maximum:"9007199254740991" doc:"The feed whose mentions are sent."`
	Destinations []destinationwire.Destination              `json:"destinations" doc:"Where the mentions are sent."`
	FeedIndex    destinationwire.Nullable[DestinationIndex] `json:"feedDestinationIndex" doc:"Index of one of the feed's destinations, from 0. Use it instead of destinations."`
	Enabled      bool                                       `json:"enabled" doc:"Whether the mentions are sent."`
	CreatedAt    string                                     `json:"createdAt" format:"date-time"`
	UpdatedAt    string                                     `json:"updatedAt" format:"date-time"`
}

// NotificationList is all notifications.
type NotificationList struct {
	Data []Notification `json:"data"`
}

// NotificationDeleted is the response to a notification's deletion.
type NotificationDeleted struct {
	OK bool `json:"ok"`
}

// DestinationIndex is a place among a feed's destinations, from 0.
type DestinationIndex int64

// Schema describes the places.
func (DestinationIndex) Schema(huma.Registry) *huma.Schema {
	least, most := 0.0, float64(1<<53-1)
	schema := &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &least, Maximum: &most}
	schema.PrecomputeMessages()
	return schema
}

// toIndex returns the given index; nil for none.
func toIndex(given destinationwire.Nullable[DestinationIndex]) *int {
	if given.Value == nil {
		return nil
	}
	at := int(*given.Value)
	return &at
}

// Resolve reports faults that the schema cannot express.
func (c *CreateNotification) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	return workspacewire.NameFaults(at, "name", c.Name)
}

// Resolve reports faults that the schema cannot express.
func (u *UpdateNotification) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	if u.Name == nil {
		return nil
	}
	return workspacewire.NameFaults(at, "name", *u.Name)
}

// apply changes a notification.
func (u UpdateNotification) apply(one *feed.Notification) {
	if u.Name != nil {
		one.Name = strings.TrimSpace(*u.Name)
	}
	if u.FeedID != nil {
		one.FeedID = *u.FeedID
	}
	if u.Destinations != nil {
		one.Destinations = destinationwire.ToDestinations(*u.Destinations)
	}
	if u.FeedIndex.Given {
		one.FeedIndex = toIndex(u.FeedIndex)
	}
	if u.Enabled != nil {
		one.Enabled = *u.Enabled
	}
}

// fromNotification writes a notification.
func fromNotification(n feed.Notification) Notification {
	wire := Notification{
		ID:           n.ID,
		Name:         n.Name,
		FeedID:       n.FeedID,
		Destinations: destinationwire.FromDestinations(n.Destinations),
		Enabled:      n.Enabled,
		FeedIndex: destinationwire.Nullable[DestinationIndex]{
			Given: true,
		},
		CreatedAt: web.FormatTime(n.CreatedAt),
		UpdatedAt: web.FormatTime(n.UpdatedAt),
	}
	if n.FeedIndex != nil {
		wire.FeedIndex = destinationwire.Some(DestinationIndex(*n.FeedIndex))
	}
	return wire
}

// notificationExample returns the document's example.
func notificationExample() Notification {
	return Notification{
		ID:           3,
		Name:         "Launch alerts",
		FeedID:       1,
		Destinations: []destinationwire.Destination{},
		FeedIndex:    destinationwire.Some(DestinationIndex(0)),
		Enabled:      true,
		CreatedAt:    "2026-11-20T10:15:00.000Z",
		UpdatedAt:    "2026-11-20T10:15:00.000Z",
	}
}
