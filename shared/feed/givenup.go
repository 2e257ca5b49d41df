package feed

// Words names what goes to destinations of the type, for the middle of a sentence: "webhook", "mail", "Slack message".
func (t DestinationType) Words() string {
	return map[DestinationType]string{Webhook: "webhook", Email: "mail", Slack: "Slack message"}[t]
}

// GivenUp returns why a destination of the type was given up, a sentence. gone means that it will take no more, ever.
// Otherwise it took nothing for five days.
func (t DestinationType) GivenUp(gone bool) string {
	if !gone {
		return "It took nothing for five days."
	}
	return map[DestinationType]string{
		Webhook: "It answered that it wants no more.",
		Email:   "Mail to its addresses bounced for good, or the mail service refuses them.",
		Slack:   "Slack takes nothing for it any more: its channels or the connection are gone.",
	}[t]
}
