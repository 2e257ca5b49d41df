package setupstages_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"earshot/functions/setupstages/setuptest"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/rows"
)

// storedRun is a draft with a run that a model composed, as its rows were written in November 2026. testdata has the
// rows, and the status that the API returned for them.
type storedRun struct {
	Draft string           `json:"draft"`
	Rows  []map[string]any `json:"rows"`
}

// put writes the rows into the World's workspace, and returns the JSON of the proposal in them.
func (s storedRun) put(t *testing.T, w *setuptest.World) (content []byte) {
	t.Helper()
	for _, row := range s.Rows {
		item := table.Item{table.PartitionAttribute: w.Main.ID}
		for name, value := range row {
			switch value := value.(type) {
			case map[string]any:
				packed, err := base64.StdEncoding.DecodeString(value["bytes"].(string))
				if err != nil {
					t.Fatal(err)
				}
				item[name] = packed
			case float64:
				item[name] = int64(value)
			default:
				item[name] = value
			}
		}
		if strings.HasSuffix(table.KeyOf(item).Sort, "#proposal") {
			packed, err := gzip.NewReader(bytes.NewReader(rows.Bytes(item, "content")))
			if err != nil {
				t.Fatal(err)
			}
			if content, err = io.ReadAll(packed); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Table.Put(t.Context(), table.Put{Table: rows.CoreTable, Item: item}); err != nil {
			t.Fatal(err)
		}
	}
	return content
}

// A proposal that was stored by an earlier version is read and returned as it was then, and would be stored again as it
// is.
func TestStoredRun_OfEarlierVersion(t *testing.T) {
	var stored storedRun
	content, err := os.ReadFile("testdata/stored-run.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &stored); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/stored-run-status.json")
	if err != nil {
		t.Fatal(err)
	}
	w := setuptest.NewWorld(t)
	kept := stored.put(t, w)
	if got := w.Document(t, stored.Draft) + "\n"; got != string(want) {
		t.Errorf("the status is another: %s", difference(got, string(want)))
	}
	d, run := w.Setup(t, stored.Draft)
	if d.Status != proposal.Ready || run.Proposal == nil || len(run.Steps) != len(proposal.Stages()) {
		t.Fatalf("Setup(%s) = %s with %d steps, want ready with all", stored.Draft, d.Status, len(run.Steps))
	}
	again, err := json.Marshal(run.Proposal)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.TrimSpace(again), bytes.TrimSpace(kept)) {
		t.Errorf("the proposal would be stored as\n%s\nwant\n%s", again, kept)
	}
}
