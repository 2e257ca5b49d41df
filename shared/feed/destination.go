package feed

import (
	"errors"
	"regexp"
	"sync"
	"time"
	_ "time/tzdata" // a Lambda's image has none, and all processes need the same zones
)

// Destination is where a feed's mentions are sent, and how often.
type Destination struct {
	Type         DestinationType
	Frequency    Frequency
	DeliveryMode DeliveryMode
	Time         string // time of day, "09:00", for daily and weekly; otherwise empty
	Timezone     string // of Time, by its IANA name: "Europe/Berlin"; otherwise empty
	DayOfWeek    string // "monday" to "sunday", for weekly; otherwise empty

	Emails   []string // of an EMAIL; nil if not given
	Channels []string // ids, of a SLACK; nil if not given
	URL      string   // of a WEBHOOK; empty if not given
}

// WithDefaults fills in defaults and clears fields that the frequency does not use. It keeps an invalid zone: see
// IsTimezone, by which callers refuse the destination.
func (d Destination) WithDefaults() Destination {
	unless := func(into *string, unsaid string) {
		if *into == "" {
			*into = unsaid
		}
	}
	if d.Frequency == "" {
		d.Frequency = Instant
	}
	if d.DeliveryMode == "" {
		d.DeliveryMode = Batch
	}
	switch d.Frequency {
	case Daily, Weekly:
		unless(&d.Time, "09:00")
		unless(&d.Timezone, "UTC")
	default:
		d.Time = ""
		if IsTimezone(d.Timezone) {
			d.Timezone = ""
		}
	}
	if d.Frequency == Weekly {
		unless(&d.DayOfWeek, "monday")
	} else {
		d.DayOfWeek = ""
	}
	return d
}

// zoneName is the form of the names of zones. Names that an operating system adds, such as "localtime" and
// "posix/Europe/Berlin", have another form.
var zoneName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Z][A-Za-z0-9_+-]{0,30}(/[A-Z][A-Za-z0-9_+-]{0,30}){0,2}$`)
})

// IsTimezone reports whether a name is that of a zone in the IANA's database, in its spelling.
func IsTimezone(name string) bool {
	if name == "Local" || !zoneName().MatchString(name) {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// DestinationType is a kind of destination.
type DestinationType string

// The kinds. A feed has one destination of each at most.
const (
	Email   DestinationType = "EMAIL"
	Slack   DestinationType = "SLACK"
	Webhook DestinationType = "WEBHOOK"
)

// Frequency is how often mentions are sent.
type Frequency string

// The frequencies.
const (
	Instant Frequency = "instant"
	Hourly  Frequency = "hourly"
	Daily   Frequency = "daily"
	Weekly  Frequency = "weekly"
)

// DeliveryMode is how many mentions a message holds.
type DeliveryMode string

// The modes.
const (
	Batch      DeliveryMode = "batch"
	Individual DeliveryMode = "individual"
)

// Channel is a channel of a workspace's Slack.
type Channel struct {
	ID   string // "C024BE91L"
	Name string // without the #
}

// ErrSlackNotConnected means that a workspace has no Slack, or that Slack no longer takes its token.
var ErrSlackNotConnected = errors.New("feed: Slack is not connected")
