package lambdalog

import (
	"fmt"
	"runtime"
)

// PanicText returns what may be logged of a panic's value: the message of the runtime, and only the type of any other
// value. Such a value may hold text of strangers.
func PanicText(value any) string {
	if fault, ok := value.(runtime.Error); ok {
		return fault.Error()
	}
	return fmt.Sprintf("%T", value)
}
