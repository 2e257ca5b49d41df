package sqlitearchive

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"earshot/events/message"
	"earshot/shared/post"
	"earshot/shared/source"
)

// pageMax is how many posts one search shows.
const pageMax = 500

// Source returns one platform of the archive. It is searched as the platform would be: by words, newest first.
func (a *Archive) Source(platform string) *Source { return &Source{a, platform} }

// A Source is a platform of an archive. It is a source.Source.
type Source struct {
	archive  *Archive
	platform string
}

// About returns the source's properties.
func (s *Source) About() source.About { return source.About{Name: s.platform, Max: pageMax} }

// Newest returns where the platform's posts end: the time of its newest post, or zero if there are none.
func (s *Source) Newest(ctx context.Context) (time.Time, error) {
	return s.archive.newest(ctx, s.platform)
}

// Held returns how many posts the platform has.
func (s *Source) Held(ctx context.Context) (int64, error) {
	found, err := s.archive.end(ctx, s.platform)
	return found.held, err
}

// Search returns posts of the window that hold the text's words in order. An exact text matches whole words only. A
// text without words for the index is searched literally.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	limit := q.Limit(s.About())
	query := "SELECT posts.id, posted, content FROM posts"
	where := []string{"platform = ?", "posted >= ?", "posted < ?"}
	args := []any{s.platform, q.Since.UnixMilli(), q.Until.UnixMilli()}
	if match, indexed := phrase(q.Text); indexed && q.Exact {
		// The words go first: few posts have them, and each post of the window would be looked up in the index else.
		query = "SELECT posts.id, posted, content FROM words CROSS JOIN posts ON posts.id = words.rowid"
		where, args = append(where, "words MATCH ?"), append(args, match)
	} else {
		where, args = append(where, "instr(text, ?) > 0"), append(args, strings.ToLower(q.Text))
	}
	if q.After != "" {
		posted, id, err := place(q.After)
		if err != nil {
			return source.Page{}, err
		}
		where, args = append(where, "(posted, posts.id) < (?, ?)"), append(args, posted, id)
	}
	rows, err := s.archive.db.QueryContext(
		ctx,
		query+" WHERE "+strings.Join(where, " AND ")+" ORDER BY posted DESC, posts.id DESC LIMIT ?",
		append(args, limit+1)...)
	if err != nil {
		return source.Page{}, s.failed(ctx, err)
	}
	defer rows.Close()
	var page source.Page
	last := ""
	for rows.Next() {
		var id, posted int64
		var content string
		if err := rows.Scan(&id, &posted, &content); err != nil {
			return source.Page{}, s.failed(ctx, err)
		}
		if len(page.Posts) == limit {
			page.Next = last
			break
		}
		p, err := toPost(content)
		if err != nil {
			return source.Page{}, s.failed(ctx, err)
		}
		page.Posts = append(page.Posts, p)
		last = fmt.Sprintf("%d.%d", posted, id)
	}
	if err := rows.Err(); err != nil {
		return source.Page{}, s.failed(ctx, err)
	}
	return page, nil
}

func toPost(content string) (post.Post, error) {
	var wire message.Post
	if err := json.Unmarshal([]byte(content), &wire); err != nil {
		return post.Post{}, err
	}
	return wire.ToPost()
}

func (s *Source) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("sqlitearchive: search: %w", ctx.Err())
	}
	return &source.Unavailable{Source: s.platform, Reason: "the archive cannot be read: " + err.Error()}
}

// place reads a page's Next: a time and a row.
func place(after string) (posted, id int64, err error) {
	left, right, found := strings.Cut(after, ".")
	if found {
		posted, err = strconv.ParseInt(left, 10, 64)
		if err == nil {
			id, err = strconv.ParseInt(right, 10, 64)
		}
	}
	if !found || err != nil {
		return 0, 0, fmt.Errorf("sqlitearchive: search: %q is no page's Next", after)
	}
	return posted, id, nil
}

// wordRune reports whether the index takes a character for a part of a word.
func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r) || unicode.IsMark(r)
}

// unspaced reports whether a word's script is written without spaces. The index holds whole sentences of it as one
// word.
func unspaced(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool {
		return unicode.In(
			r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
			unicode.Myanmar,
		)
	}) >= 0
}
