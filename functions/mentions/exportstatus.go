package mentions

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/port/blob"
	"earshot/shared/store"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
	"earshot/shared/web/problem"
)

const (
	exportPath    = "/api/v2/mentions/exports/"
	exampleExport = "exp_01KAGW7Z8R4Y6H2N3M5P9Q0S1T"
)

// linkTime is how long a link works: enough to follow it, and too short to pass it on. Asking again gives another.
const linkTime = 15 * time.Minute

// givenUp is when an export that no worker has settled counts as failed: longer than all attempts at it take together.
const givenUp = 2 * time.Hour

func registerExportStatus(api *web.API, e export) {
	web.Register(api, web.Operation{
		ID: "getExport", Method: http.MethodGet, Path: exportPath + "{exportId}", Group: Group,
		Summary: "Read an export's progress, and the link to its file",
		Description: "Poll until `status` is completed or failed. `url` works without a key for 15 minutes. " +
			"Read the export again for a new link. An export and its file are deleted after 7 days. From then " +
			"on the response is NOT_FOUND. X-Total-Count is sent once the export is completed.",
		Codes: []problem.Code{problem.NotFound, problem.ExportLinkUnavailable}, Headers: []string{"X-Total-Count"},
		Example: Export{
			ExportID:   exampleExport,
			Status:     "completed",
			Format:     mentionwire.CSV,
			Rows:       12840,
			URL:        web.Some("https://files.example/export.csv?signature=…"),
			CreatedAt:  "2026-11-20T10:15:00.000Z",
			FinishedAt: web.Some("2026-11-20T10:15:21.000Z"),
			ExpiresAt:  "2026-11-27T10:15:00.000Z",
		},
	}, e.status)
}

// ExportStatus is how far an export is.
type ExportStatus string

// Schema lists its values.
func (ExportStatus) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{
		string(mentionstore.ExportQueued), string(mentionstore.ExportRunning), string(mentionstore.ExportCompleted),
		string(mentionstore.ExportFailed),
	}}
}

// GetExportInput names an export.
type GetExportInput struct {
	ExportID string `path:"exportId" doc:"The exportId that exportMentions returned."`
}

// Export is the current state of an export.
type Export struct {
	ExportID   string             `json:"exportId"`
	Status     ExportStatus       `json:"status"`
	Format     mentionwire.Format `json:"format" enum:"json,csv,parquet"`
	Rows       int                `json:"rows" minimum:"0" doc:"The number of rows written so far. All rows when the export is completed."`
	Truncated  bool               `json:"truncated" doc:"Whether more mentions match than an export holds in rows, queries or bytes. The file then has the newest."`
	URL        web.Null[string]   `json:"url" doc:"A link to the file. Null until the export is completed."`
	CreatedAt  string             `json:"createdAt" format:"date-time"`
	FinishedAt web.Null[string]   `json:"finishedAt" doc:"When the export ended, in RFC 3339. Null while it runs."`
	ExpiresAt  string             `json:"expiresAt" format:"date-time" doc:"When the export and its file are deleted."`
	Error      web.Null[string]   `json:"error" doc:"Why the export failed, for people to read."`
}

func (e export) status(ctx context.Context, in *GetExportInput) (*Export, error) {
	found, err := e.exports.Export(ctx, web.CallerOf(ctx).Workspace.ID, in.ExportID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, problem.New(problem.NotFound, "No export has this id, or it has expired. Export again.")
	}
	if err != nil {
		return nil, err
	}
	now := e.clock.Now()
	if late := found.CreatedAt.Add(givenUp); !found.Status.Settled() && !now.Before(late) {
		found.Status, found.FinishedAt, found.Problem = mentionstore.ExportFailed, late,
			"The file was not written in time. Export again."
	}
	answer := &Export{
		ExportID:   found.ID,
		Status:     ExportStatus(found.Status),
		Format:     mentionwire.Format(found.Format),
		Rows:       found.Rows,
		Truncated:  found.Truncated,
		CreatedAt:  web.FormatTime(found.CreatedAt),
		FinishedAt: web.NullIfEmpty(web.FormatTime(found.FinishedAt)),
		ExpiresAt:  web.FormatTime(found.ExpiresAt),
		Error:      web.NullIfEmpty(found.Problem),
	}
	if found.Status != mentionstore.ExportCompleted {
		return answer, nil
	}
	link, err := e.blob.Link(ctx, found.Key, max(blob.MinExpiry, min(linkTime, found.ExpiresAt.Sub(now))))
	if err != nil {
		return nil, problem.New(problem.ExportLinkUnavailable,
			"The export is completed, but no link to it can be made at the moment. Try again.").
			Because(err)
	}
	answer.URL = web.Some(link)
	web.SetHeader(ctx, "X-Total-Count", strconv.Itoa(found.Rows))
	return answer, nil
}
