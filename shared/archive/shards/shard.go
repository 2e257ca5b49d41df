package shards

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver

	"earshot/shared/archive"
	"earshot/shared/post"
	"earshot/shared/query"
)

// FormatVersion is that of the shards that this package writes.
const FormatVersion = 1

// schema makes the index of a shard. It holds neither texts nor their sizes: documents are in the table, and nothing is
// ranked by the index.
func schema() string {
	return "CREATE VIRTUAL TABLE posts USING fts5(" + strings.Join(query.Columns(), ", ") +
		", content='', columnsize=0, detail=full, tokenize='" + query.Tokenizer + "')"
}

// entry returns what the index holds of a post in a language.
func entry(p *post.Post, language string) query.Entry {
	e := query.Index(p, language)
	e.Facts += " " + platformWord(archive.PlatformOf(p))
	return e
}

// platformWord returns the word of all posts that archive.PlatformOf says are a platform's. Package query has no word
// that begins so.
func platformWord(name string) string {
	word := []byte("w")
	for _, c := range []byte(name) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			word = append(word, c)
		} else {
			word = fmt.Appendf(word, "·%02x", c)
		}
	}
	return string(word)
}

// everyPost is the expression that finds all posts of a shard.
const everyPost = `{facts} : "e"`

// A writer writes a shard to a local file. Abandon or finish it.
type writer struct {
	folder    string
	db        *sql.DB
	tx        *sql.Tx
	insert    *sql.Stmt
	words     []uint64 // keys of words, some of them several times
	full      int      // how many are collected before doubles are taken out
	shard     archive.Shard
	textBytes int64
}

// pages are the settings of the file while it is written. Nobody else sees it, and a killed writer begins anew.
const pages = "?_pragma=page_size(16384)&_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)" +
	"&_pragma=locking_mode(EXCLUSIVE)&_pragma=cache_size(-65536)"

// manyWords is the least number of keys of words that is worth sorting.
const manyWords = 4 << 20

// removeAbandoned removes the folders of writers who were killed: those in which nothing was written for as long as a
// builder may take. Files have the machine's time. A folder that cannot be removed is for the next builder.
func removeAbandoned(folder string) {
	if folder == "" {
		folder = os.TempDir()
	}
	left, _ := filepath.Glob(filepath.Join(folder, unfinished+"*"))
	for _, one := range left {
		written := time.Time{}
		err := filepath.WalkDir(one, func(_ string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := entry.Info()
			if err == nil && info.ModTime().After(written) {
				written = info.ModTime()
			}
			return err
		})
		if err == nil && time.Since(written) > claim {
			_ = os.RemoveAll(one)
		}
	}
}

// unfinished begins the names of writers' folders. The temporary folder has other programs' things too.
const unfinished = "earshot-shard-"

// newWriter begins a shard in a new folder below folder.
func newWriter(ctx context.Context, folder string) (w *writer, err error) {
	w = &writer{full: manyWords, shard: archive.Shard{Version: FormatVersion, Platforms: map[string]int64{}}}
	if w.folder, err = os.MkdirTemp(folder, unfinished); err != nil {
		return nil, fmt.Errorf("archive: begin a shard: %w", err)
	}
	defer func() {
		if err != nil {
			w.abandon()
		}
	}()
	if w.db, err = sql.Open("sqlite", "file:"+filepath.Join(w.folder, "written.db")+pages); err != nil {
		return nil, fmt.Errorf("archive: begin a shard: %w", err)
	}
	w.db.SetMaxOpenConns(1)
	for _, statement := range []string{
		schema(),
		"INSERT INTO posts (posts, rank) VALUES ('automerge', 0)",
		"INSERT INTO posts (posts, rank) VALUES ('crisismerge', 1000)",
		"INSERT INTO posts (posts, rank) VALUES ('hashsize', 67108864)",
		"INSERT INTO posts (posts, rank) VALUES ('pgsz', 16000)",
	} {
		if _, err := w.db.ExecContext(ctx, statement); err != nil {
			return nil, fmt.Errorf("archive: begin a shard: %w", err)
		}
	}
	if w.tx, err = w.db.BeginTx(ctx, nil); err != nil {
		return nil, fmt.Errorf("archive: begin a shard: %w", err)
	}
	if w.insert, err = w.tx.PrepareContext(ctx,
		"INSERT INTO posts (rowid, "+strings.Join(query.Columns(), ", ")+") VALUES (?, ?, ?, ?)"); err != nil {
		return nil, fmt.Errorf("archive: begin a shard: %w", err)
	}
	return w, nil
}

// add adds a post. IDs ascend.
func (w *writer) add(ctx context.Context, id archive.ID, platform string, e query.Entry) error {
	if w.shard.Posts > 0 && id <= w.shard.Last {
		return fmt.Errorf("archive: the post %v comes after %v", id, w.shard.Last)
	}
	if w.shard.Posts == 0 {
		w.shard.First = id
	}
	if _, err := w.insert.ExecContext(ctx, row(&w.shard, id), e.Title, e.Body, e.Facts); err != nil {
		return fmt.Errorf("archive: add to a shard: %w", err)
	}
	for _, text := range []string{e.Title, e.Body, e.Facts} {
		w.textBytes += int64(len(text))
		for word := range strings.FieldsSeq(text) {
			w.words = append(w.words, wordKey(word))
		}
	}
	if len(w.words) >= w.full {
		slices.Sort(w.words)
		w.words = slices.Compact(w.words)
		w.full = max(2*len(w.words), manyWords)
	}
	w.shard.Last = id
	w.shard.Posts++
	w.shard.Platforms[platform]++
	return nil
}

// row returns a post's row. A shard's rows begin at 1, which keeps them short.
func row(s *archive.Shard, id archive.ID) int64 { return int64(id-s.First) + 1 }

// finish completes the file and returns its path. The file is deleted when the writer is abandoned.
func (w *writer) finish(ctx context.Context) (path string, shard archive.Shard, err error) {
	path = filepath.Join(w.folder, "shard")
	if err := w.index(ctx, path); err != nil {
		return "", archive.Shard{}, fmt.Errorf("archive: finish a shard: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", archive.Shard{}, fmt.Errorf("archive: finish a shard: %w", err)
	}
	form, err := newFilter(w.words)
	if err != nil {
		return "", archive.Shard{}, err
	}
	hot, err := hotPages(ctx, path)
	if err != nil {
		return "", archive.Shard{}, fmt.Errorf("archive: finish a shard: %w", err)
	}
	w.shard.Index, w.shard.Filter, w.shard.Hot = info.Size(), int64(len(form)), int64(len(hot))
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return "", archive.Shard{}, fmt.Errorf("archive: finish a shard: %w", err)
	}
	_, err = file.Write(append(form, hot...))
	digest := sha256.New()
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = io.Copy(digest, file)
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return "", archive.Shard{}, fmt.Errorf("archive: finish a shard: %w", err)
	}
	w.shard.SHA256 = hex.EncodeToString(digest.Sum(nil))
	return path, w.shard, nil
}

// index completes the SQLite file and packs it into another one, in which no page is empty.
func (w *writer) index(ctx context.Context, path string) error {
	if err := w.insert.Close(); err != nil {
		return err
	}
	if _, err := w.tx.ExecContext(ctx, "INSERT INTO posts (posts) VALUES ('optimize')"); err != nil {
		return err
	}
	if err := w.tx.Commit(); err != nil {
		return err
	}
	if _, err := w.db.ExecContext(ctx, "VACUUM INTO ?", path); err != nil {
		return err
	}
	return w.db.Close()
}

// abandon deletes what was written. It may be called after finish, and twice.
func (w *writer) abandon() {
	if w.db != nil {
		_ = w.db.Close()
	}
	_ = os.RemoveAll(w.folder)
}

// find returns the IDs of posts that match an expression of FTS5, the newest first: at most limit of them, from first
// to last. h may be nil.
func find(
	ctx context.Context, s *archive.Shard, cache *Cache, h *head, expression string, first, last archive.ID, limit int,
) (found []archive.ID, err error) {
	first, last = max(first, s.First), min(last, s.Last)
	if first > last {
		return nil, nil
	}
	r := newReader(ctx, cache, s.Key, s.Index)
	r.head = h
	err = eachRow(ctx, r, expression, row(s, first), row(s, last), limit, func(row int64) {
		found = append(found, s.First+archive.ID(row-1))
	})
	if err != nil {
		return nil, failed(ctx, s, r, err)
	}
	return found, nil
}

// eachRow calls do with the rows of an index that match an expression, the last first.
func eachRow(
	ctx context.Context, from opened, expression string, first, last int64, limit int, do func(row int64),
) (err error) {
	fsys, err := registered()
	if err != nil {
		return err
	}
	name := fsys.add(from)
	defer fsys.remove(name)
	db, err := sql.Open("sqlite", "file:"+name+"?vfs="+fsys.name+"&immutable=1&mode=ro&_pragma=cache_size(-2048)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	rows, err := db.QueryContext(ctx,
		"SELECT rowid FROM posts WHERE posts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?",
		expression, first, last, limit)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var row int64
		if err := rows.Scan(&row); err != nil {
			return err
		}
		do(row)
	}
	return rows.Err()
}

func failed(ctx context.Context, s *archive.Shard, r *reader, err error) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("archive: search %s: %w", s.Key, ctx.Err())
	case r.err != nil:
		return fmt.Errorf("archive: search %s: %w", s.Key, r.err)
	}
	return fmt.Errorf("archive: search %s: %w", s.Key, err)
}
