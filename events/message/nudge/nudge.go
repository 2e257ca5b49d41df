// Package nudge writes and reads messages of the queue invitations. It is no part of message, whose other users link
// none of the packages that let people in.
//
// The functions that let people in import it.
package nudge

import (
	"encoding/json"
	"errors"
	"slices"

	"earshot/events/message"
	"earshot/shared/member"
	"earshot/shared/port/queue"
	"earshot/shared/workspace"
)

// MaxInvitations is how many invitations a message names at most. They are some 20 KB then.
const MaxInvitations = 200

// FromInvitations writes messages of the queue invitations that name all of one person's invitations; none for none.
func FromInvitations(keys []member.InvitationKey) (messages []queue.Message, err error) {
	for some := range slices.Chunk(keys, MaxInvitations) {
		nudge := message.Invitations{Invitations: make([]message.Invitation, len(some))}
		for i, key := range some {
			nudge.Invitations[i] = message.Invitation(key)
		}
		body, err := queue.JSON(nudge)
		if err != nil {
			return nil, err
		}
		messages = append(messages, queue.Message{Body: body})
	}
	return messages, nil
}

// ToInvitations reads a message of the queue invitations.
func ToInvitations(body []byte) ([]member.InvitationKey, error) {
	var nudge message.Invitations
	if json.Unmarshal(body, &nudge) != nil || len(nudge.Invitations) == 0 {
		return nil, errors.New("the body is not a message of invitations")
	}
	keys := make([]member.InvitationKey, len(nudge.Invitations))
	for i, named := range nudge.Invitations {
		keys[i] = member.InvitationKey(named)
		if !workspace.ValidID(workspace.PrefixWorkspace, named.WorkspaceID) ||
			!workspace.ValidID(member.PrefixInvitation, named.InvitationID) {
			return nil, errors.New("the message names something else than invitations")
		}
	}
	return keys, nil
}
