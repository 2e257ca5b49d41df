package keyword_test

import (
	"testing"
	"time"

	"earshot/shared/keyword"
)

func TestLookedBack_Boundaries(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 15, 0, 0, time.UTC)
	made := func(ago time.Duration) *keyword.Keyword { return &keyword.Keyword{CreatedAt: now.Add(-ago)} }
	const hour, day = time.Hour, 24 * time.Hour
	for _, c := range []struct {
		name   string
		posted time.Duration // ago
		of     []*keyword.Keyword
		want   bool
	}{
		{"before the keyword", hour, []*keyword.Keyword{made(0)}, true},
		{"seven days before", 7 * day, []*keyword.Keyword{made(0)}, true},
		{"longer before", 7*day + 1, []*keyword.Keyword{made(0)}, false},
		{"when the keyword was made", hour, []*keyword.Keyword{made(hour)}, false},
		{"after the keyword", 0, []*keyword.Keyword{made(hour)}, false},
		{"another keyword was there", hour, []*keyword.Keyword{made(0), made(9 * day)}, false},
		{"another keyword is new too", 8 * day, []*keyword.Keyword{made(0), made(2 * day)}, true},
		{"no keyword", hour, nil, false},
	} {
		if got := keyword.LookedBack(now.Add(-c.posted), c.of); got != c.want {
			t.Errorf("LookedBack(%s) = %v, want %v", c.name, got, c.want)
		}
	}
}
