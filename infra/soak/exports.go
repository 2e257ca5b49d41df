package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// An export is one that is written in the background.
type export struct {
	id, format string
	wanted     []string // sourceIds of mentions that were there for certain when it was asked for
}

// exportAtOnce asks for a file and, where the file is the answer, holds it against the ledger.
func exportAtOnce(ctx context.Context, c *client) { c.export(ctx, object{}) }

// exportLater asks for more than an answer holds, where the client has that much.
func exportLater(ctx context.Context, c *client) {
	if len(c.posted) < manyMentions {
		pollExport(ctx, c)
		return
	}
	c.export(ctx, object{"includeEngagementMetrics": true})
}

// manyMentions is more than a file has that is answered at once.
const manyMentions = 1_001

func (c *client) export(ctx context.Context, wanted object) {
	format := []string{"json", "csv"}[c.random.IntN(2)]
	wanted["format"], wanted["includeAll"] = format, true
	asked := export{format: format, wanted: c.ledger.certain("mention", anyState)}
	r := request{method: http.MethodPost, target: "/api/v2/mentions/export", body: body(wanted), key: c.read}
	c.made++
	r.again = fmt.Sprintf("export-%d-%d", c.number, c.made)
	got := c.api.send(ctx, r)
	for n := 0; n < repeatBound && got.outcome() == unknown && !got.broken; n++ {
		got = c.api.send(ctx, r)
	}
	switch got.Status {
	case http.StatusOK:
		c.tally.exported("answered at once")
		c.complete(asked, got.Body, r.String())
	case http.StatusAccepted:
		var accepted struct{ ExportID string }
		got.read(&accepted)
		asked.id = accepted.ExportID
		c.exports = append(c.exports, asked)
		c.tally.exported("accepted")
	}
}

// complete holds a file against what must be in it.
func (c *client) complete(e export, file []byte, by string) {
	rows, err := sourceIDs(e.format, file)
	if err != nil {
		c.findings.add("an export is no %s: %v\n  request  %s", e.format, err, by)
		return
	}
	slices.Sort(rows)
	if len(slices.Compact(slices.Clone(rows))) != len(rows) {
		c.findings.add("an export has a mention twice\n  request  %s", by)
	}
	for _, id := range e.wanted {
		if _, found := slices.BinarySearch(rows, id); !found {
			c.findings.add(
				"an export of %d rows lacks mention %s, which was acknowledged before\n  request  %s", len(rows), id,
				by,
			)
			return
		}
	}
}

// sourceIDs are the mentions of a file.
func sourceIDs(format string, file []byte) (ids []string, err error) {
	if format == "json" {
		var read struct{ Data []struct{ SourceID string } }
		if err := json.Unmarshal(file, &read); err != nil {
			return nil, err
		}
		for _, m := range read.Data {
			ids = append(ids, m.SourceID)
		}
		return ids, nil
	}
	rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, fmt.Errorf("%d rows: %w", len(rows), err)
	}
	at := slices.Index(rows[0], "sourceId")
	if at < 0 {
		return nil, fmt.Errorf("there is no column sourceId in %q", rows[0])
	}
	for _, row := range rows[1:] {
		ids = append(ids, row[at])
	}
	return ids, nil
}

func pollExport(ctx context.Context, c *client) {
	if len(c.exports) == 0 {
		readAnything(ctx, c)
		return
	}
	n := c.random.IntN(len(c.exports))
	if c.poll(ctx, c.exports[n]) != "" {
		c.exports = slices.Delete(c.exports, n, n+1)
	}
}

// poll asks for an export, fetches its file when that is there, and answers how it ended; empty: it has not.
func (c *client) poll(ctx context.Context, e export) (ended string) {
	got := c.get(ctx, "/api/v2/mentions/exports/"+e.id)
	var shown struct {
		Status string
		Rows   *int
		URL    *string
	}
	if got.read(&shown); !got.ok() {
		if got.Status == http.StatusNotFound {
			c.findings.add("export %s was acknowledged and is lost\n  answer   %s", e.id, got)
		}
		return ""
	}
	switch shown.Status {
	case "failed":
		c.tally.exported("failed")
		return shown.Status
	case "completed":
		if shown.URL == nil {
			c.findings.add("export %s is completed and has no file\n  answer   %s", e.id, got)
			return shown.Status
		}
		file, err := c.api.exchange(ctx, request{method: http.MethodGet, target: c.api.here(*shown.URL)})
		if err != nil || !file.ok() {
			return "" // the link is of this moment: it is asked for again
		}
		c.tally.exported("completed")
		c.complete(e, file.Body, "the export "+e.id)
		return shown.Status
	}
	return ""
}
