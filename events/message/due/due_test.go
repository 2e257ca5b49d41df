package due_test

import (
	"testing"
	"time"

	"earshot/events/message/due"
	"earshot/shared/port/queue"
	"earshot/shared/worldtest"
)

func TestSend(t *testing.T) {
	w := worldtest.NewWorld(t)
	all := []due.Work{{WorkspaceID: "org_1"}, {WorkspaceID: "org_1", Endpoint: "feed/7/WEBHOOK"}}
	for after, want := range map[time.Duration]time.Duration{-time.Second: 0, 0: 0, time.Millisecond: time.Second,
		5 * time.Second: 5 * time.Second, time.Hour: queue.MaxDelay} {
		worldtest.Must(t, due.Send(t.Context(), &w.Sent, after, all...))
		for i, m := range w.Sent.Take(queue.Deliveries) {
			read, err := due.Read(m.Body)
			if err != nil || read != all[i] || m.Delay != want || m.Group != "org_1/"+read.Endpoint {
				t.Errorf("in %v: %+v %v", after, m, err)
			}
		}
	}
	for _, body := range []string{"", "{}", "[]", `{"workspaceId":7}`, `{"endpoint":"feed/7/WEBHOOK"}`} {
		if work, err := due.Read([]byte(body)); err == nil {
			t.Errorf("%s is read as %+v", body, work)
		}
	}
}
