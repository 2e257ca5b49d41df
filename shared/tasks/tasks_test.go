package tasks_test

import (
	"errors"
	"strings"
	"testing"

	"earshot/shared/tasks"
)

func TestTogether(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	met := make(chan bool)
	err := tasks.Together(func() error { met <- true; return first }, func() error { <-met; return second }, func() error { return nil })
	if !errors.Is(err, first) || !errors.Is(err, second) {
		t.Error(err)
	}
	if err := tasks.Together(); err != nil {
		t.Error(err)
	}
	ended := false
	defer func() {
		if caught := recover(); caught != "a mistake" || !ended {
			t.Errorf("caught %v, the other ended: %v", caught, ended)
		}
	}()
	tasks.Together(func() error { panic("a mistake") }, func() error { ended = true; return nil })
}

func TestSaid(t *testing.T) {
	defer func() {
		if said := tasks.Said(recover()); !strings.Contains(said, "index out of range") {
			t.Error(said)
		}
		if said := tasks.Said("text of a post"); said != "string" {
			t.Error(said)
		}
	}()
	var none []int
	_ = none[len(none)]
}
