package delivery

import (
	"slices"
	"strconv"
	"strings"
)

// An Owner is the feed, the notification or the alert whose destinations are told. Its form is "feed/7",
// "notification/7" or "alert/7".
type Owner struct {
	Kind OwnerKind
	ID   int64
}

// An OwnerKind is what an owner is.
type OwnerKind string

// The kinds of owners.
const (
	Feed         OwnerKind = "feed"
	Notification OwnerKind = "notification"
	Alert        OwnerKind = "alert"
)

// Values lists the kinds.
func (OwnerKind) Values() []OwnerKind { return []OwnerKind{Feed, Notification, Alert} }

// OfFeed returns the owner of a feed's own destinations.
func OfFeed(id int64) Owner { return Owner{Feed, id} }

// OfNotification returns the owner of a notification's own destinations.
func OfNotification(id int64) Owner { return Owner{Notification, id} }

// OfAlert returns the owner of an alert's destinations.
func OfAlert(id int64) Owner { return Owner{Alert, id} }

func (o Owner) String() string { return string(o.Kind) + "/" + strconv.FormatInt(o.ID, 10) }

// ParseOwner reads what String wrote.
func ParseOwner(text string) (o Owner, ok bool) {
	kind, number, _ := strings.Cut(text, "/")
	id, err := strconv.ParseInt(number, 10, 64)
	o = Owner{OwnerKind(kind), id}
	return o, err == nil && slices.Contains(o.Kind.Values(), o.Kind) && o.String() == text
}
