package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"earshot/functions/postshards"
	"earshot/shared/archive"
	"earshot/shared/archive/shards"
	"earshot/shared/embedded/folderblob"
	"earshot/shared/embedded/sqlitearchive"
	"earshot/shared/judge/language"
	"earshot/shared/port/clock"
	"earshot/shared/post"
)

// A postArchive keeps the posts that came in: their documents in the table, and their shards in the data folder.
//
// It goes by the machine's clock. The workbench's can be put back, and batches of then would count as built.
type postArchive struct {
	store    archive.Store
	files    *folderblob.Blob
	cache    *shards.Cache
	reader   *shards.Reader
	language *language.Detector
}

func openPostArchive(store archive.Store, data string) (*postArchive, error) {
	a := &postArchive{store: store, files: folderblob.New(data)}
	var err error
	if a.language, err = language.New(); err != nil {
		return nil, err
	}
	if a.cache, err = shards.NewCache(shards.CacheOptions{Files: a.files}); err != nil {
		return nil, err
	}
	a.reader = shards.NewReader(store, a.cache)
	return a, nil
}

func (a *postArchive) add(ctx context.Context, posts []post.Post) error {
	return archive.Add(ctx, a.store, clock.System{}, posts)
}

// rests is how long a batch rests on a laptop before it is built: longer than any worker runs.
const rests = 2 * time.Minute

// builder returns the function that builds shards, as this program runs it.
func (a *postArchive) builder() *postshards.Options {
	return &postshards.Options{
		Store:    a.store,
		Files:    a.files,
		Cache:    a.cache,
		Clock:    clock.System{},
		Language: a.language.Detect,
		Quiet:    rests,
		Margin:   time.Minute,
	}
}

// buildAll builds shards of all posts. Nobody else may add posts at the same time.
func (a *postArchive) buildAll(ctx context.Context) error {
	o := *a.builder()
	o.Quiet = -time.Second // the batches of this very moment too
	return postshards.Run(ctx, o)
}

// earlierArchive is the file in the data folder in which versions before shards kept the archive.
const earlierArchive = "archive.db"

// openEarlier opens the archive of an earlier version; nil if there is none. The caller closes it.
func openEarlier(data string) (*sqlitearchive.Archive, error) {
	path := filepath.Join(data, earlierArchive)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return sqlitearchive.Open(path)
}

// startMoving runs moveEarlier in the background. stop ends it, and returns when it ended.
func (a *postArchive) startMoving(
	ctx context.Context, earlier *sqlitearchive.Archive, data string, stdout io.Writer, log *slog.Logger,
) (stop func()) {
	if earlier == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := a.moveEarlier(ctx, earlier, data, stdout); err != nil && ctx.Err() == nil {
			log.Error("the archive of an earlier version was not moved; the next start goes on", "cause", err)
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// moveEarlier moves the posts of an earlier version's archive into this one, closes it, and removes its file. It may be
// killed anywhere: the next start goes on.
func (a *postArchive) moveEarlier(
	ctx context.Context, earlier *sqlitearchive.Archive, data string, stdout io.Writer,
) error {
	path := filepath.Join(data, earlierArchive)
	fmt.Fprintf(stdout, "Moving the posts of %s to the archive's new place. Searches may miss some until then.\n", path)
	moved, err := archive.Move(ctx, a.store, clock.System{}, earlier)
	if err := errors.Join(err, earlier.Close()); err != nil {
		return err
	}
	for _, part := range []string{"-wal", "-shm", ""} { // the file last: it says that there is something to move
		if err := os.Remove(path + part); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	fmt.Fprintf(stdout, "Moved %d posts, and removed %s.\n", moved, path)
	return nil
}
