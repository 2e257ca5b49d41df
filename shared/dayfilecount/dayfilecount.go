// Package dayfilecount counts mentions in day files in this process, without another engine. It reads only the columns
// that a query needs.
//
// Programs that answer analytics from day files without Athena import it. It links the Parquet library.
package dayfilecount

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/filter"
	"earshot/shared/parquetfile"
)

// Files opens the files of days. A result that is an io.ReaderAt and says its size by Stat is read where it is. Any
// other is read into memory.
type Files interface {
	Get(ctx context.Context, key string) (io.ReadCloser, error)
}

// Manifest tells which files are valid.
type Manifest interface {
	ValidDays(ctx context.Context, orgID string, start, end time.Time) ([]analytics.FileDay, error)
}

// A Counter implements analytics.DayFiles.
type Counter struct {
	Manifest
	Files Files
}

// maxFile bounds a file that is read into memory, in bytes.
const maxFile = 256 << 20

// CountDays counts the mentions of a query on some days, each of which has a valid file.
func (c Counter) CountDays(
	ctx context.Context, q analytics.Query, days []analytics.FileDay, apart []analytics.AuthorKey,
) ([]analytics.DayRow, error) {
	count := analytics.NewDayCount(q, apart)
	scanner := parquetfile.NewScanner(count.Predicate(), wanted(q, count), count.Edges())
	for _, day := range slices.Backward(days) { // the newest mentions first
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if day.Key == "" {
			continue // the day has no mentions
		}
		if err := c.scan(ctx, scanner, day.Key, count); err != nil {
			return nil, fmt.Errorf("count the mentions of %s: %w", day.Day.Format(time.DateOnly), err)
		}
	}
	return count.Rows(), nil
}

// wanted returns the properties of mentions that a query depends on.
func wanted(q analytics.Query, count *analytics.DayCount) parquetfile.Wanted {
	keys := q.Filter.Keys()
	filtered := func(any ...filter.Key) bool {
		return slices.ContainsFunc(any, func(key filter.Key) bool { return slices.Contains(keys, key) })
	}
	author := count.People() || count.Uses(analytics.Author)
	followers := filtered(filter.MinXFollowers, filter.MaxXFollowers)
	return parquetfile.Wanted{
		Source:     author || followers || count.Uses(analytics.Source) || filtered(filter.Source, filter.Engagement),
		Language:   count.Uses(analytics.Language) || filtered(filter.Language),
		Sentiment:  count.Uses(analytics.Sentiment) || filtered(filter.Sentiment) || count.Wants(analytics.NegativeShare),
		Relevance:  count.Uses(analytics.Relevance) || filtered(filter.Relevance),
		Tags:       count.Uses(analytics.Tag) || filtered(filter.Tag),
		Keywords:   count.Uses(analytics.Keyword) || filtered(filter.Keyword),
		Author:     author || filtered(filter.Author),
		Followers:  count.People() || followers,
		Engaged:    filtered(filter.Engaged),
		Reply:      filtered(filter.PostType),
		Rating:     filtered(filter.ReviewRating),
		Counters:   filtered(filter.Engagement),
		Engagement: count.Wants(analytics.Engagement),
	}
}

// scan adds the mentions of a file.
func (c Counter) scan(ctx context.Context, scanner *parquetfile.Scanner, key string, count *analytics.DayCount) error {
	opened, err := c.Files.Get(ctx, key)
	if err != nil {
		return err
	}
	defer opened.Close()
	from, size, err := readerAt(opened)
	if err != nil {
		return err
	}
	var failed error
	err = scanner.Scan(from, size, func(g parquetfile.Group) {
		if failed == nil {
			failed = count.Add(g.Row, g.Newest, g.Mentions, g.Engagement)
		}
	})
	if errors.Is(err, parquetfile.ErrTooVaried) {
		return analytics.ErrBudget
	}
	return errors.Join(err, failed)
}

// readerAt returns a file for reading anywhere.
func readerAt(opened io.Reader) (io.ReaderAt, int64, error) {
	if file, ok := opened.(interface {
		io.ReaderAt
		Stat() (fs.FileInfo, error)
	}); ok {
		info, err := file.Stat()
		if err != nil {
			return nil, 0, err
		}
		return file, info.Size(), nil
	}
	content, err := io.ReadAll(io.LimitReader(opened, maxFile+1))
	if err != nil {
		return nil, 0, err
	}
	if len(content) > maxFile {
		return nil, 0, analytics.ErrBudget
	}
	return bytes.NewReader(content), int64(len(content)), nil
}
