package delivery

import (
	"strconv"
	"strings"
)

// An Owner is the feed or the notification whose destinations are told. Its form is "feed/7" or "notification/7".
type Owner struct {
	Notification bool // else it is a feed
	ID           int64
}

// OfFeed returns the owner of a feed's own destinations.
func OfFeed(id int64) Owner { return Owner{ID: id} }

// OfNotification returns the owner of a notification's own destinations.
func OfNotification(id int64) Owner { return Owner{Notification: true, ID: id} }

func (o Owner) String() string {
	kind := "feed/"
	if o.Notification {
		kind = "notification/"
	}
	return kind + strconv.FormatInt(o.ID, 10)
}

// ParseOwner reads what String wrote.
func ParseOwner(text string) (o Owner, ok bool) {
	kind, number, _ := strings.Cut(text, "/")
	id, err := strconv.ParseInt(number, 10, 64)
	o = Owner{Notification: kind == "notification", ID: id}
	return o, err == nil && o.String() == text
}
