//go:build !unix

package main

import "time"

// processorTime returns 0: this system does not count as others do.
func processorTime() time.Duration { return 0 }
