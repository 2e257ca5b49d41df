package mentions

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/oklog/ulid/v2"

	"earshot/events/message"
	"earshot/shared/port/blob"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/store"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Exports keeps exports and counts them.
type Exports interface {
	Timeline
	// Export returns store.ErrNotFound if there is none.
	Export(ctx context.Context, orgID, id string) (mentionstore.Export, error)
	PutExport(ctx context.Context, e mentionstore.Export) (ok bool, err error)
	TakeExport(ctx context.Context, orgID string, start time.Time, limit int) (ok bool, err error)
	ReturnExport(ctx context.Context, orgID string, start time.Time) error
	HoldExportSlot(ctx context.Context, orgID, exportID string, slots int, until time.Time) (bool, error)
	FreeExportSlot(ctx context.Context, orgID, exportID string, slots int) error
}

type export struct {
	list
	exports Exports
	queue   queue.Queue
	blob    blob.Blob
	clock   clock.Clock
}

// Leases of an export that is not returned at once.
const (
	answerLease  = web.Lease        // of a slot while the file may be returned at once
	queuedLease  = 15 * time.Minute // of a slot until a worker takes over the export with its slot
	maxRequest   = 256 << 10        // bytes of a stored request; a row holds little more
	pollAfter    = 5                // seconds
	busyWait     = 30               // seconds until it is worth trying again when both slots are taken
	repeatedFor  = 24 * time.Hour   // how long an Idempotency-Key means one export
	prefixExport = "exp_"
)

func registerExport(api *web.API, e export) {
	file := []string{"X-Total-Count", "Content-Disposition"}
	web.RegisterBytes(api, web.Operation{
		ID: "exportMentions", Method: http.MethodPost, Path: "/api/v2/mentions/export", Group: Group,
		Summary: "Export mentions into a file, newest first",
		Description: "The body is that of listMentions without `collapse`. An export has no pages: `limit` and " +
			"`cursor` are validated and have no effect. An export holds at most 50,000 rows, or as many as 500 queries find. " +
			"`truncated` is true if more mentions match. A small file is the response itself. Any other file is " +
			"written in the background: poll `pollUrl` until it is ready. A JSON file ends with `total`, the " +
			"number of its mentions. X-Total-Count has the same number for both formats.\n\n" +
			"`parquet` is for a whole history: up to 1,000,000 rows, or as many as can be read in four minutes. The " +
			"file has a column for each property of a mention, engagement counters among them. It is always " +
			"written in the background. DuckDB opens it with `SELECT * FROM 'mentions.parquet'`, and pandas with " +
			"`read_parquet`.\n\nA workspace can " +
			"start 5 exports in an hour of UTC and run 2 at once. An export over either limit is RATE_LIMITED. " +
			"A refused export does not count.\n\n" + selectionRules + "\n\nA CSV file is RFC 4180 in UTF-8 " +
			"without a byte order mark. `keywords` and `tags` separate their values with `; `. " +
			"`engagementMetrics` holds a JSON object. An apostrophe is put before text of others that a " +
			"spreadsheet would run as a formula. It is put at the beginning of a cell, and after a `;`, a `|`, " +
			"a tab or a line break, where some spreadsheets split. Ordinary text changes only where one of its " +
			"lines begins with `-`, `+`, `=` or `@`.",
		Codes: selectionCodes,
		Answers: []web.Answer{
			{Status: http.StatusOK, ContentType: "application/json", Meaning: "The file, as JSON.", Headers: file,
				Body: MentionFile{Data: []mentionwire.Mention{example()}, Total: 1}},
			{
				Status:      http.StatusOK,
				ContentType: "text/csv",
				Meaning:     "The file, as CSV.",
				Headers:     file,
				Body:        exampleFile(),
			},
			{
				Status:      http.StatusAccepted,
				ContentType: "application/json",
				Meaning:     "The file is being written in the background.",
				Headers:     []string{"Location", "Retry-After"},
				Body: ExportAccepted{
					ExportID: exampleExport,
					Status:   "queued",
					PollURL:  web.ServerPlaceholder + exportPath + exampleExport,
				},
			},
		},
	}, e.begin)
	registerExportStatus(api, e)
}

// ExportInput holds an export to start.
type ExportInput struct{ Body ExportMentions }

// ExportMentions is the body that starts an export: that of a list, and the format.
type ExportMentions struct {
	Selection
	Limit  int                `json:"limit,omitempty" minimum:"1" maximum:"100" doc:"Has no effect: an export has all rows. Accepted because listMentions takes it."`
	Cursor *string            `json:"cursor,omitempty" doc:"Has no effect: an export begins at the newest mention. Accepted because listMentions takes it."`
	Format mentionwire.Format `json:"format,omitempty" enum:"json,csv,parquet" default:"json" doc:"A Parquet file is always written in the background."`
}

// MentionFile is a file of mentions as JSON.
type MentionFile struct {
	Data  []mentionwire.Mention `json:"data"`
	Total int                   `json:"total" minimum:"0" doc:"The number of mentions in the file."`
}

// ExportAccepted says where to poll for the file.
type ExportAccepted struct {
	ExportID string       `json:"exportId"`
	Status   ExportStatus `json:"status"`
	PollURL  string       `json:"pollUrl" format:"uri"`
}

func (e export) begin(ctx context.Context, in *ExportInput) (*web.Bytes, error) {
	selected, effective, err := e.toQuery(ctx, in.Body.Selection)
	if err != nil {
		return nil, err
	}
	request, err := json.Marshal(mentionwire.ExportRequest{Query: selected, Engagement: in.Body.Engagement})
	if err != nil {
		return nil, fmt.Errorf("keep the request of an export: %w", err)
	}
	if len(request) > maxRequest {
		return nil, problem.New(
			problem.InvalidInput, "The filters of an export have more than %d bytes. Shorten them.", maxRequest,
		)
	}
	org, now := web.CallerOf(ctx).Workspace.ID, e.clock.Now()
	wanted := mentionstore.Export{
		WorkspaceID: org,
		Status:      mentionstore.ExportQueued,
		Format:      string(in.Body.Format),
		Request:     request,
		CreatedAt:   now,
		ExpiresAt:   now.Add(mentionstore.ExportKept),
	}
	begun, err := e.identify(ctx, &wanted)
	if err != nil {
		return nil, err
	}
	if begun {
		return e.resume(ctx, wanted)
	}
	if err := e.admit(ctx, wanted); err != nil {
		return nil, err
	}
	query := mentionstore.MentionsQuery{
		WorkspaceID: org,
		All:         selected.IncludeAll,
		Limit:       mentionstore.MaxMentionsPage,
	}.Narrowed(effective)
	var answer *web.Bytes
	if in.Body.Format != mentionwire.Parquet {
		answer, err = e.atOnce(ctx, query, in.Body)
	}
	if err == nil && answer == nil {
		if answer, err = e.enqueue(ctx, wanted); err == nil {
			return answer, nil
		}
	}
	// When this fails, the slot is free as soon as its lease is over.
	_ = e.exports.FreeExportSlot(ctx, org, wanted.ID, mentionstore.ExportSlots)
	if err != nil {
		_ = e.exports.ReturnExport(ctx, org, hourOf(wanted)) // a failure here is not the export's
	}
	return answer, err
}

// hourOf returns the hour in which an export counts.
func hourOf(e mentionstore.Export) time.Time { return e.CreatedAt.UTC().Truncate(time.Hour) }

// identify sets an export's id. A repeat with the same Idempotency-Key, after the first request died before it could
// respond, gets the first id. The export is then read, and begun is true.
func (e export) identify(ctx context.Context, wanted *mentionstore.Export) (begun bool, err error) {
	wanted.ID = workspace.NewID(prefixExport, wanted.CreatedAt)
	name := web.Repeated(ctx)
	if name == "" {
		return false, nil
	}
	sum := sha256.Sum256([]byte(name))
	id := prefixExport + ulid.ULID(sum[:16]).String()
	found, err := e.exports.Export(ctx, wanted.WorkspaceID, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		wanted.ID = id
		return false, nil
	case err != nil:
		return false, err
	case wanted.CreatedAt.Sub(found.CreatedAt) >= repeatedFor:
		return false, nil
	}
	*wanted = found
	return true, nil
}

// admit takes an export from the workspace's allowances, both or none. It takes the slot first, because that can be
// returned.
func (e export) admit(ctx context.Context, wanted mentionstore.Export) error {
	if err := e.hold(ctx, wanted, answerLease); err != nil {
		return err
	}
	hour := hourOf(wanted)
	ok, err := e.exports.TakeExport(ctx, wanted.WorkspaceID, hour, mentionstore.ExportsAnHour)
	if err == nil && ok {
		return nil
	}
	err = errors.Join(err, e.exports.FreeExportSlot(ctx, wanted.WorkspaceID, wanted.ID, mentionstore.ExportSlots))
	if err != nil {
		return err
	}
	// Its window is the rate limit's, and so is its Retry-After.
	return problem.New(
		problem.RateLimited,
		"The workspace has started its %d exports of this hour. Export again after %s, when the next hour begins.",
		mentionstore.ExportsAnHour, hour.Add(time.Hour).Format(time.RFC3339),
	)
}

func (e export) hold(ctx context.Context, wanted mentionstore.Export, lease time.Duration) error {
	held, err := e.exports.HoldExportSlot(
		ctx, wanted.WorkspaceID, wanted.ID, mentionstore.ExportSlots, e.clock.Now().Add(lease),
	)
	if err != nil {
		return err
	}
	if !held {
		web.SetHeader(ctx, "Retry-After", strconv.Itoa(busyWait))
		return problem.New(
			problem.RateLimited,
			"%d exports of this workspace are running, the most at once. Try again when one has ended.",
			mentionstore.ExportSlots,
		)
	}
	return nil
}

// enqueue passes an export to the worker. If the request dies on the way, its slot is free when the lease ends, and a
// repeat with the same Idempotency-Key continues from here.
func (e export) enqueue(ctx context.Context, wanted mentionstore.Export) (*web.Bytes, error) {
	if _, err := e.exports.PutExport(ctx, wanted); err != nil {
		return nil, err
	}
	return e.resume(ctx, wanted)
}

// resume sends the worker what it needs, unless nothing is left to do. Sending it twice is harmless.
func (e export) resume(ctx context.Context, wanted mentionstore.Export) (*web.Bytes, error) {
	if !wanted.Status.Settled() {
		if err := e.hold(ctx, wanted, queuedLease); err != nil {
			return nil, err
		}
		body, err := queue.JSON(message.Export{WorkspaceID: wanted.WorkspaceID, ExportID: wanted.ID})
		if err == nil {
			err = e.queue.Send(ctx, queue.Exports, queue.Message{Body: body})
		}
		if err != nil {
			// otherwise its lease frees it
			_ = e.exports.FreeExportSlot(ctx, wanted.WorkspaceID, wanted.ID, mentionstore.ExportSlots)
			return nil, fmt.Errorf("enqueue an export: %w", err)
		}
	}
	accepted := ExportAccepted{
		ExportID: wanted.ID,
		Status:   ExportStatus(wanted.Status),
		PollURL:  web.BaseURL(ctx) + exportPath + wanted.ID,
	}
	web.SetStatus(ctx, http.StatusAccepted)
	web.SetHeader(ctx, "Location", accepted.PollURL)
	web.SetHeader(ctx, "Retry-After", strconv.Itoa(pollAfter))
	return web.JSON(accepted)
}
