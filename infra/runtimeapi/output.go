package runtimeapi

import (
	"strings"
	"sync"
)

const (
	keptOutput = 1 << 20 // bytes kept at least
	tailOutput = 4 << 10 // bytes that an error quotes at most
)

// output keeps the end of a process's output.
type output struct {
	mu   sync.Mutex
	text []byte
}

func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text = append(o.text, text...)
	if len(o.text) > 2*keptOutput {
		o.text = append([]byte(nil), o.text[len(o.text)-keptOutput:]...)
	}
	return len(text), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.text)
}

// tail returns the end of the output, in whole lines if there are several.
func (o *output) tail() string {
	text := strings.TrimSpace(o.String())
	if len(text) <= tailOutput {
		return text
	}
	text = text[len(text)-tailOutput:]
	if _, lines, several := strings.Cut(text, "\n"); several {
		text = lines
	}
	return text
}

func (o *output) quote() string { return quote(o.tail()) }

// quote appends output to an error's line.
func quote(text string) string {
	if text == "" {
		return " (it wrote nothing)"
	}
	return "; it wrote:\n" + text
}
