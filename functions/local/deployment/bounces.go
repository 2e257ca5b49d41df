package deployment

import (
	"context"
	"encoding/json"
	"fmt"

	"earshot/functions/feeds/bounces"
)

// Reports are the kinds of reports on a mail that the workbench can play.
func Reports() []string { return []string{"permanent", "transient", "complaint"} }

// Report calls the function that hears of bounces with an event about a mail, as SES would send it. kind is one of
// Reports.
func Report(ctx context.Context, p Parts, kind, workspaceID, to string) error {
	type object = map[string]any
	recipients := []object{{"emailAddress": to}}
	detail := object{"mail": object{
		"destination": []string{to}, "tags": map[string][]string{bounces.WorkspaceTag: {workspaceID}},
	}}
	named := "Email Bounced"
	switch kind {
	case "permanent":
		detail["eventType"] = "Bounce"
		detail["bounce"] = object{"bounceType": "Permanent", "bounceSubType": "General", "bouncedRecipients": recipients}
	case "transient":
		detail["eventType"] = "Bounce"
		detail["bounce"] = object{"bounceType": "Transient", "bounceSubType": "MailboxFull", "bouncedRecipients": recipients}
	case "complaint":
		named, detail["eventType"] = "Email Complaint Received", "Complaint"
		detail["complaint"] = object{"complaintFeedbackType": "abuse", "complainedRecipients": recipients}
	}
	payload, err := json.Marshal(object{"source": "aws.ses", "detail-type": named, "detail": detail})
	if err != nil {
		return fmt.Errorf("write an event of SES: %w", err)
	}
	return bounces.Handler(p.options(bounces.Group), p.Store)(ctx, payload)
}
