package main

import (
	"strings"
	"testing"
	"time"
)

// Each event of an alert that a recount does not explain is found, and each that is missing.
func TestEpisodes(t *testing.T) {
	first := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	hours := func(counts ...hourCount) map[time.Time]hourCount {
		made := map[time.Time]hourCount{}
		for n, count := range counts {
			made[first.Add(time.Duration(n)*time.Hour)] = count
		}
		return made
	}
	at := func(hours ...int) map[time.Time]string {
		made := map[time.Time]string{}
		for _, n := range hours {
			made[first.Add(time.Duration(n)*time.Hour)] = "evt"
		}
		return made
	}
	exact := hours(hourCount{5, 5}, hourCount{3, 3}, hourCount{0, 0})
	for name, c := range map[string]struct {
		counted         map[time.Time]hourCount
		fired, resolved map[time.Time]string
		want            string // in the one fault; empty: there is none
	}{
		"as it is":         {exact, at(0), at(2), ""},
		"never fired":      {exact, at(), at(), "does not fire"},
		"fired late":       {hours(hourCount{5, 5}, hourCount{5, 5}, hourCount{0, 0}), at(1), at(2), "does not fire"},
		"fired twice":      {exact, at(0, 1), at(2), "did not resolve"},
		"fired on few":     {hours(hourCount{0, 3}, hourCount{3, 3}, hourCount{0, 0}), at(0), at(2), "the alert fires"},
		"never resolved":   {exact, at(0), at(), "does not resolve"},
		"resolved early":   {exact, at(0), at(1), "the alert resolves"},
		"resolved twice":   {exact, at(0), at(2, 3), "no hour"},
		"perhaps fired":    {hours(hourCount{2, 5}, hourCount{2, 3}, hourCount{0, 2}), at(0), at(2), ""},
		"perhaps not":      {hours(hourCount{2, 5}, hourCount{2, 3}, hourCount{0, 2}), at(), at(), ""},
		"fired before all": {exact, at(-1, 0), at(2), "no hour"},
	} {
		wrong := episodes(c.counted, c.fired, c.resolved, first, first.Add(2*time.Hour))
		if c.want == "" && len(wrong) > 0 || c.want != "" && (len(wrong) != 1 || !strings.Contains(wrong[0], c.want)) {
			t.Errorf("%s: got %q, want %q", name, wrong, c.want)
		}
	}
}

// Intervals that overlap, or that lack a part, are found.
func TestTiles(t *testing.T) {
	hour := func(n int) time.Time { return time.Date(2026, 11, 20, n, 0, 0, 0, time.UTC) }
	made := func(from, to, part, parts int) deliveryShown {
		return deliveryShown{Digest: &interval{hour(from), hour(to), part, parts}}
	}
	for name, c := range map[string]struct {
		all  []deliveryShown
		want int
	}{
		"no digest":   {nil, 0},
		"in order":    {[]deliveryShown{made(3, 4, 1, 1), made(1, 2, 2, 2), made(1, 2, 1, 2)}, 0},
		"overlapping": {[]deliveryShown{made(1, 3, 1, 1), made(2, 4, 1, 1)}, 1},
		"twice":       {[]deliveryShown{made(1, 2, 1, 1), made(1, 2, 1, 1)}, 1},
		"no first":    {[]deliveryShown{made(1, 2, 1, 1), made(2, 3, 2, 2)}, 1},
		"no last":     {[]deliveryShown{made(1, 2, 1, 1), made(2, 3, 1, 2)}, 1},
		"no second":   {[]deliveryShown{made(1, 2, 1, 3), made(1, 2, 3, 3)}, 1},
		"backwards":   {[]deliveryShown{made(2, 1, 1, 1)}, 1},
		"none at all": {[]deliveryShown{{}}, 1},
	} {
		found := &findings{}
		(&client{findings: found}).checkTiles(c.all)
		if count, first := found.shown(); count != c.want {
			t.Errorf("%s: %d findings, want %d: %q", name, count, c.want, first)
		}
	}
}
