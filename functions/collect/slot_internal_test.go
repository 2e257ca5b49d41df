package collect

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/store/listenstore"
)

func TestNextSlot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := time.Duration(rapid.IntRange(1, 72).Draw(t, "hours")) * time.Hour
		now := time.Unix(rapid.Int64Range(1_700_000_000, 1_900_000_000).Draw(t, "now"),
			rapid.Int64Range(0, 999_999_999).Draw(t, "nanos")).UTC()
		task := listenstore.Task{
			WorkspaceID: rapid.String().Draw(t, "workspace"),
			KeywordID:   rapid.Int64().Draw(t, "keyword"),
			Source:      "reddit",
		}
		next := nextSlot(task, period, now)
		if !next.After(now) || next.After(now.Add(period)) {
			t.Fatalf("%v is not within %v of %v", next, period, now)
		}
		if again := nextSlot(task, period, next); !again.Equal(next.Add(period)) {
			t.Fatalf("%v, and then %v", next, again)
		}
		if early := nextSlot(task, period, next.Add(-time.Nanosecond)); !early.Equal(next) {
			t.Fatalf("%v a moment before %v", early, next)
		}
	})
}

// A thousand keywords spread over the hour: every minute has some of them, and none has many.
func TestSpread(t *testing.T) {
	var minutes [60]int
	for id := range int64(1_000) {
		minutes[spread(listenstore.Task{WorkspaceID: fmt.Sprint("org_", id%7), KeywordID: id, Source: "reddit"},
			time.Hour)/time.Minute]++
	}
	for minute, n := range minutes {
		if n < 3 || n > 40 { // 17 on average; either is beyond any chance's doing
			t.Errorf("minute %d has %d: %v", minute, n, minutes)
		}
	}
}
