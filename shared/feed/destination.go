package feed

import (
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
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

	Format WebhookFormat // of a WEBHOOK; empty for what its URL asks for: see Sent

	Summary bool // whether a digest says what its mentions say; for weekly only
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
	if name == "" || name == "Local" || !zoneName().MatchString(name) {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// Removed returns what a list of destinations had and another one no longer has. A destination that lost addresses or
// channels is in it with these alone. One whose frequency or format differs is not removed.
func Removed(had, has []Destination) (removed []Destination) {
	for _, d := range had {
		left := Destination{}
		if i := slices.IndexFunc(has, func(other Destination) bool { return other.Type == d.Type }); i >= 0 {
			left = has[i]
		}
		d.Emails = slices.DeleteFunc(slices.Clone(d.Emails), func(address string) bool {
			return slices.ContainsFunc(left.Emails, func(other string) bool { return strings.EqualFold(address, other) })
		})
		d.Channels = slices.DeleteFunc(slices.Clone(d.Channels), func(id string) bool {
			return slices.Contains(left.Channels, id)
		})
		if d.URL == left.URL {
			d.URL = ""
		}
		if len(d.Emails) > 0 || len(d.Channels) > 0 || d.URL != "" {
			removed = append(removed, d)
		}
	}
	return removed
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

// WebhookFormat is the form of what a webhook gets.
type WebhookFormat string

// The formats. A standard event is signed JSON; the others are messages of these products.
const (
	FormatStandard WebhookFormat = "standard"
	FormatSlack    WebhookFormat = "slack"
	FormatDiscord  WebhookFormat = "discord"
	FormatTeams    WebhookFormat = "teams"
)

// chatHosts are the hosts of products' webhooks. An entry that begins with a dot is a domain.
var chatHosts = map[WebhookFormat][]string{
	FormatSlack:   {"hooks.slack.com", "hooks.slack-gov.com"},
	FormatDiscord: {"discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"},
	// Workflows; the connectors of before are being retired.
	FormatTeams: {".logic.azure.com", ".api.powerplatform.com"},
}

// Sent returns the format of what a WEBHOOK gets: the one that was given, or that of the product which its URL belongs to.
func (d Destination) Sent() WebhookFormat {
	if d.Format != "" {
		return d.Format
	}
	parsed, err := url.Parse(d.URL)
	if err != nil {
		return FormatStandard
	}
	host := strings.TrimSuffix(strings.ToLower(parsed.Hostname()), ".")
	for format, hosts := range chatHosts {
		for _, known := range hosts {
			if host == known || known[0] == '.' && strings.HasSuffix(host, known) {
				return format
			}
		}
	}
	return FormatStandard
}

// Channel is a channel of a workspace's Slack.
type Channel struct {
	ID   string // "C024BE91L"
	Name string // without the #
}

// A SlackMessage is a message to a channel.
type SlackMessage struct {
	Text   string          // what notifications show, with Slack's escapes
	Blocks json.RawMessage // Block Kit, a list
}

// ErrSlackNotConnected means that a workspace has no Slack, or that Slack no longer takes its token.
var ErrSlackNotConnected = errors.New("feed: Slack is not connected")

// SlackRefusal is the error of a connection that Slack did not make. Its reason says what to do, in Earshot's own words.
type SlackRefusal struct {
	Reason string // sentences
}

func (r *SlackRefusal) Error() string { return "feed: Slack is not connected: " + r.Reason }

// ErrNoSlackApp means that the deployment has no app at Slack, with which workspaces could connect.
var ErrNoSlackApp = errors.New("feed: the deployment has no Slack app")
