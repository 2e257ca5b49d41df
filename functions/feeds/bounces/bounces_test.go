package bounces_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"earshot/events"
	"earshot/functions/feeds/bounces"
	"earshot/shared/aws/sesmail"
	"earshot/shared/delivery"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

// Permanent bounces and complaints take the mail's address from the workspace's mails. Other events change nothing, and
// none fails or has an address in the log.
func TestHandler(t *testing.T) {
	const address, sampled = "quietharbor@northwind.example", "org_01KAF3Y3W2V4GZ9M6T8Q5X7B1D"
	const first = "\"destination\": [\n        \""
	complaint := func(kind string) []string {
		return []string{`"Bounce"`, `"Complaint"`, `"bounce": {`, `"complaint": {"complaintFeedbackType": "` + kind + `",`}
	}
	sample, err := events.Open(bounces.Group, "bounce")
	worldtest.Must(t, err)
	for name, c := range map[string]struct {
		replaced []string // pairs: what of the sample is replaced, by what
		want     delivery.Silence
		count    string
	}{
		"permanent":          {nil, delivery.Bounced, "bounced"},
		"behind a forward":   {[]string{`"emailAddress": "quietharbor@`, `"emailAddress": "b@`}, delivery.Bounced, "bounced"},
		"transient":          {[]string{`"Permanent"`, `"Transient"`}, "", "ignored"},
		"undetermined":       {[]string{`"Permanent"`, `"Undetermined"`}, "", "ignored"},
		"a complaint":        {complaint("abuse"), delivery.Complained, "complained"},
		"not spam":           {complaint("not-spam"), "", "ignored"},
		"a delivery":         {[]string{`"Bounce"`, `"Delivery"`}, "", "ignored"},
		"of another service": {[]string{`"aws.ses"`, `"evil.ses"`}, "", "refused"},
		"without a tag":      {[]string{`"workspace"`, `"other"`}, "", "refused"},
		"two tags":           {[]string{`"` + sampled + `"`, `"` + sampled + `","org_2"`}, "", "refused"},
		"no workspace":       {[]string{sampled, "org_01KAF3Y3W2V4GZ9M6T8Q5X7B1E"}, "", "refused"},
		"no id":              {[]string{sampled, `org_\u0000`}, "", "refused"},
		"two addresses":      {[]string{first + address + `"`, first + address + `", "b@northwind.example"`}, "", "refused"},
		"no address":         {[]string{first + address, first + "silenced#feed/1#a"}, "", "refused"},
		"of another shape":   {[]string{`"tags": {`, `"tags": 1, "x": {`}, "", "refused"},
	} {
		w := worldtest.NewWorld(t)
		payload := strings.NewReplacer(append(c.replaced, sampled, w.Main.ID)...).Replace(string(sample.Payload))
		var log bytes.Buffer
		on := worker.Options{Function: bounces.Group, Log: slog.New(slog.NewJSONHandler(&log, nil)), Clock: w.Clock}
		handle := bounces.Handler(on, w.Store)
		for range 2 {
			if err := handle(t.Context(), json.RawMessage(payload)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		silenced, err := w.Store.Silenced(t.Context(), w.Main.ID, delivery.OfFeed(1), []string{address})
		worldtest.Must(t, err)
		if silenced[address] != c.want {
			t.Errorf("%s: silenced is %q, want %q", name, silenced[address], c.want)
		}
		if !strings.Contains(log.String(), `"`+c.count+`":1`) || strings.Contains(log.String(), "northwind") {
			t.Errorf("%s: the log is %s, want the count %s and no address", name, &log, c.count)
		}
	}
}

func TestWorkspaceTag(t *testing.T) {
	if bounces.WorkspaceTag != sesmail.WorkspaceTag {
		t.Errorf("mails are sent with %q and read with %q", sesmail.WorkspaceTag, bounces.WorkspaceTag)
	}
}
