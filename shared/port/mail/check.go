package mail

import (
	"fmt"
	netmail "net/mail"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a Message.
const (
	MaxAddress = 254       // characters of an address (RFC 5321, section 4.5.3.1.3, less the brackets)
	maxLocal   = 64        // of them, before the @ (section 4.5.3.1.1)
	MaxSubject = 200       // characters of a subject
	MaxBody    = 256 << 10 // bytes of Text and HTML together

	MaxUnsubscribe = 860 // characters of Unsubscribe: SES takes 870 for a header, with its brackets
	maxWorkspace   = 256 // characters of Workspace: SES takes so many for a tag
)

// Check returns ErrInvalid, and what is wrong, unless the message can be sent. The error does not quote the message.
// Adapters call Check before they send.
func Check(message Message) error {
	if fault := faultOf(message); fault != "" {
		return fmt.Errorf("%w: %s", ErrInvalid, fault)
	}
	return nil
}

func faultOf(message Message) string {
	switch {
	case !IsAddress(message.To):
		return "To is not one address"
	case strings.TrimSpace(message.Subject) == "":
		return "there is no subject"
	case utf8.RuneCountInString(message.Subject) > MaxSubject:
		return fmt.Sprintf("the subject has %d characters", utf8.RuneCountInString(message.Subject))
	case !utf8.ValidString(message.Subject) || strings.ContainsFunc(message.Subject, breaksLine):
		return "the subject is not a line of text"
	case strings.TrimSpace(message.Text) == "":
		return "there is no text"
	case len(message.Text)+len(message.HTML) > MaxBody:
		return fmt.Sprintf("text and HTML have %d bytes", len(message.Text)+len(message.HTML))
	case !isText(message.Text):
		return "the text is not valid text"
	case !isText(message.HTML):
		return "the HTML is not valid text"
	case message.Unsubscribe != "" && !isWebAddress(message.Unsubscribe):
		return "Unsubscribe is not an http or https address"
	case len(message.Workspace) > maxWorkspace || strings.ContainsFunc(message.Workspace, notOfID):
		return "Workspace is not an id"
	}
	return ""
}

// breaksLine reports whether a character ends a line or is invisible. A subject with a line break could add headers.
func breaksLine(char rune) bool {
	return unicode.IsControl(char) || char == '\u2028' || char == '\u2029'
}

func isText(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// Mailbox returns an address as a mail's headers hold it (RFC 5322, section 3.4.1). A local part that ends in a dot, as
// some providers assign, is no dot-atom and gets quotes.
func Mailbox(address string) string {
	if local, domain, _ := strings.Cut(address, "@"); strings.HasSuffix(local, ".") {
		return `"` + local + `"@` + domain
	}
	return address
}

// FromMailbox undoes Mailbox.
func FromMailbox(mailbox string) string {
	if local, domain, quoted := strings.Cut(mailbox, `."@`); quoted && strings.HasPrefix(local, `"`) {
		return local[1:] + ".@" + domain
	}
	return mailbox
}

// IsAddress reports whether a text is an address and nothing else, in the part of RFC 5321 that is in use. It rejects
// names, comments, quotes and numeric hosts. It accepts a dot at the end of the local part, which is in use. SES
// delivers only to ASCII local parts, and to other domains in their ASCII form.
func IsAddress(text string) bool {
	at := strings.LastIndexByte(text, '@')
	if len(text) > MaxAddress || at < 1 || at > maxLocal || strings.ContainsFunc(text, notPlain) {
		return false
	}
	parsed, err := netmail.ParseAddress(Mailbox(text))
	return err == nil && parsed.Name == "" && parsed.Address == text
}

func notPlain(char rune) bool {
	return char <= ' ' || char >= 0x7F || strings.ContainsRune(`"\()<>,;:[]`, char)
}

// isWebAddress reports whether a text is an address of the web that a header can hold in angle brackets.
func isWebAddress(text string) bool {
	if len(text) > MaxUnsubscribe || strings.ContainsFunc(text, func(char rune) bool {
		return char <= ' ' || char >= 0x7F || strings.ContainsRune(`"\<>,`, char)
	}) {
		return false
	}
	parsed, err := url.Parse(text)
	return err == nil && (parsed.Scheme == "https" || parsed.Scheme == "http") && parsed.Host != "" &&
		parsed.User == nil && parsed.Fragment == ""
}

func notOfID(char rune) bool {
	return !(char >= 'a' && char <= 'z' || char >= 'A' && char <= 'Z' || char >= '0' && char <= '9' ||
		char == '_' || char == '-')
}
