// Package bounces is the function that hears from SES which mails of destinations bounced for good, and of which people
// complained. It takes their addresses from the mails of the workspace ("feeds" in the contract).
//
// An event counts if SES sent it about a mail to one address, with the tag of a workspace that exists. Others change
// nothing. No log names an address.
package bounces

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"earshot/shared/delivery"
	"earshot/shared/port/mail"
	"earshot/shared/store"
	"earshot/shared/worker"
	"earshot/shared/workspace"
)

// Group names the function.
const Group = "bounces"

// WorkspaceTag names the tag of a mail that holds its workspace. It is sesmail's.
const WorkspaceTag = "workspace"

// Store is the part of the store that the function uses.
type Store interface {
	// Workspace returns store.ErrNotFound if there is none.
	Workspace(ctx context.Context, id string) (workspace.Workspace, error)
	// Bounce takes an address from the mails of a workspace, however often it is called.
	Bounce(ctx context.Context, orgID, address string, why delivery.Silence) error
}

// Handler handles the events that SES sends to EventBridge's default bus. An error is the store's: Lambda repeats the
// call.
func Handler(w worker.Options, s Store) worker.CallHandler {
	told := func(json.RawMessage) []slog.Attr { return nil }
	return worker.Call(w, told, func(ctx context.Context, payload json.RawMessage) error {
		return hear(ctx, s, payload)
	})
}

// An event is what the function reads of one (Amazon SES developer guide, "Contents of event data").
type event struct {
	Source string `json:"source"`
	Detail struct {
		EventType string `json:"eventType"`
		Bounce    struct {
			BounceType string `json:"bounceType"`
		} `json:"bounce"`
		Complaint struct {
			FeedbackType string `json:"complaintFeedbackType"`
		} `json:"complaint"`
		Mail struct {
			Destination []string            `json:"destination"`
			Tags        map[string][]string `json:"tags"`
		} `json:"mail"`
	} `json:"detail"`
}

func hear(ctx context.Context, s Store, payload json.RawMessage) error {
	var e event
	if err := json.Unmarshal(payload, &e); err != nil || e.Source != "aws.ses" {
		worker.Count(ctx, "refused", 1)
		return nil
	}
	why := e.silence()
	if why == "" {
		worker.Count(ctx, "ignored", 1)
		return nil
	}
	orgID, address, ok := e.subject()
	if ok {
		_, err := s.Workspace(ctx, orgID)
		if ok = !errors.Is(err, store.ErrNotFound); ok && err != nil {
			return err
		}
	}
	if !ok {
		worker.Count(ctx, "refused", 1)
		return nil
	}
	worker.Count(ctx, string(why), 1)
	return s.Bounce(ctx, orgID, address, why)
}

// silence returns what an event means for the address; empty for nothing. A transient bounce may succeed next time. A
// report can also say that a mail was wrongly taken for spam (RFC 5965, section 7.3).
func (e event) silence() delivery.Silence {
	switch {
	case e.Detail.EventType == "Bounce" && e.Detail.Bounce.BounceType == "Permanent":
		return delivery.Bounced
	case e.Detail.EventType == "Complaint" && e.Detail.Complaint.FeedbackType != "not-spam":
		return delivery.Complained
	}
	return ""
}

// subject returns the workspace of an event's mail, and the address it was sent to. The recipient that bounced may be
// another address, behind a forward.
func (e event) subject() (orgID, address string, ok bool) {
	tag, to := e.Detail.Mail.Tags[WorkspaceTag], e.Detail.Mail.Destination
	if len(tag) != 1 || len(to) != 1 || !workspace.ValidID(workspace.PrefixWorkspace, tag[0]) {
		return "", "", false
	}
	address = mail.FromMailbox(to[0])
	return tag[0], address, mail.IsAddress(address)
}
