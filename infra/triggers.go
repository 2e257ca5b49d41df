package main

import (
	"time"

	"earshot/shared/proposal"
)

// A Trigger is what runs a function: an API, a Queue, a Schedule, the directory of people, or the state machine as a Step.
type Trigger interface{ trigger() }

// An API function answers HTTP requests; which ones, the OpenAPI document says (x-function).
type API struct{}

// A Queue function takes the messages of a queue, several at once, and says which of them failed (ReportBatchItemFailures).
type Queue struct {
	Name   string
	Batch  float64       // messages in an invocation, at most
	Window time.Duration // for which the first of a batch waits for others
	AtOnce float64       // invocations at the same time, at most: 2 to 1,000, as Lambda wants it
}

// A Schedule function is called again and again, with {"time": when it was due}.
type Schedule struct {
	Every time.Duration // whole minutes
	// Retries of a call that Lambda did not take, within Every: a later one is the next call's. What the function itself
	// fails at is not repeated either, for the same reason.
	Retries float64
	// Ended says that it is told besides of each execution of the setup pipeline that did not succeed, by EventBridge's event.
	Ended bool
}

// The Account function is called by the directory of people when somebody has signed up and shown the address to be theirs. The directory
// waits for it, 5 s at most, and calls again, three times in all, when it failed or took longer.
type Account struct{}

// A Step function is a stage of the setup pipeline, called by its state machine.
type Step struct{ Stage proposal.Stage }

func (API) trigger()      {}
func (Queue) trigger()    {}
func (Schedule) trigger() {}
func (Account) trigger()  {}
func (Step) trigger()     {}
