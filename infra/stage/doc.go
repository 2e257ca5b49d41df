// Package stage deploys real processes on this machine: the binaries of `make build`, each started as Lambda starts
// it, with the environment of the synthesized template. HTTP, queues, schedules, accounts and the state machine call
// them as in the template, and servers of others stand in for AWS. Only here a mistake shows that lies in a main, the
// manifest or the template.
//
// The package has only tests. `make peers` runs them with the servers that they need. Everything listens on the
// loopback interface only, no process outlives its test, and none reaches the internet.
package stage
