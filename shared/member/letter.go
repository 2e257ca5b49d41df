package member

import (
	"bytes"
	_ "embed"
	"fmt"
	htmltemplate "html/template"
	texttemplate "text/template"

	"earshot/shared/port/mail"
)

//go:embed invitation.txt.tmpl
var invitationText string

//go:embed invitation.html.tmpl
var invitationHTML string

// maxSubjectName is how many characters of a workspace's name a mail has.
const maxSubjectName = 80

// A Letter is what the mail of an invitation says.
type Letter struct {
	Workspace  string // the name of who invites, which others chose: it is made one line, and escaped where it must be
	SignUpURL  string // empty: the mail says to sign up where the operator said
	Invitation Invitation
}

// Message writes the mail. It serves this one invitation and nothing else: there is no list to be taken from.
func (l Letter) Message() (mail.Message, error) {
	name := shorten(oneLine(l.Workspace), maxSubjectName)
	if name == "" {
		name = "Somebody"
	}
	said := struct{ Workspace, Subject, Role, Email, SignUpURL, Ends string }{
		Workspace: name, Subject: name + " invites you to Earshot", Role: "a member", Email: l.Invitation.Email, SignUpURL: l.SignUpURL,
		Ends: l.Invitation.ExpiresAt.UTC().Format("2 January 2006 at 15:04 UTC"),
	}
	if l.Invitation.Role == Admin {
		said.Role = "an admin"
	}
	var text, html bytes.Buffer
	plain, err := texttemplate.New("text").Parse(invitationText)
	if err == nil {
		err = plain.Execute(&text, said)
	}
	if err != nil {
		return mail.Message{}, fmt.Errorf("write an invitation: %w", err)
	}
	page, err := htmltemplate.New("html").Parse(invitationHTML)
	if err == nil {
		err = page.Execute(&html, said)
	}
	if err != nil {
		return mail.Message{}, fmt.Errorf("write an invitation: %w", err)
	}
	return mail.Message{To: l.Invitation.Email, Subject: said.Subject, Text: text.String(), HTML: html.String()}, nil
}
