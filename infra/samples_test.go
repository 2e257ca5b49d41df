package main

import (
	"testing"

	"earshot/events"
)

// Every function has samples to be called with, of what calls it.
func TestSamplesAreOfWhatCallsAFunction(t *testing.T) {
	sampled := map[string]bool{}
	for _, function := range events.Functions() {
		sampled[function] = true
	}
	for _, function := range everyOption().Functions() {
		want := events.API
		switch function.Trigger.(type) {
		case Queue:
			want = events.Queue
		case Schedule, Reports:
			want = events.Schedule
		case Account:
			want = events.Account
		case Step:
			continue // it is called with the ids of a run, of which there is none before somebody began one
		}
		for _, name := range events.Names(function.Name) {
			event, err := events.Open(function.Name, name)
			if err != nil || event.Trigger != want {
				t.Errorf("%s/%s is an event of %s, and %s calls the function (%v)", function.Name, name, event.Trigger, want, err)
			}
		}
		if !sampled[function.Name] {
			t.Errorf("there is no sample for %s", function.Name)
		}
		delete(sampled, function.Name)
	}
	for function := range sampled {
		t.Errorf("there are samples for %s, which is no function", function)
	}
}
