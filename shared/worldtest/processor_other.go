//go:build !unix

package worldtest

import "time"

// ProcessorTime returns 0: this system does not count as others do.
func ProcessorTime() time.Duration { return 0 }
