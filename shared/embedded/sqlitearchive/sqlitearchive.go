// Package sqlitearchive reads the archive of posts of earlier versions: one SQLite file, whose posts move into the
// archive of today when the workbench starts. It needs no cgo.
//
// Only mains and tests import it.
package sqlitearchive

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"earshot/events/message"
	"earshot/shared/archive"
	"earshot/shared/embedded/sqlitefile"
	"earshot/shared/post"
)

// An Archive keeps posts. Close it. It is safe for concurrent use.
type Archive struct {
	db *sql.DB
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
	return &Archive{db}, nil
}

// Close ends the use of the file. Operations must have returned.
func (a *Archive) Close() error {
	if err := a.db.Close(); err != nil {
		return fmt.Errorf("sqlitearchive: close: %w", err)
	}
	return nil
}

// Add stores posts as earlier versions did, all or none. A stored post stays as it is. Tests make archives with it.
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

func toPost(content string) (post.Post, error) {
	var wire message.Post
	if err := json.Unmarshal([]byte(content), &wire); err != nil {
		return post.Post{}, err
	}
	return wire.ToPost()
}
