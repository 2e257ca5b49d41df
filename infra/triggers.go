package main

import (
	"time"

	"earshot/shared/proposal"
)

// A Trigger runs a function: an API, a Queue, a Schedule, the directory of people, Reports of SES, or the state machine
// as a Step.
type Trigger interface{ trigger() }

// An API function answers HTTP requests. The OpenAPI document says which ones (x-function).
type API struct{}

// A Queue function takes several messages of a queue at once, and reports which of them failed
// (ReportBatchItemFailures).
type Queue struct {
	Name   string
	Batch  float64       // messages in an invocation, at most
	Window time.Duration // for which the first of a batch waits for others
	AtOnce float64       // invocations at the same time, at most: 2 to 1,000, as Lambda wants it
}

// A Schedule function is called again and again, with {"time": when it was due}.
type Schedule struct {
	Every time.Duration // whole minutes
	// Retries of a call that Lambda did not take, within Every. A later one is the next call's work. For the same
	// reason a call whose function failed is not repeated.
	Retries float64
	// Ended says that EventBridge also calls it with each execution of the setup pipeline that ended without success.
	Ended bool
}

// The directory of people calls the Account function when somebody has confirmed their address after a sign-up. The
// directory waits for it, at most 5 s, and calls three times in all if it fails or takes longer.
type Account struct{}

// SES calls the Reports function with the event of each mail that bounced, and of each complaint, by EventBridge.
type Reports struct{}

// A Step function is a stage of the setup pipeline, called by its state machine.
type Step struct{ Stage proposal.Stage }

func (API) trigger()      {}
func (Queue) trigger()    {}
func (Schedule) trigger() {}
func (Account) trigger()  {}
func (Reports) trigger()  {}
func (Step) trigger()     {}
