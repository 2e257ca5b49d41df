package mail

import (
	"fmt"
	netmail "net/mail"
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
)

// Check says what is wrong with a message, as ErrInvalid; nothing of what it holds. Adapters call it before they send.
func Check(message Message) error {
	if fault := faultOf(message); fault != "" {
		return fmt.Errorf("%w: %s", ErrInvalid, fault)
	}
	return nil
}

func faultOf(message Message) string {
	switch {
	case !isAddress(message.To):
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
	}
	return ""
}

// breaksLine says whether a character ends a line, or hides in one. A subject that held a line break could bring headers of its own.
func breaksLine(char rune) bool {
	return unicode.IsControl(char) || char == '\u2028' || char == '\u2029'
}

func isText(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// Mailbox is an address as the headers of a mail have it (RFC 5322, section 3.4.1): a local part that ends in a dot, as some providers give
// out, is no dot-atom and has to be quoted.
func Mailbox(address string) string {
	if local, domain, _ := strings.Cut(address, "@"); strings.HasSuffix(local, ".") {
		return `"` + local + `"@` + domain
	}
	return address
}

// isAddress says whether a text is an address and nothing else, in the part of RFC 5321 that is in use: no name, no comment, no quotes,
// no numeric host; a dot at the end of the local part is in use, too. SES delivers to local parts of ASCII only, and to other domains in their ASCII form.
func isAddress(text string) bool {
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
