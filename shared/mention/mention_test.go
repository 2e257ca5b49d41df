package mention_test

import (
	"strings"
	"testing"
	"time"

	"earshot/shared/mention"
)

func TestTimestamps(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-20 09:30:00.000":        "2026-11-20 09:30:00.000",
		"1970-01-01 00:00:00.001":        "1970-01-01 00:00:00.001",
		"2026-11-20T09:30:00Z":           "2026-11-20 09:30:00.000",
		"2026-11-20T10:30:00.9999+01:00": "2026-11-20 09:30:00.999",
	} {
		parsed, err := mention.ParseTimestamp(text)
		if err != nil || mention.Timestamp(parsed) != want {
			t.Errorf("%s: %s, %v", text, mention.Timestamp(parsed), err)
		}
	}
	for _, bad := range []string{"", "2026-11-20", "2026-11-20 09:30:00.000Z", "2026-13-01 00:00:00.000",
		"2026-02-30 00:00:00.000", "1700000000"} {
		if _, err := mention.ParseTimestamp(bad); err == nil {
			t.Errorf("%q is a timestamp", bad)
		}
	}
}

func TestCheckNamesTheField(t *testing.T) {
	good := func() mention.Mention {
		return mention.Mention{
			ID:       1,
			SourceID: "a_b_c",
			Source:   "twitter",
			PostedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		}
	}
	if err := good().Check(); err != nil {
		t.Fatal(err)
	}
	score, invalid := mention.Score(3), "\xff"
	for field, change := range map[string]func(*mention.Mention){
		"id":             func(m *mention.Mention) { m.ID = 0 },
		"id:":            func(m *mention.Mention) { m.ID = mention.MaxID + 1 },
		"sourceId":       func(m *mention.Mention) { m.SourceID = "" },
		"sourceId:":      func(m *mention.Mention) { m.SourceID = strings.Repeat("x", mention.MaxSourceID+1) },
		"source":         func(m *mention.Mention) { m.Source = "" },
		"timestamp":      func(m *mention.Mention) { m.PostedAt = time.Time{} },
		"relevanceScore": func(m *mention.Mention) { m.RelevanceScore = &score },
		"relevance":      func(m *mention.Mention) { low := mention.Low; m.RelevanceScore, m.Relevant = &low, true },
		"sentiment":      func(m *mention.Mention) { m.Sentiment = "positive" },
		"tags":           func(m *mention.Mention) { m.Tags = []mention.Tag{"pricing", "cats"} },
		"the text":       func(m *mention.Mention) { m.Body = &invalid },
	} {
		m := good()
		change(&m)
		if err := m.Check(); err == nil || !strings.HasPrefix(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// What the service writes, it reads; what is of no form to the letter is refused, though time.Parse takes it.
func TestParseMoment(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-20 09:30:00.123":             "2026-11-20T09:30:00.123Z",
		"2026-11-20T09:30:00Z":                "2026-11-20T09:30:00Z",
		"2026-11-20T09:30:00.123456789Z":      "2026-11-20T09:30:00.123456789Z",
		"2026-11-20T09:30:00.5+23:59":         "2026-11-19T09:31:00.5Z",
		"2026-11-20T09:30:00-05:30":           "2026-11-20T15:00:00Z",
		"9999-12-31 23:59:59.999":             "9999-12-31T23:59:59.999Z",
		"2026-11-20":                          "",
		"2026-11-31 09:30:00.123":             "",
		"2026-11-20 9:30:00.123":              "",
		"2026-11-20 09:30:00,123":             "",
		"2026-11-20 09:30:00":                 "",
		"2026-11-20 09:30:00.12":              "",
		"2026-11-20 09:30:00.1234":            "",
		"2026-11-20 09:30:00.123Z":            "",
		"2026-11-20T09:30:00.123":             "",
		"2026-11-20T9:30:00Z":                 "",
		"2026-11-20T09:30:00,123Z":            "",
		"2026-11-20T09:30:00+24:00":           "",
		"2026-11-20T09:30:00+01:60":           "",
		"2026-11-20T09:30:00.5+0100":          "",
		"":                                    "",
		"2026-11-20T09:30:00.123456789+01:00": "2026-11-20T08:30:00.123456789Z",
		"2026-11-20t09:30:00z":                "2026-11-20T09:30:00Z",
		"2026-11-20t09:30:00.5-05:30":         "2026-11-20T15:00:00.5Z",
		"2026-11-20t09:30:00,5z":              "",
	} {
		got, err := mention.ParseMoment(text)
		switch {
		case want == "" && err == nil:
			t.Errorf("ParseMoment(%q) = %v, want an error", text, got)
		case want != "" && (err != nil || got.Format(time.RFC3339Nano) != want):
			t.Errorf("ParseMoment(%q) = %v, %v, want %s", text, got.Format(time.RFC3339Nano), err, want)
		}
	}
}
