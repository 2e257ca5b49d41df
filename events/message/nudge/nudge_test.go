package nudge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/events/message/nudge"
	"earshot/shared/member"
	"earshot/shared/port/queue"
	"earshot/shared/workspace"
)

var now = time.Date(2026, 11, 20, 10, 15, 0, 0, time.UTC)

func invitationKeys(n int) (keys []member.InvitationKey) {
	for range n {
		keys = append(keys, member.InvitationKey{WorkspaceID: workspace.NewID(workspace.PrefixWorkspace, now),
			InvitationID: workspace.NewID(member.PrefixInvitation, now)})
	}
	return keys
}

// What is written is read, from as few messages as hold it, each of which a queue takes.
func TestInvitations(t *testing.T) {
	for n, messages := range map[int]int{0: 0, 1: 1, nudge.MaxInvitations: 1, nudge.MaxInvitations + 1: 2,
		5 * nudge.MaxInvitations: 5} {
		want := invitationKeys(n)
		written, err := nudge.FromInvitations(want)
		if err != nil || len(written) != messages {
			t.Fatalf("%d: %d messages, %v", n, len(written), err)
		}
		var got []member.InvitationKey
		for _, m := range written {
			if err := queue.Check(m); err != nil || m.Delay != 0*time.Second {
				t.Error(err)
			}
			keys, err := nudge.ToInvitations(m.Body)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, keys...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", n, got, want)
		}
	}
}

// A message that is none says so, and nothing of itself.
func TestNoInvitations(t *testing.T) {
	key := invitationKeys(1)[0]
	good := fmt.Sprintf(`{"workspaceId":%q,"invitationId":%q}`, key.WorkspaceID, key.InvitationID)
	later := `{"version":2,"invitations":[` + good[:len(good)-1] + `,"more":1}]}`
	if keys, err := nudge.ToInvitations([]byte(later)); err != nil || len(keys) != 1 {
		t.Errorf("a member that is not known: %v", err)
	}
	for _, body := range []string{"", "null", "{}", "[]", `{"invitations":null}`, `{"invitations":[]}`, `{"invitations":[{}]}`,
		`{"invitations":[` + good + `,{}]}`, `{"invitations":["secret"]}`,
		`{"invitations":[{"workspaceId":"secret","invitationId":"` + key.InvitationID + `"}]}`,
		`{"invitations":[{"workspaceId":"` + key.WorkspaceID + `","invitationId":"` + key.WorkspaceID + `"}]}`,
		`{"posts":[]}`, `{`} {
		if _, err := nudge.ToInvitations([]byte(body)); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", body, err)
		}
	}
}
