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
		Summary: "See how far an export is, and get the link to its file",
		Description: "Ask until `status` is completed or failed. `url` is a link that works without a key for 15 minutes; ask again for another. " +
			"An export and its file are gone after 7 days, and it is NOT_FOUND then. X-Total-Count is sent once it is completed.",
		Codes: []problem.Code{problem.NotFound, problem.ExportLinkUnavailable}, Headers: []string{"X-Total-Count"},
		Example: Export{ExportID: exampleExport, Status: "completed", Format: mentionwire.CSV, Rows: 12840,
			URL:       web.Some("https://files.example/export.csv?signature=…"),
			CreatedAt: "2026-11-20T10:15:00.000Z", FinishedAt: web.Some("2026-11-20T10:15:21.000Z"), ExpiresAt: "2026-11-27T10:15:00.000Z"},
	}, e.status)
}

// ExportStatus is how far an export is.
type ExportStatus string

// Schema lists its values.
func (ExportStatus) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{
		string(mentionstore.ExportQueued), string(mentionstore.ExportRunning), string(mentionstore.ExportCompleted), string(mentionstore.ExportFailed)}}
}

// GetExportInput asks for an export.
type GetExportInput struct {
	ExportID string `path:"exportId" doc:"The exportId that exportMentions answered."`
}

// Export is an export as it is now.
type Export struct {
	ExportID   string             `json:"exportId"`
	Status     ExportStatus       `json:"status"`
	Format     mentionwire.Format `json:"format" enum:"json,csv"`
	Rows       int                `json:"rows" minimum:"0" doc:"Rows written so far; all of them once it is completed."`
	Truncated  bool               `json:"truncated" doc:"More mentions match than an export holds, in rows, queries or bytes: the newest are in it."`
	URL        web.Null[string]   `json:"url" doc:"A link to the file, once it is there."`
	CreatedAt  string             `json:"createdAt" format:"date-time"`
	FinishedAt web.Null[string]   `json:"finishedAt" doc:"RFC 3339; null while it goes on."`
	ExpiresAt  string             `json:"expiresAt" format:"date-time" doc:"When it and its file are gone."`
	Error      web.Null[string]   `json:"error" doc:"Why it failed, for a person."`
}

func (e export) status(ctx context.Context, in *GetExportInput) (*Export, error) {
	found, err := e.exports.Export(ctx, web.CallerOf(ctx).Workspace.ID, in.ExportID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, problem.New(problem.NotFound, "There is no export with this id, or it has expired.")
	}
	if err != nil {
		return nil, err
	}
	now := e.clock.Now()
	if late := found.CreatedAt.Add(givenUp); !found.Status.Settled() && !now.Before(late) {
		found.Status, found.FinishedAt, found.Problem = mentionstore.ExportFailed, late, "It was not written in time. Export again."
	}
	answer := &Export{
		ExportID: found.ID, Status: ExportStatus(found.Status), Format: mentionwire.Format(found.Format), Rows: found.Rows, Truncated: found.Truncated,
		CreatedAt: web.FormatTime(found.CreatedAt), FinishedAt: web.NullIfEmpty(web.FormatTime(found.FinishedAt)),
		ExpiresAt: web.FormatTime(found.ExpiresAt), Error: web.NullIfEmpty(found.Problem),
	}
	if found.Status != mentionstore.ExportCompleted {
		return answer, nil
	}
	link, err := e.blob.Link(ctx, found.Key, max(blob.MinExpiry, min(linkTime, found.ExpiresAt.Sub(now))))
	if err != nil {
		return nil, problem.New(problem.ExportLinkUnavailable, "The export is there, but no link to it can be made just now. Ask again.").Because(err)
	}
	answer.URL = web.Some(link)
	web.SetHeader(ctx, "X-Total-Count", strconv.Itoa(found.Rows))
	return answer, nil
}
