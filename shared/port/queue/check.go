package queue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// Check says what is wrong with the first message that breaks a bound, as ErrTooLarge; nothing of its text. Adapters call it
// before they send.
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

// allowed is the production Char of XML 1.0. SQS takes nothing else: it refuses the message or, worse, puts U+FFFD in the place of
// the character (API reference of SendMessage).
func allowed(char rune) bool {
	return char == '\t' || char == '\n' || char == '\r' ||
		char >= 0x20 && char <= 0xD7FF || char >= 0xE000 && char <= 0xFFFD || char >= 0x10000
}

// JSON is a body that says the value in JSON. Unlike what json.Marshal alone makes, it can always be sent when it is not too large:
// U+FFFE and U+FFFF, which post text may hold, are written as escapes too.
func JSON(value any) ([]byte, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("queue: write a body: %w", err)
	}
	// Only within a string can they stand.
	body = bytes.ReplaceAll(body, []byte("\uFFFE"), []byte(`\ufffe`))
	return bytes.ReplaceAll(body, []byte("\uFFFF"), []byte(`\uffff`)), nil
}
