// Package destinationwire holds the wire types of destinations, and checks destinations from a request: their parts,
// Slack's channels and the addresses of webhooks.
//
// The functions alerts and feeds put them into their bodies and responses.
package destinationwire

import (
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/feed"
)

// Destination is where mentions are sent, in bodies and responses. A response has every key.
type Destination struct {
	Type         DestinationType              `json:"type"`
	Frequency    DestinationFrequency         `json:"frequency,omitempty"`
	DeliveryMode DestinationMode              `json:"deliveryMode,omitempty"`
	Time         Nullable[TimeOfDay]          `json:"time,omitzero" doc:"Time of day for daily and weekly. Default: 09:00. Other frequencies ignore it and return null."`
	Timezone     Nullable[string]             `json:"timezone,omitzero" doc:"Time zone of time, by its exact IANA name, such as Europe/Berlin. Default: UTC."`
	DayOfWeek    Nullable[DayOfWeek]          `json:"dayOfWeek,omitzero" doc:"Day for weekly. Default: monday. Other frequencies ignore it and return null."`
	Email        Nullable[EmailDestination]   `json:"emailDestination,omitzero" doc:"The addresses of a destination of the type EMAIL."`
	Slack        Nullable[SlackDestination]   `json:"slackDestination,omitzero" doc:"The channels of a destination of the type SLACK."`
	Webhook      Nullable[WebhookDestination] `json:"webhookDestination,omitzero" doc:"The URL of a destination of the type WEBHOOK."`
	Summary      *bool                        `json:"summary,omitempty" default:"false" doc:"Whether each digest has a summary of what the mentions posted in its interval say, as POST /api/v2/ai/summaries writes it. Only with the frequency weekly."`
}

// EmailDestination holds the addresses of mails.
type EmailDestination struct {
	Emails []EmailAddress `json:"emails" minItems:"1" maxItems:"20" doc:"E-mail addresses. Each may occur once, in any case."`
}

// SlackDestination is which channels messages go to.
type SlackDestination struct {
	Channels []string `json:"channels,omitempty" maxItems:"20" maxLength:"80" doc:"Ids of at least one channel. GET /api/v2/integrations/slack/channels lists them."`
}

// WebhookDestination holds the URL to call, and what it gets.
type WebhookDestination struct {
	URL    string        `json:"url" doc:"An https URL of the public internet, without user or fragment. Its port is 443 or above 1023. It has at most 2,048 characters." example:"https://hooks.example.com/mentions"`
	Format WebhookFormat `json:"format,omitempty"`
}

// DestinationType is a kind of place.
type DestinationType string

// Schema describes the kinds.
func (DestinationType) Schema(huma.Registry) *huma.Schema {
	return oneOf(
		"The type of the destination. It decides which of the three objects the destination has.", "", feed.Email,
		feed.Slack, feed.Webhook,
	)
}

// WebhookFormat is the form of what a webhook gets.
type WebhookFormat string

// Schema describes the formats.
func (WebhookFormat) Schema(huma.Registry) *huma.Schema {
	return oneOf(
		"What the URL gets: a signed event as JSON, or a message in the form of Slack's incoming webhooks, of Discord's "+
			"webhooks, or of a Workflow of Microsoft Teams. Left out, an address of these products gets its own form, "+
			"and any other a signed event.",
		"", feed.FormatStandard, feed.FormatSlack, feed.FormatDiscord, feed.FormatTeams,
	)
}

// DestinationFrequency is how often mentions are sent.
type DestinationFrequency string

// Schema describes the frequencies.
func (DestinationFrequency) Schema(huma.Registry) *huma.Schema {
	return oneOf("How often mentions are sent.", feed.Instant, feed.Instant, feed.Hourly, feed.Daily, feed.Weekly)
}

// DestinationMode is how many mentions a message holds.
type DestinationMode string

// Schema describes the modes.
func (DestinationMode) Schema(huma.Registry) *huma.Schema {
	return oneOf("Whether a message holds all new mentions or one mention.", feed.Batch, feed.Batch, feed.Individual)
}

// DayOfWeek is a day.
type DayOfWeek string

// Schema describes the days.
func (DayOfWeek) Schema(huma.Registry) *huma.Schema {
	return oneOf("", "", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
}

// oneOf describes a text that has one of a few values, and its default.
func oneOf[T ~string](meaning string, unsaid T, values ...T) *huma.Schema {
	schema := &huma.Schema{Type: huma.TypeString, Description: meaning}
	if unsaid != "" {
		schema.Default = string(unsaid)
	}
	for _, value := range values {
		schema.Enum = append(schema.Enum, string(value))
	}
	schema.PrecomputeMessages()
	return schema
}

// TimeOfDay is hours and minutes.
type TimeOfDay string

// Schema describes their form.
func (TimeOfDay) Schema(huma.Registry) *huma.Schema {
	return Patterned(`^([01][0-9]|2[0-3]):[0-5][0-9]$`, "a time of day such as 09:00", 5, "09:00")
}

// EmailAddress is an address that mail can be sent to.
type EmailAddress string

// Schema describes addresses as the description allows them (POST /agency/members/invite), within the bounds of RFC
// 5321, section 4.5.3.1.
func (EmailAddress) Schema(huma.Registry) *huma.Schema {
	return Patterned(
		`^[A-Za-z0-9_'+-]+(\.[A-Za-z0-9_'+-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$`,
		"an e-mail address", 254, "alerts@northwind.example",
	)
}

// Patterned describes a text by a pattern.
func Patterned(pattern, what string, most int, example string) *huma.Schema {
	return &huma.Schema{
		Type:               huma.TypeString,
		MaxLength:          &most,
		Pattern:            pattern,
		PatternDescription: what,
		Examples:           []any{example},
	}
}

// ToDestinations returns destinations with their defaults. Checker reports their faults.
func ToDestinations(given []Destination) []feed.Destination {
	destinations := make([]feed.Destination, len(given))
	for i, d := range given {
		destinations[i] = d.toDomain()
	}
	return destinations
}

// noURL stands for an empty URL, which is given and refused. In the domain, an empty URL is one that is not given.
const noURL = "https:"

func (d Destination) toDomain() feed.Destination {
	to := feed.Destination{
		Type:         feed.DestinationType(d.Type),
		Frequency:    feed.Frequency(d.Frequency),
		DeliveryMode: feed.DeliveryMode(d.DeliveryMode),
		Time:         string(d.Time.OrZero()),
		Timezone:     d.Timezone.OrZero(),
		DayOfWeek:    string(d.DayOfWeek.OrZero()),
		Summary:      d.Summary != nil && *d.Summary,
	}
	if d.Timezone.Value != nil && to.Timezone == "" {
		to.Timezone = " " // no zone either, but a given one
	}
	if d.Email.Value != nil {
		to.Emails = []string{}
		for _, address := range d.Email.Value.Emails {
			same := func(other string) bool { return strings.EqualFold(other, string(address)) }
			if !slices.ContainsFunc(to.Emails, same) {
				to.Emails = append(to.Emails, string(address))
			}
		}
	}
	if d.Slack.Value != nil {
		to.Channels = []string{}
		for _, id := range d.Slack.Value.Channels {
			if !slices.Contains(to.Channels, id) {
				to.Channels = append(to.Channels, id)
			}
		}
	}
	if d.Webhook.Value != nil {
		to.URL, to.Format = d.Webhook.Value.URL, feed.WebhookFormat(d.Webhook.Value.Format)
		if to.URL == "" {
			to.URL = noURL
		}
	}
	return to.WithDefaults()
}

// FromDestinations writes destinations, every key of them.
func FromDestinations(destinations []feed.Destination) []Destination {
	wire := make([]Destination, len(destinations))
	for i, d := range destinations {
		wire[i] = Destination{
			Type:         DestinationType(d.Type),
			Frequency:    DestinationFrequency(d.Frequency),
			DeliveryMode: DestinationMode(d.DeliveryMode),
			Time:         NullIfEmpty(TimeOfDay(d.Time)),
			Timezone:     NullIfEmpty(d.Timezone),
			DayOfWeek:    NullIfEmpty(DayOfWeek(d.DayOfWeek)),
			Email:        Nullable[EmailDestination]{Given: true},
			Slack:        Nullable[SlackDestination]{Given: true},
			Webhook:      Nullable[WebhookDestination]{Given: true},
			Summary:      &d.Summary,
		}
		switch d.Type {
		case feed.Email:
			addresses := make([]EmailAddress, len(d.Emails))
			for j, address := range d.Emails {
				addresses[j] = EmailAddress(address)
			}
			wire[i].Email = Some(EmailDestination{addresses})
		case feed.Slack:
			wire[i].Slack = Some(SlackDestination{d.Channels})
		case feed.Webhook:
			wire[i].Webhook = Some(WebhookDestination{d.URL, WebhookFormat(d.Format)})
		}
	}
	return wire
}
