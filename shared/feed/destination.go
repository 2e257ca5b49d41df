package feed

import "errors"

// A Destination is where a feed's mentions are sent, and how often.
type Destination struct {
	Type         DestinationType
	Frequency    Frequency
	DeliveryMode DeliveryMode
	Time         string // of day, "09:00", for daily and weekly; empty for others
	Timezone     string // of Time, by the IANA's names: "Europe/Berlin"
	DayOfWeek    string // "monday" to "sunday", for weekly; empty for others

	Emails   []string // of an EMAIL
	Channels []string // ids, of a SLACK
	URL      string   // of a WEBHOOK
}

// A DestinationType is a kind of place.
type DestinationType string

// The kinds. A feed has one destination of each at most.
const (
	Email   DestinationType = "EMAIL"
	Slack   DestinationType = "SLACK"
	Webhook DestinationType = "WEBHOOK"
)

// A Frequency is how often mentions are sent.
type Frequency string

// The frequencies.
const (
	Instant Frequency = "instant"
	Hourly  Frequency = "hourly"
	Daily   Frequency = "daily"
	Weekly  Frequency = "weekly"
)

// A DeliveryMode is how many mentions a message holds.
type DeliveryMode string

// The modes.
const (
	Batch      DeliveryMode = "batch"
	Individual DeliveryMode = "individual"
)

// A Channel is a channel of a workspace's Slack.
type Channel struct {
	ID   string // "C024BE91L"
	Name string // without the #
}

// ErrSlackNotConnected means that a workspace has no Slack, or that Slack no longer takes its token.
var ErrSlackNotConnected = errors.New("feed: Slack is not connected")
