package controls

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/post"
	"earshot/shared/web/problem"
)

// columns of a Hacker News dump, in any order. Its times are of UTC, as month/day/year hour:minute.
var columns = []string{"id", "title", "url", "num_points", "num_comments", "author", "created_at"}

const dumpTime = "1/2/2006 15:04"

// table reads stories from a dump with a line of titles.
func (in *postIntake) table(ctx context.Context, body io.Reader) error {
	from := csv.NewReader(body)
	from.ReuseRecord = true
	titles, err := from.Read()
	if err != nil {
		return problem.New(problem.InvalidInput, "The body is no CSV with a line of column titles.").Because(err)
	}
	place := map[string]int{}
	for _, name := range columns {
		at := slices.IndexFunc(titles, func(title string) bool { return strings.TrimPrefix(title, "\uFEFF") == name })
		if at < 0 {
			return problem.New(
				problem.InvalidInput,
				"As text/csv the body is the table of a Hacker News dump: the column %s is missing; there must be %s.",
				name, strings.Join(columns, ", "),
			)
		}
		place[name] = at
	}
	from.FieldsPerRecord = len(titles)
	for {
		record, err := from.Read()
		line, _ := from.FieldPos(0)
		var malformed *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &malformed):
			line = malformed.StartLine
			if err := in.add(ctx, line, post.Post{}, malformed.Err); err != nil {
				return err
			}
			continue
		case err != nil:
			return in.broken(ctx, line, err)
		}
		p, err := story(func(name string) string { return record[place[name]] })
		if err := in.add(ctx, line, p, err); err != nil {
			return err
		}
	}
}

// story is a line of the dump, as the source hackernews would have found it.
func story(field func(string) string) (post.Post, error) {
	posted, err := time.Parse(dumpTime, field("created_at"))
	if err != nil {
		return post.Post{}, fmt.Errorf("created_at: %q is not month/day/year hour:minute", field("created_at"))
	}
	id, err := strconv.ParseUint(field("id"), 10, 64)
	if err != nil {
		return post.Post{}, errors.New("id: is not a whole number")
	}
	title, author := strings.Clone(field("title")), strings.Clone(field("author"))
	profile := "https://news.ycombinator.com/user?id=" + author
	p := post.Post{
		Source:     "hackernews",
		SourceID:   fmt.Sprintf("hackernews_story_%d", id),
		URL:        fmt.Sprintf("https://news.ycombinator.com/item?id=%d", id),
		PostedAt:   posted,
		Title:      &title,
		Author:     &author,
		AuthorURL:  &profile,
		Engagement: map[string]int64{},
	}
	for column, metric := range map[string]string{"num_points": "points", "num_comments": "comments"} {
		count, err := strconv.ParseInt(field(column), 10, 64)
		if err != nil {
			return post.Post{}, fmt.Errorf("%s: is not a whole number", column)
		}
		p.Engagement[metric] = count
	}
	return p, nil
}
