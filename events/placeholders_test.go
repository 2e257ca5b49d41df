package events

import (
	"reflect"
	"strings"
	"testing"

	"earshot/events/message"
	"earshot/events/message/summarize"
)

func TestWithKey(t *testing.T) {
	event, err := Sample("mentions", "get")
	if err != nil {
		t.Fatal(err)
	}
	keyed := WithKey(event, "es_example")
	if got := keyed.Headers["authorization"]; got != "Bearer es_example" {
		t.Errorf("headers: %q", got)
	}
	if got := keyed.MultiValueHeaders["authorization"]; !reflect.DeepEqual(got, []string{"Bearer es_example"}) {
		t.Errorf("multiValueHeaders: %q", got)
	}
	if got := event.Headers["authorization"]; got != "Bearer "+KeyPlaceholder {
		t.Errorf("the sample itself became %q", got)
	}
	keyed.Headers["authorization"] = event.Headers["authorization"]
	keyed.MultiValueHeaders["authorization"] = event.MultiValueHeaders["authorization"]
	if !reflect.DeepEqual(keyed, event) {
		t.Error("more than the key differs")
	}
}

func TestWithDraft(t *testing.T) {
	event, err := Open("scan", "page")
	if err != nil {
		t.Fatal(err)
	}
	messages, err := event.Messages()
	if err != nil {
		t.Fatal(err)
	}
	filled := WithDraft(messages, "org_1", "draft_2")
	var scan message.Scan
	strictly(t, []byte(filled.Records[0].Body), &scan)
	if scan != (message.Scan{WorkspaceID: "org_1", DraftID: "draft_2"}) ||
		filled.Records[0].Md5OfBody != digest(filled.Records[0].Body) {
		t.Errorf("%+v", filled.Records[0])
	}
	if !strings.Contains(messages.Records[0].Body, DraftPlaceholder) {
		t.Errorf("the sample itself became %+v", messages.Records[0])
	}
}

func TestWithSearch(t *testing.T) {
	event, err := Open("searches", "search")
	if err != nil {
		t.Fatal(err)
	}
	messages, err := event.Messages()
	if err != nil {
		t.Fatal(err)
	}
	filled := WithSearch(messages, "org_1", "srch_2")
	var asked message.Search
	strictly(t, []byte(filled.Records[0].Body), &asked)
	if asked != (message.Search{WorkspaceID: "org_1", SearchID: "srch_2"}) {
		t.Errorf("the body is %s", filled.Records[0].Body)
	}
	if filled.Records[0].Md5OfBody != digest(filled.Records[0].Body) {
		t.Errorf("the digest is %s", filled.Records[0].Md5OfBody)
	}
}

func TestWithSummary(t *testing.T) {
	event, err := Open("summaries", "summary")
	if err != nil {
		t.Fatal(err)
	}
	messages, err := event.Messages()
	if err != nil {
		t.Fatal(err)
	}
	filled := WithSummary(messages, "org_1", "sum_2")
	var asked summarize.Summary
	strictly(t, []byte(filled.Records[0].Body), &asked)
	if want := (summarize.Summary{WorkspaceID: "org_1", SummaryID: "sum_2"}); asked != want {
		t.Errorf("the body is %s, want %+v", filled.Records[0].Body, want)
	}
}

func TestWithInvitation(t *testing.T) {
	event, err := Open("invitations", "nudge")
	if err != nil {
		t.Fatal(err)
	}
	messages, err := event.Messages()
	if err != nil {
		t.Fatal(err)
	}
	filled := WithInvitation(messages, "org_1", "inv_2")
	var nudge message.Invitations
	strictly(t, []byte(filled.Records[0].Body), &nudge)
	if len(nudge.Invitations) != 1 ||
		nudge.Invitations[0] != (message.Invitation{WorkspaceID: "org_1", InvitationID: "inv_2"}) ||
		filled.Records[0].Md5OfBody != digest(filled.Records[0].Body) {
		t.Errorf("%+v", filled.Records[0])
	}
	if !strings.Contains(messages.Records[0].Body, InvitationPlaceholder) {
		t.Errorf("the sample itself became %+v", messages.Records[0])
	}
}

func TestWithExport(t *testing.T) {
	event, err := Open("exports", "export")
	if err != nil {
		t.Fatal(err)
	}
	messages, err := event.Messages()
	if err != nil {
		t.Fatal(err)
	}
	before := messages.Records[0]
	filled := WithExport(messages, "org_1", "exp_2")
	var export message.Export
	strictly(t, []byte(filled.Records[0].Body), &export)
	if export != (message.Export{WorkspaceID: "org_1", ExportID: "exp_2"}) ||
		filled.Records[0].Md5OfBody != digest(filled.Records[0].Body) {
		t.Errorf("%+v", filled.Records[0])
	}
	if !reflect.DeepEqual(messages.Records[0], before) || !strings.Contains(before.Body, WorkspacePlaceholder) {
		t.Errorf("the sample itself became %+v", messages.Records[0])
	}
}
