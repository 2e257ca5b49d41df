package exports

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/parquetfile"
	"earshot/shared/port/blob"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web/mentionwire"
	"earshot/shared/worker"
)

const (
	// progressRows is the number of rows after which progress is stored.
	progressRows = 5_000
	// maxFile is when a file ends, with the page that reaches it: a Lambda's disk has 512 MB.
	maxFile = 400 << 20 // bytes
)

// write takes an export from where it is to completed, and leaves it alone when another has settled it meanwhile. Either
// way it frees the slot.
func (o Options) write(ctx context.Context, e *mentionstore.Export) error {
	e.Status, e.Rows, e.Truncated = mentionstore.ExportRunning, 0, false
	disk, err := os.CreateTemp(o.Folder, "export-")
	if err != nil {
		return fmt.Errorf("exports: %w", err)
	}
	// A process that is killed must leave no file behind. A system that keeps the name of an open file removes it below.
	_ = os.Remove(disk.Name())
	defer func() {
		disk.Close()
		os.Remove(disk.Name())
	}()
	ours, err := o.fill(ctx, disk, e)
	if err != nil {
		return err
	}
	if !ours {
		return o.free(ctx, *e)
	}
	size, err := disk.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("exports: %w", err)
	}
	// Once more before the file is replaced: it may be another's by now, and complete.
	if ours, err = o.Store.PutExport(ctx, *e); err != nil {
		return err
	}
	if !ours {
		return o.free(ctx, *e)
	}
	format := mentionwire.Format(e.Format)
	done := *e
	done.Key = e.FileKey()
	err = o.Blob.Put(
		ctx, done.Key,
		blob.File{Content: disk, Size: size, ContentType: format.ContentType(), Name: format.FileName(e.CreatedAt)},
	)
	if err != nil {
		return fmt.Errorf("exports: store the file: %w", err)
	}
	done.Status, done.FinishedAt = mentionstore.ExportCompleted, o.Clock.Now()
	if err := o.Store.EndExport(ctx, done, mentionstore.ExportSlots); err != nil {
		return err
	}
	worker.Count(ctx, "rows", done.Rows)
	return nil
}

// fill writes the mentions into the file on disk. It stores that the export runs while it reads the first page, and
// progress while it reads later ones. It returns false if another invocation has settled the export.
func (o Options) fill(ctx context.Context, disk io.Writer, e *mentionstore.Export) (ours bool, err error) {
	var request mentionwire.ExportRequest
	if err := json.Unmarshal(e.Request, &request); err != nil {
		return false, fmt.Errorf("exports: read the request: %w", err)
	}
	effective, err := request.Query.Filter()
	if err != nil {
		return false, fmt.Errorf("exports: %w", err)
	}
	counted := &counting{to: disk}
	file, err := newFile(counted, mentionwire.Format(e.Format), request.Engagement)
	if err != nil {
		return false, fmt.Errorf("exports: %w", err)
	}
	query := mentionstore.MentionsQuery{WorkspaceID: e.WorkspaceID, All: request.Query.IncludeAll}.Narrowed(effective)
	told := 0
	for pages := 1; ; pages++ {
		query.Limit = min(mentionstore.MaxMentionsPage, file.maxRows-e.Rows)
		var page mentionstore.MentionsPage
		err := parallel.Together(func() (err error) {
			if page, err = o.Store.Mentions(ctx, query); err != nil {
				err = fmt.Errorf("exports: read mentions: %w", err)
			}
			return err
		}, func() (err error) {
			switch ours = true; {
			case pages == 1:
				ours, err = o.begin(ctx, *e)
			case e.Rows-told >= progressRows:
				told = e.Rows
				ours, err = o.Store.PutExport(ctx, *e)
			}
			return err
		})
		if err != nil || !ours {
			return false, err
		}
		for i := range page.Mentions {
			if err := file.write(&page.Mentions[i]); err != nil {
				return false, fmt.Errorf("exports: write the file: %w", err)
			}
		}
		if e.Rows += len(page.Mentions); page.Next == "" {
			break
		}
		// More mentions follow than an export holds. It is completed and says that it is truncated.
		if e.Truncated = e.Rows >= file.maxRows || file.full(ctx, pages) ||
			counted.bytes >= maxFile; e.Truncated {
			break
		}
		query.After = page.Next
	}
	if err := file.close(); err != nil {
		return false, fmt.Errorf("exports: write the file: %w", err)
	}
	return true, nil
}

// A file is a file of a format that is being written, with the format's bounds.
type file struct {
	write   func(*mention.Mention) error
	close   func() error
	maxRows int
	full    func(ctx context.Context, pages int) bool // whether no further page is read
}

func newFile(to io.Writer, format mentionwire.Format, engagement bool) (file, error) {
	if format == mentionwire.Parquet {
		out := parquetfile.NewExportWriter(to)
		return file{out.Write, out.Close, mentionstore.MaxParquetRows, late}, nil
	}
	out, err := mentionwire.NewFile(to, format)
	if err != nil {
		return file{}, err
	}
	write := func(m *mention.Mention) error { return out.Write(mentionwire.FromMention(*m, engagement)) }
	full := func(_ context.Context, pages int) bool { return pages >= mentionstore.MaxExportPages }
	return file{write, out.Close, mentionstore.MaxExportRows, full}, nil
}

// storeTime is kept of an invocation's time to end a Parquet file of any size and to store it.
const storeTime = 45 * time.Second

// late reports whether too little time is left to read another page.
func late(ctx context.Context, _ int) bool {
	deadline, bound := ctx.Deadline()
	return bound && time.Until(deadline) < storeTime
}

// counting counts the bytes on their way.
type counting struct {
	to    io.Writer
	bytes int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.bytes += int64(n)
	return n, err
}
