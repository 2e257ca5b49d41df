package feeds_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"earshot/shared/feed"
)

func TestSlackIntegration(t *testing.T) {
	r := newRoom(t)
	reader := r.As(r.Read)
	asked := func(target string) string {
		t.Helper()
		answer := reader.Get(t, "/api/v2/integrations/"+target)
		answer.OK(t, &struct{}{})
		return strings.TrimSpace(string(answer.Body))
	}
	if got := asked("slack"); got != `{"connected":true,"team":{"id":"T1","name":"Northwind"}}` {
		t.Error(got)
	}
	if got := asked("slack/channels"); got != `{"data":[{"id":"C1","name":"alerts"},{"id":"C2","name":"mentions"}]}` {
		t.Error(got)
	}
	r.channels = []feed.Channel{}
	if got := asked("slack/channels"); got != `{"data":[]}` {
		t.Error(got)
	}
	if len(r.orgs) != 1 || !r.orgs[r.Main.ID] {
		t.Errorf("asked for %v", r.orgs)
	}
	r.slackErr = feed.ErrSlackNotConnected
	if got := asked("slack"); got != `{"connected":false,"team":null}` {
		t.Error(got)
	}
	reader.Get(t, "/api/v2/integrations/slack/channels").Is(t, 400, "SLACK_NOT_CONNECTED")
	r.slackErr = &feed.Undelivered{Reason: "Slack asks to wait 30 seconds.", After: 30 * time.Second}
	for _, target := range []string{"slack", "slack/channels"} {
		answer := reader.Get(t, "/api/v2/integrations/"+target)
		problem, wait := answer.Is(t, 500, "INTERNAL_ERROR"), answer.Header.Get("Retry-After")
		if problem.Message != "Slack asks to wait 30 seconds. Send the request again." || wait != "30" {
			t.Errorf("%s says %q with Retry-After %q, want what Slack did and the wait", target, problem.Message, wait)
		}
	}
	refused := r.Post(t, "/api/v2/feeds",
		`{"name":"Launch","destinations":[{"type":"SLACK","slackDestination":{"channels":["C1"]}}]}`)
	if problem := refused.Is(t, 500, "INTERNAL_ERROR"); !strings.HasPrefix(problem.Message, "Slack asks to wait") {
		t.Errorf("a feed with a channel says %q, want what Slack did", problem.Message)
	}
	r.slackErr = errors.New("slack: Slack answered 503")
	for _, target := range []string{"slack", "slack/channels"} {
		if problem := reader.Get(t, "/api/v2/integrations/"+target).Is(t, 500,
			"INTERNAL_ERROR"); strings.Contains(problem.Message, "503") {
			t.Error(problem.Message)
		}
	}
}
