package member

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	htmltemplate "html/template"
	texttemplate "text/template"

	"earshot/shared/name"
	"earshot/shared/port/mail"
	"earshot/shared/text"
)

//go:embed invitation.txt.tmpl
var invitationText string

//go:embed invitation.html.tmpl
var invitationHTML string

// maxLetterName is how many characters of a workspace's or an agency's name a mail quotes. A subject has room for two
// names.
const maxLetterName = 80

// letter is the content of an invitation's mail. Strangers chose its names: each becomes one line, and is escaped where
// it must be.
type letter struct {
	Agency     string // the name of the agency that invites; empty: the workspace does
	Workspace  string // the name of the workspace
	SignUpURL  string // empty: the mail says to sign up where the operator said
	Invitation Invitation
}

// said holds the values of the templates.
type said struct{ Subject, From, Join, Role, Email, SignUpURL, Ends string }

func (l letter) said() said {
	says := said{Role: "a member", Email: l.Invitation.Email, SignUpURL: l.SignUpURL,
		Ends: l.Invitation.ExpiresAt.UTC().Format("2 January 2006 at 15:04 UTC")}
	if l.Invitation.Role == Admin {
		says.Role = "an admin"
	}
	agency, workspace := quoted(l.Agency), quoted(l.Workspace)
	switch {
	case agency == "":
		says.From, says.Join = cmp.Or(workspace, "Somebody"), "its workspace"
		says.Subject = says.From + " invites you to Earshot"
	case workspace == "":
		says.From, says.Join = agency, "a workspace"
		says.Subject = agency + " invites you to Earshot"
	default:
		says.From, says.Join = agency, "the workspace "+workspace
		says.Subject = agency + " invites you to " + workspace + " on Earshot"
	}
	return says
}

// quoted returns a name as a mail quotes it: one line without an address, of which a mail program would make a link.
// New names have none; names stored earlier may.
func quoted(shown string) string { return name.Quotable(text.Cut(text.OneLine(shown), maxLetterName)) }

// message returns the mail. It serves this one invitation, so there is no list to unsubscribe from.
func (l letter) message() (mail.Message, error) {
	says := l.said()
	var text, html bytes.Buffer
	plain, err := texttemplate.New("text").Parse(invitationText)
	if err == nil {
		err = plain.Execute(&text, says)
	}
	if err != nil {
		return mail.Message{}, fmt.Errorf("write an invitation: %w", err)
	}
	page, err := htmltemplate.New("html").Parse(invitationHTML)
	if err == nil {
		err = page.Execute(&html, says)
	}
	if err != nil {
		return mail.Message{}, fmt.Errorf("write an invitation: %w", err)
	}
	return mail.Message{To: says.Email, Subject: says.Subject, Text: text.String(), HTML: html.String()}, nil
}
