package controls

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"earshot/events/message"
	"earshot/functions/ingest"
	"earshot/shared/post"
	"earshot/shared/web/problem"
)

// Intake is the way in of posts.
type Intake interface {
	// Take returns an *ingest.Failure if part of the posts was taken in.
	Take(ctx context.Context, posts []post.Post) (ingest.Outcome, error)
}

// postsAtOnce is how many posts go in together.
const postsAtOnce = 250

// A postReport is the response to a body of posts.
type postReport struct {
	Received   int `json:"received"`   // posts: lines that are not blank
	Stored     int `json:"stored"`     // mentions: a post is one for each workspace whose keywords it matches
	Duplicates int `json:"duplicates"` // mentions that were known before
	Unmatched  int `json:"unmatched"`  // posts that no keyword matches
	OverQuota  int `json:"overQuota"`  // mentions that their workspace's plan has no room for this month
	rejections
}

// takePosts takes posts in as if they had just been collected. The body has one JSON object a line or, as text/csv,
// is the table of a Hacker News dump. It stores while it reads, so a body may have any length.
func (c *controls) takePosts(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	in := &postIntake{controls: c, report: postReport{rejections: rejections{Rejected: []rejection{}}}}
	read := in.lines
	if mediaType, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); strings.EqualFold(
		strings.TrimSpace(mediaType), "text/csv",
	) {
		read = in.table
	}
	if err := read(r.Context(), r.Body); err != nil {
		return nil, err
	}
	if err := in.flush(r.Context()); err != nil {
		return nil, err
	}
	slices.SortStableFunc(in.report.Rejected, func(a, b rejection) int { return a.Line - b.Line })
	return in.report, nil
}

// A postIntake gathers posts and takes them in together.
type postIntake struct {
	*controls
	report  postReport
	posts   []post.Post
	numbers []int // the line of each
}

func (in *postIntake) lines(ctx context.Context, body io.Reader) error {
	lines := newLines(body)
	for lines.next() {
		p, err := toPost(lines)
		if err := in.add(ctx, lines.number, p, err); err != nil {
			return err
		}
	}
	if lines.err != io.EOF {
		return in.broken(ctx, lines.number-1, lines.err)
	}
	return nil
}

// toPost reads a line. Its error is for the author of the line.
func toPost(line *lines) (post.Post, error) {
	if line.long {
		return post.Post{}, fmt.Errorf("the line holds more than %d bytes", maxLine)
	}
	var wire message.Post
	// Bytes that are no characters are replaced, as on the way in from a source.
	if fault := unmarshal(line.text, &wire, jsontext.AllowInvalidUTF8(true)); fault != nil {
		if fault.Code == "syntax" {
			return post.Post{}, errors.New(
				fault.Message + " A line holds one JSON object (curl: --data-binary keeps lines apart, -d does not)",
			)
		}
		return post.Post{}, fmt.Errorf("%s: %s", fault.Path, fault.Message)
	}
	return wire.ToPost()
}

// add takes a post, or the error of its line.
func (in *postIntake) add(ctx context.Context, line int, p post.Post, err error) error {
	in.report.Received++
	if err != nil {
		in.report.reject(line, err)
		return nil
	}
	in.posts, in.numbers = append(in.posts, p), append(in.numbers, line)
	if len(in.posts) < postsAtOnce {
		return nil
	}
	return in.flush(ctx)
}

// flush takes in the gathered posts. A post that could not be stored is rejected by its line: it may be sent again.
func (in *postIntake) flush(ctx context.Context) error {
	outcome, err := in.Intake.Take(ctx, in.posts)
	var part *ingest.Failure
	switch {
	case errors.As(err, &part):
		in.Log.Warn("the store did not take all posts", slog.Any("cause", part.Err))
		seen := map[int]bool{}
		for _, n := range part.Posts {
			if !seen[n] {
				in.report.reject(
					in.numbers[n],
					errors.New(
						"the store did not take it for every workspace; send it again: what is there is not stored twice",
					),
				)
			}
			seen[n] = true
		}
	case err != nil:
		return err
	}
	for _, rejected := range outcome.Rejected {
		in.report.reject(in.numbers[rejected.Post], rejected.Err)
	}
	in.report.Stored += outcome.Mentions.Stored
	in.report.Duplicates += outcome.Mentions.Duplicate
	in.report.OverQuota += outcome.Mentions.OverQuota
	in.report.Unmatched += outcome.Unmatched
	in.posts, in.numbers = in.posts[:0], in.numbers[:0]
	return nil
}

// broken takes in what came before a body broke off, and returns how far that was.
func (in *postIntake) broken(ctx context.Context, line int, cause error) error {
	if err := in.flush(ctx); err != nil {
		return err
	}
	return problem.New(problem.InvalidInput,
		"The body breaks off after line %d; what came before it is taken in: %d mentions stored.",
		line, in.report.Stored).
		Because(cause)
}
