package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"earshot/functions/postshards"
	stored "earshot/shared/archive"
	"earshot/shared/archive/shards"
	"earshot/shared/embedded/folderblob"
	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/judge/language"
	"earshot/shared/port/clock"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
	"earshot/shared/store/rows"
)

// An archive holds posts that can be searched as their platforms can. Close it.
type archive struct {
	posts  []post.Post
	table  *sqlitetable.Table
	reader *shards.Reader
	folder string
	names  []string // of its platforms
}

func openArchive(ctx context.Context, posts []post.Post) (_ *archive, err error) {
	folder, err := os.MkdirTemp("", "quality")
	if err != nil {
		return nil, err
	}
	a := &archive{posts: posts, folder: folder}
	defer func() {
		if err != nil {
			a.close()
		}
	}()
	if a.table, err = sqlitetable.Open(
		filepath.Join(folder, "archive.db"), rows.Schemas(), sqlitetable.Options{Clock: clock.System{}},
	); err != nil {
		return nil, err
	}
	kept, files := archivestore.New(store.New(a.table, clock.System{})), folderblob.New(folder)
	cache, err := shards.NewCache(shards.CacheOptions{Files: files})
	if err != nil {
		return nil, err
	}
	if err := stored.Add(ctx, kept, clock.System{}, posts); err != nil {
		return nil, err
	}
	detector, err := language.New()
	if err != nil {
		return nil, err
	}
	if err := postshards.Run(ctx, postshards.Options{
		Store:    kept,
		Files:    files,
		Cache:    cache,
		Clock:    clock.System{},
		Folder:   folder,
		Language: detector.Detect,
		Quiet:    -time.Second, // nobody else adds posts
	}); err != nil {
		return nil, err
	}
	a.reader = shards.NewReader(kept, cache)
	a.names, err = a.reader.Platforms(ctx)
	return a, err
}

func (a *archive) close() {
	if a.table != nil {
		a.table.Close()
	}
	os.RemoveAll(a.folder)
}

// archives are the archives of corpora. Close them.
type archives map[string]*archive

func openArchives(ctx context.Context, of corpora) (archives, error) {
	all := archives{}
	for name, posts := range of {
		a, err := openArchive(ctx, posts)
		if err != nil {
			all.close()
			return nil, err
		}
		all[name] = a
	}
	return all, nil
}

func (a archives) close() {
	for _, each := range a {
		each.close()
	}
}

// A view says how an archive's platforms are surveyed. The zero view changes nothing.
type view struct {
	until time.Time // as if it were then; zero: the archive's end
	most  int       // posts that a search shows; 0: as many as the archive does
}

func (v view) String() string {
	text := "pages of 500"
	if v.most > 0 {
		text = fmt.Sprintf("pages of %d", v.most)
	}
	if !v.until.IsZero() {
		text += ", as of " + v.until.Format(time.DateOnly)
	}
	return text
}

// sources returns the archive's platforms.
func (a *archive) sources(v view) []source.Source {
	all := make([]source.Source, len(a.names))
	for i, name := range a.names {
		all[i] = &viewed{a.reader.Source(name), v}
	}
	return all
}

// end returns where a platform's windows end.
func (a *archive) end(ctx context.Context, name string, v view) (time.Time, error) {
	newest, err := (&viewed{a.reader.Source(name), v}).Newest(ctx)
	return newest.Add(time.Millisecond), err
}

// viewed is a platform that ends earlier, or shows less, than the archive.
type viewed struct {
	*shards.Source
	view
}

func (v *viewed) About() source.About {
	about := v.Source.About()
	if v.most > 0 {
		about.Max = min(about.Max, v.most)
	}
	return about
}

func (v *viewed) Newest(ctx context.Context) (time.Time, error) {
	if !v.until.IsZero() {
		return v.until, nil
	}
	return v.Source.Newest(ctx)
}

func (v *viewed) Search(ctx context.Context, q source.Query) (source.Page, error) {
	q.Max = q.Limit(v.About())
	return v.Source.Search(ctx, q)
}
