package events

import (
	"crypto/md5"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// What stands in the samples where something of the caller's own belongs.
const (
	KeyPlaceholder       = "${EARSHOT_KEY}"       // an API key, in a request's headers
	WorkspacePlaceholder = "${EARSHOT_WORKSPACE}" // a workspace's id, in a message
	ExportPlaceholder    = "${EARSHOT_EXPORT}"    // the id of an export of that workspace, in a message
	SearchPlaceholder    = "${EARSHOT_SEARCH}"    // the id of a search of that workspace, in a message
	SummaryPlaceholder   = "${EARSHOT_SUMMARY}"   // the id of a summary of that workspace, in a message
	DraftPlaceholder     = "${EARSHOT_DRAFT}"     // the id of a setup draft of that workspace, in a message
	// InvitationPlaceholder is the id of an invitation of that workspace, in a message.
	InvitationPlaceholder = "${EARSHOT_INVITATION}"
)

// WithKey is the event with the caller's key in the place of KeyPlaceholder. The event given stays as it is.
func WithKey(event events.APIGatewayProxyRequest, key string) events.APIGatewayProxyRequest {
	headers := make(map[string]string, len(event.Headers))
	for name, value := range event.Headers {
		headers[name] = strings.ReplaceAll(value, KeyPlaceholder, key)
	}
	multi := make(map[string][]string, len(event.MultiValueHeaders))
	for name, values := range event.MultiValueHeaders {
		for _, value := range values {
			multi[name] = append(multi[name], strings.ReplaceAll(value, KeyPlaceholder, key))
		}
	}
	event.Headers, event.MultiValueHeaders = headers, multi
	return event
}

// WithExport is the event with a workspace and an export of it in the place of their placeholders, and the digests that
// its bodies then have. The event given stays as it is.
func WithExport(event events.SQSEvent, workspaceID, exportID string) events.SQSEvent {
	return filled(event, strings.NewReplacer(WorkspacePlaceholder, workspaceID, ExportPlaceholder, exportID))
}

// WithSearch is the same with a search.
func WithSearch(event events.SQSEvent, workspaceID, searchID string) events.SQSEvent {
	return filled(event, strings.NewReplacer(WorkspacePlaceholder, workspaceID, SearchPlaceholder, searchID))
}

// WithSummary is the same with a summary.
func WithSummary(event events.SQSEvent, workspaceID, summaryID string) events.SQSEvent {
	return filled(event, strings.NewReplacer(WorkspacePlaceholder, workspaceID, SummaryPlaceholder, summaryID))
}

// WithDraft is the same with a setup draft.
func WithDraft(event events.SQSEvent, workspaceID, draftID string) events.SQSEvent {
	return filled(event, strings.NewReplacer(WorkspacePlaceholder, workspaceID, DraftPlaceholder, draftID))
}

// WithInvitation is the same with an invitation.
func WithInvitation(event events.SQSEvent, workspaceID, invitationID string) events.SQSEvent {
	return filled(event, strings.NewReplacer(WorkspacePlaceholder, workspaceID, InvitationPlaceholder, invitationID))
}

func filled(event events.SQSEvent, fill *strings.Replacer) events.SQSEvent {
	event.Records = slices.Clone(event.Records)
	for i := range event.Records {
		record := &event.Records[i]
		record.Body = fill.Replace(record.Body)
		record.Md5OfBody = digest(record.Body)
	}
	return event
}

// digest is what SQS says of a body: it is for noticing damage, not forgery.
func digest(body string) string {
	sum := md5.Sum([]byte(body))
	return hex.EncodeToString(sum[:])
}
