package main

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"testing"

	"earshot/shared/embedded/fault"
)

// Every fault of every operation of every port is drawn, the set takes each, and what has fired is what does not wait any more.
func TestInjector(t *testing.T) {
	ports := map[string][]string{}
	for _, place := range faultPlaces() {
		if place.Fault == fault.Throttle {
			ports[place.Port] = append(ports[place.Port], place.Operation)
		}
	}
	if len(ports) != 7 {
		t.Errorf("%d ports: %v", len(ports), ports)
	}
	set := fault.NewSet(ports, 0)
	a := served(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPost:
			var added fault.Fault
			if err := json.NewDecoder(r.Body).Decode(&added); err != nil {
				t.Error(err)
			}
			if err := set.Add(added); err != nil {
				t.Error(err)
			}
		case http.MethodDelete:
			set.Clear()
		}
		left, err := json.Marshal(map[string]any{"faults": set.List()})
		if err != nil {
			t.Error(err)
		}
		respond(200, string(left))(w, r)
	})
	i := newInjector(a, rand.New(rand.NewPCG(1, 2)))
	drawn, fired := map[string]bool{}, map[string]int{}
	for range 4000 {
		if err := i.inject(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, f := range set.List() {
			drawn[named(f)] = true
		}
		place := i.places[i.random.IntN(len(i.places))]
		if kind := set.Take(place.Port, place.Operation); kind != "" {
			fired[named(fault.Fault{Port: place.Port, Operation: place.Operation, Fault: kind})]++
		}
	}
	if len(drawn) != len(i.places) {
		t.Errorf("%d of %d faults were drawn", len(drawn), len(i.places))
	}
	if err := i.clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(set.List()) != 0 {
		t.Error("faults are left")
	}
	counted := i.counted()
	for name, n := range fired {
		if counted[name] != n {
			t.Errorf("%s has fired %d times, and %d are counted", name, n, counted[name])
		}
	}
	if len(counted) != len(fired) {
		t.Errorf("%d kinds have fired, and %d are counted", len(fired), len(counted))
	}
}
