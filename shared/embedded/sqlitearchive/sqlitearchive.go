// Package sqlitearchive is the laptop's archive of posts on one SQLite file. It searches the posts of a platform as the
// platform itself would, so that the setup engine measures and samples without a network. It needs no cgo.
//
// An added post survives the death of the process at any point. A loss of power may undo the last moments. Several
// processes may use one file.
//
// Only mains and tests import it.
package sqlitearchive

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"earshot/events/message"
	"earshot/shared/archive"
	"earshot/shared/embedded/sqlitefile"
	"earshot/shared/post"
)

// An Archive keeps posts. Close it. It is safe for concurrent use.
type Archive struct {
	db *sql.DB

	mu   sync.Mutex
	ends map[string]end // by platform
}

// An end is where a platform's posts end, and how many they are, as of the last row of the archive.
type end struct {
	last int64
	at   time.Time
	held int64
}

// The words of a post are in an FTS5 index without their text. content is the post as JSON.
var layout = sqlitefile.Layout{
	Application: 0x45415248, // "EARH"
	Version:     1,
	SQL: `
CREATE TABLE posts (
	id INTEGER PRIMARY KEY,
	source_id TEXT NOT NULL UNIQUE,
	platform TEXT NOT NULL, -- as a keyword can be narrowed to it; the source's name where there is none
	posted INTEGER NOT NULL, -- milliseconds since 1970
	text TEXT NOT NULL, -- in lowercase, for what the index cannot find
	content TEXT NOT NULL
);
CREATE INDEX posted ON posts (platform, posted);
CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize="unicode61 remove_diacritics 0");`,
}

const busyPatience = 5 * time.Second

// Open opens the file, and creates it if it is missing. Its folder must exist.
func Open(path string) (*Archive, error) {
	db, err := sqlitefile.OpenLayout(path, busyPatience, layout)
	if err != nil {
		return nil, fmt.Errorf("sqlitearchive: open %s: %w", path, err)
	}
	return &Archive{db: db, ends: map[string]end{}}, nil
}

// Close ends the use of the file. Operations must have returned.
func (a *Archive) Close() error {
	if err := a.db.Close(); err != nil {
		return fmt.Errorf("sqlitearchive: close: %w", err)
	}
	return nil
}

// Add stores posts, all or none. A stored post stays as it is.
func (a *Archive) Add(ctx context.Context, posts []post.Post) error {
	tx, err := a.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("sqlitearchive: add: %w", err)
	}
	defer tx.Rollback() // of no effect after Commit
	var keep, index *sql.Stmt
	for _, statement := range []struct {
		into **sql.Stmt
		sql  string
	}{
		{&keep, "INSERT OR IGNORE INTO posts (source_id, platform, posted, text, content) VALUES (?, ?, ?, ?, ?)"},
		{&index, "INSERT INTO words (rowid, text) VALUES (?, ?)"},
	} {
		if *statement.into, err = tx.PrepareContext(ctx, statement.sql); err != nil {
			return fmt.Errorf("sqlitearchive: add: %w", err)
		}
		defer (*statement.into).Close()
	}
	for i := range posts {
		if err := add(ctx, keep, index, &posts[i]); err != nil {
			return fmt.Errorf("sqlitearchive: add: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("sqlitearchive: add: %w", err)
	}
	return nil
}

func add(ctx context.Context, keep, index *sql.Stmt, p *post.Post) error {
	content, err := json.Marshal(message.FromPost(*p))
	if err != nil {
		return err
	}
	result, err := keep.ExecContext(
		ctx, p.SourceID, archive.PlatformOf(p), p.PostedAt.UnixMilli(), strings.ToLower(p.Text()), string(content),
	)
	if err != nil {
		return err
	}
	if added, err := result.RowsAffected(); err != nil || added == 0 {
		return err
	}
	id, err := result.LastInsertId()
	if err != nil {
		return err
	}
	_, err = index.ExecContext(ctx, id, p.Text())
	return err
}

// After returns posts behind a place, in the order in which they were added, and the place of the last one.
func (a *Archive) After(ctx context.Context, place string) (posts []post.Post, last string, err error) {
	const most = 1_000
	from := int64(0)
	if place != "" {
		if from, err = strconv.ParseInt(place, 10, 64); err != nil {
			return nil, "", fmt.Errorf("sqlitearchive: list posts: %q is no place", place)
		}
	}
	rows, err := a.db.QueryContext(ctx, "SELECT id, content FROM posts WHERE id > ? ORDER BY id LIMIT ?", from, most)
	if err != nil {
		return nil, "", fmt.Errorf("sqlitearchive: list posts: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var content string
		if err := rows.Scan(&from, &content); err != nil {
			return nil, "", fmt.Errorf("sqlitearchive: list posts: %w", err)
		}
		p, err := toPost(content)
		if err != nil {
			return nil, "", fmt.Errorf("sqlitearchive: list posts: %w", err)
		}
		posts = append(posts, p)
	}
	if err := rows.Err(); err != nil {
		return nil, "", fmt.Errorf("sqlitearchive: list posts: %w", err)
	}
	return posts, strconv.FormatInt(from, 10), nil
}

// Platforms lists the platforms that there are posts of, sorted.
func (a *Archive) Platforms(ctx context.Context) ([]string, error) {
	// From one platform to the next in the index: to look for distinct ones is to walk all posts.
	rows, err := a.db.QueryContext(ctx, `WITH RECURSIVE platforms(name) AS (
		SELECT MIN(platform) FROM posts
		UNION ALL
		SELECT (SELECT MIN(platform) FROM posts WHERE platform > name) FROM platforms WHERE name IS NOT NULL
	) SELECT name FROM platforms WHERE name IS NOT NULL`)
	if err != nil {
		return nil, fmt.Errorf("sqlitearchive: list platforms: %w", err)
	}
	defer rows.Close()
	var platforms []string
	for rows.Next() {
		var platform string
		if err := rows.Scan(&platform); err != nil {
			return nil, fmt.Errorf("sqlitearchive: list platforms: %w", err)
		}
		platforms = append(platforms, platform)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("sqlitearchive: list platforms: %w", err)
	}
	return platforms, nil
}

// A silence of this length divides an archive. Posts after it count only if they are more than a few stragglers.
const (
	silence    = 30 * 24 * time.Hour
	stragglers = 20 // one in so many
)

// newest returns the time of a platform's newest post, or zero if there are no posts. It ignores posts after a silence
// of a month that are fewer than one in twenty. An archive that was filled from a frozen file and then got a few posts
// of today therefore ends where the file does. The result is cached until posts are added.
func (a *Archive) newest(ctx context.Context, platform string) (time.Time, error) {
	ends, err := a.end(ctx, platform)
	return ends.at, err
}

// end returns where a platform's posts end, and how many there are.
func (a *Archive) end(ctx context.Context, platform string) (end, error) {
	now := end{}
	if err := a.db.QueryRowContext(ctx, "SELECT COALESCE(MAX(id), 0) FROM posts").Scan(&now.last); err != nil {
		return end{}, fmt.Errorf("sqlitearchive: find the newest: %w", err)
	}
	a.mu.Lock()
	known, there := a.ends[platform]
	a.mu.Unlock()
	if there && known.last == now.last {
		return known, nil
	}
	if err := a.db.QueryRowContext(ctx, "SELECT COUNT(*) FROM posts WHERE platform = ?", platform).
		Scan(&now.held); err != nil {
		return end{}, fmt.Errorf("sqlitearchive: count posts: %w", err)
	}
	var err error
	if now.at, err = a.findEnd(ctx, platform, int(now.held)); err != nil {
		return end{}, fmt.Errorf("sqlitearchive: find the newest: %w", err)
	}
	a.mu.Lock()
	a.ends[platform] = now
	a.mu.Unlock()
	return now, nil
}

// findEnd finds the newest of all posts of a platform.
func (a *Archive) findEnd(ctx context.Context, platform string, all int) (time.Time, error) {
	if all == 0 {
		return time.Time{}, nil
	}
	// Only behind so many posts could the silence be that divides them.
	rows, err := a.db.QueryContext(
		ctx, "SELECT posted FROM posts WHERE platform = ? ORDER BY posted DESC LIMIT ?", platform, all/stragglers+1,
	)
	if err != nil {
		return time.Time{}, err
	}
	defer rows.Close()
	var found, before int64
	for i := 0; rows.Next(); i++ {
		var at int64
		if err := rows.Scan(&at); err != nil {
			return time.Time{}, err
		}
		if i == 0 || i*stragglers < all && before-at > silence.Milliseconds() {
			found = at
		}
		before = at
	}
	return time.UnixMilli(found).UTC(), rows.Err()
}

// phrase returns the query for the index: the text's words one after the other, or written as one. It returns false if
// the index has no word to find.
func phrase(text string) (string, bool) {
	words := strings.FieldsFunc(text, func(r rune) bool { return !wordRune(r) })
	if len(words) == 0 || slices.ContainsFunc(words, unspaced) {
		return "", false
	}
	quoted := `"` + strings.Join(words, " ") + `"`
	if len(words) > 1 {
		quoted += ` OR "` + strings.Join(words, "") + `"`
	}
	return quoted, true
}
