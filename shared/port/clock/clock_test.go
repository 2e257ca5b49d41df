package clock_test

import (
	"testing"
	"time"

	"earshot/shared/port/clock"
)

func TestAdjustable(t *testing.T) {
	var c clock.Adjustable
	near := func(want time.Time) bool { return c.Now().Sub(want).Abs() < time.Minute }
	if !near(time.Now()) {
		t.Error("unset, it is not the machine's")
	}
	past := time.Date(2001, 2, 3, 4, 5, 6, 0, time.FixedZone("", 3600))
	c.Set(past)
	if !near(past) || c.Now().Location() != time.UTC {
		t.Errorf("set to %s, it shows %s", past, c.Now())
	}
	c.Freeze(past)
	if !c.Now().Equal(past) || c.Now().Location() != time.UTC {
		t.Errorf("frozen at %s, it shows %s", past, c.Now())
	}
	c.Set(past)
	if first := c.Now(); first.Equal(past) && c.Now().Equal(past) {
		t.Error("set again, it stands still")
	}
	c.Set(time.Time{})
	if !near(time.Now()) {
		t.Error("put back, it is not the machine's")
	}
}
