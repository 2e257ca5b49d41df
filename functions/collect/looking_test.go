package collect_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"earshot/functions/collect"
	"earshot/shared/listening"
	"earshot/shared/source"
	"earshot/shared/store/allstores"
	"earshot/shared/store/listenstore"
)

// lookers counts who looks for due tasks at the same moment.
type lookers struct {
	*allstores.Store
	now, most, all atomic.Int64
}

func (l *lookers) DueTasks(ctx context.Context, source string, limit int) ([]listenstore.Task, error) {
	now := l.now.Add(1)
	defer l.now.Add(-1)
	l.all.Add(1)
	time.Sleep(time.Millisecond)
	for most := l.most.Load(); now > most && !l.most.CompareAndSwap(most, now); most = l.most.Load() {
	}
	return l.Store.DueTasks(ctx, source, limit)
}

// However many sources there are, few of them look for due tasks at once.
func TestTick_FewLookAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newBubble(t)
		var sources []source.Source
		for n := range 8 {
			sources = append(sources, searched(fmt.Sprint("source", n)))
		}
		tasks := &lookers{Store: w.Store}
		w.tick(t, collect.New(collect.Options{
			Tasks: tasks, Sources: sources, Queue: w.Queue(), Clock: w.Clock,
			Listening: listening.New(listening.Options{Settings: w.Store, Clock: w.Clock}),
		}))
		if most, all := tasks.most.Load(), tasks.all.Load(); most != 3 || all != 8 {
			t.Errorf("%d of %d look at once, want 3 of 8", most, all)
		}
	})
}
