package queue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// Check returns ErrTooLarge, and what is wrong, for the first message that breaks a bound. The error does not quote the
// message. Adapters call Check before they send.
func Check(messages ...Message) error {
	for i, message := range messages {
		if fault := faultOf(message); fault != "" {
			return fmt.Errorf("%w: message %d of %d: %s", ErrTooLarge, i+1, len(messages), fault)
		}
	}
	return nil
}

func faultOf(message Message) string {
	switch body, delay := message.Body, message.Delay; {
	case len(body) == 0:
		return "it is empty"
	case len(body) > MaxBody:
		return fmt.Sprintf("it has %d bytes", len(body))
	case delay < 0 || delay > MaxDelay || delay%time.Second != 0:
		return fmt.Sprintf("its delay is %v", delay)
	}
	for rest := message.Body; len(rest) > 0; {
		char, size := utf8.DecodeRune(rest)
		if char == utf8.RuneError && size == 1 {
			return fmt.Sprintf("byte %d is not UTF-8", len(message.Body)-len(rest))
		}
		if !allowed(char) {
			return fmt.Sprintf("byte %d begins the character %U", len(message.Body)-len(rest), char)
		}
		rest = rest[size:]
	}
	return ""
}

// allowed reports whether a character is a Char of XML 1.0. SQS accepts no other: it refuses the message or, worse,
// replaces the character by U+FFFD (API reference of SendMessage).
func allowed(char rune) bool {
	return char == '\t' || char == '\n' || char == '\r' ||
		char >= 0x20 && char <= 0xD7FF || char >= 0xE000 && char <= 0xFFFD || char >= 0x10000
}

// JSON returns a body that holds the value in JSON. Unlike the result of json.Marshal it can always be sent unless it
// is too large: U+FFFE and U+FFFF, which post text may hold, are escaped too.
func JSON(value any) ([]byte, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("queue: write a body: %w", err)
	}
	// They can only be within a string.
	body = bytes.ReplaceAll(body, []byte("\uFFFE"), []byte(`\ufffe`))
	return bytes.ReplaceAll(body, []byte("\uFFFF"), []byte(`\uffff`)), nil
}
