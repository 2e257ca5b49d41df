package delivery

// A Silence says why an address gets no mail.
type Silence string

// The silences. Unsubscribed is of one owner's mails, the others of all mails of a workspace's destinations.
const (
	Unsubscribed Silence = "unsubscribed" // its owner took it away
	Bounced      Silence = "bounced"      // its mail server refused it for good
	Complained   Silence = "complained"   // its owner reported a mail as unwanted
)
