// Package stage is a deployment of real processes on this machine: the binaries that `make build` makes, each started as Lambda starts
// it, with the environment that the synthesized template gives it, called by HTTP, queues, schedules, accounts and the state machine as
// the template has them called, over servers of others in the place of AWS. What only the mains, the manifest and the template know is
// wrong nowhere else than here.
//
// All of it is tests: `make peers` runs them with the servers that they need. Nothing listens on anything but the loopback interface, no
// process outlives its test, and none reaches for the internet.
package stage
