package analyticsfiles

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"earshot/shared/analytics/files"
	"earshot/shared/mention"
	"earshot/shared/parquetfile"
	"earshot/shared/port/blob"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worker"
)

// advance takes a day one step further, if one is due.
func (o Options) advance(ctx context.Context, orgID string, d *mentionstore.DayFile) error {
	now := o.Clock.Now()
	swept, err := o.sweep(ctx, d, now)
	if err != nil {
		return err
	}
	switch {
	case d.State == mentionstore.DayOpen && !d.Marked && now.Sub(d.Since) >= o.Quiet:
		return o.write(ctx, orgID, d)
	case d.Marked || d.State == "" ||
		d.State == mentionstore.DayReady && d.Version != files.Version ||
		d.State == mentionstore.DayWriting && now.Sub(d.Since) >= claim:
		return o.open(ctx, orgID, d, now)
	case swept:
		_, err := o.Store.PutDayFile(ctx, orgID, d)
		return err
	}
	return nil
}

// sweep deletes files that no reader can have open any more.
func (o Options) sweep(ctx context.Context, d *mentionstore.DayFile, now time.Time) (swept bool, err error) {
	var kept []mentionstore.OldFile
	for _, old := range d.Old {
		if now.Sub(old.Since) < oldKept {
			kept = append(kept, old)
			continue
		}
		if err := o.Files.Delete(ctx, old.Key); err != nil {
			return false, err
		}
		swept = true
		worker.Count(ctx, "deleted", 1)
	}
	d.Old = kept
	return swept, nil
}

// open makes changes mark the day from since on. A file that a writer may have stored is old.
func (o Options) open(ctx context.Context, orgID string, d *mentionstore.DayFile, since time.Time) error {
	if d.Pending != "" {
		d.Old = append(d.Old, mentionstore.OldFile{Key: d.Pending, Since: o.Clock.Now()})
	}
	d.State, d.Since, d.Marked, d.Pending = mentionstore.DayOpen, since, false, ""
	_, err := o.Store.PutDayFile(ctx, orgID, d)
	return err
}

// write writes the day's file and makes its manifest ready, unless the day was marked meanwhile.
func (o Options) write(ctx context.Context, orgID string, d *mentionstore.DayFile) error {
	key, err := files.Key(orgID, d.Day, d.Number+1)
	if err != nil {
		return err
	}
	d.State, d.Since, d.Number, d.Pending = mentionstore.DayWriting, o.Clock.Now(), d.Number+1, key
	if ours, err := o.Store.PutDayFile(ctx, orgID, d); err != nil || !ours {
		return err // another writer was first, or the day was marked
	}
	disk, err := os.CreateTemp(o.Folder, "day-")
	if err != nil {
		return fmt.Errorf("analyticsfiles: %w", err)
	}
	// A process that is killed must leave no file behind. A system that keeps the name of an open file removes it below.
	_ = os.Remove(disk.Name())
	defer func() {
		disk.Close()
		os.Remove(disk.Name())
	}()
	count, rows, err := o.fill(ctx, orgID, d.Day, disk)
	if err != nil && !errors.Is(err, mentionstore.ErrIndexLags) {
		return err
	}
	cells, unread := o.Store.Volumes(ctx, orgID, 0, d.Day, d.Day.AddDate(0, 0, 1))
	if unread != nil {
		return unread
	}
	stamp := files.Stamp(cells)
	if err != nil || count.Stamp() != stamp {
		// A late post may be on its way, which marks the day. Otherwise rows were lost: such a day has no file.
		worker.Count(ctx, "disagreed", 1)
		d.Pending = ""
		return o.open(ctx, orgID, d, o.Clock.Now().Add(disagreed-o.Quiet))
	}
	size, err := disk.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("analyticsfiles: %w", err)
	}
	if rows == 0 {
		key, size = "", 0
	} else if err := o.Files.Put(ctx, key, blob.File{
		Content:     disk,
		Size:        size,
		ContentType: parquetfile.ContentType,
		Name:        "mentions" + files.Extension,
	}); err != nil {
		return fmt.Errorf("analyticsfiles: store a file: %w", err)
	}
	if d.Key != "" {
		d.Old = append(d.Old, mentionstore.OldFile{Key: d.Key, Since: o.Clock.Now()})
	}
	d.State, d.Since, d.Key, d.Pending = mentionstore.DayReady, o.Clock.Now(), key, ""
	d.Rows, d.Bytes, d.Stamp, d.Version = rows, size, stamp, files.Version
	ready, err := o.Store.PutDayFile(ctx, orgID, d)
	if ready {
		worker.Count(ctx, "written", 1)
		worker.Count(ctx, "rows", int(rows))
	}
	return err
}

// fill writes the mentions of a day into a file.
func (o Options) fill(ctx context.Context, orgID string, day time.Time, to io.Writer) (files.Count, int64, error) {
	out, count := parquetfile.NewWriter(to), files.Count{}
	err := o.Store.EachMention(ctx, orgID, day, day.AddDate(0, 0, 1), func(m *mention.Mention) error {
		count.Add(m)
		return out.Write(m)
	})
	if err != nil {
		return nil, 0, err
	}
	return count, out.Rows(), out.Close()
}
