package postarchive_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"earshot/functions/postshards"
	"earshot/shared/archive"
	"earshot/shared/aws/account"
	"earshot/shared/aws/postarchive"
	"earshot/shared/aws/s3blob"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
	"earshot/shared/worldtest"
)

// variables returns the environment of a function with a new bucket on the server in BLOB_ENDPOINT. Without one the
// test is skipped.
func variables(t *testing.T) func(string) string {
	t.Helper()
	endpoint := os.Getenv("BLOB_ENDPOINT")
	if endpoint == "" {
		t.Skip("BLOB_ENDPOINT is not set: no S3-compatible server to test against (see make peers)")
	}
	asker, err := account.From(os.Getenv, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	bucket := "test-" + strings.ToLower(rand.Text())
	client := s3blob.NewClient(asker)
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &bucket}); err != nil {
		t.Fatal(err)
	}
	return func(name string) string {
		if name == s3blob.ArchiveBucket {
			return bucket
		}
		return os.Getenv(name)
	}
}

// The archive on S3 finds each post once: in batches, in shards, and after shards were merged, by a reader that has
// read nothing yet.
func TestArchive_OnS3(t *testing.T) {
	env := variables(t)
	w := worldtest.NewWorld(t)
	stored := archivestore.New(store.New(w.Table, w.Clock))
	const perDay, days = 150, 3
	began := w.Clock.Now()
	find := func(when string, want int) {
		t.Helper()
		opened, err := postarchive.FromEnvironment(env, stored)
		worldtest.Must(t, err)
		var found []string
		query := source.Query{
			Text: "lantern", Exact: true, Since: began.Add(-time.Hour), Until: w.Clock.Now().Add(time.Hour),
		}
		for {
			page, err := opened.Reader.Source("hackernews").Search(t.Context(), query)
			worldtest.Must(t, err)
			for _, p := range page.Posts {
				found = append(found, p.SourceID)
			}
			if page.Next == "" {
				break
			}
			query.After = page.Next
		}
		distinct := slices.Compact(slices.Sorted(slices.Values(found)))
		if len(found) != want || len(distinct) != want {
			t.Errorf("%s: %d posts, %d of them different, want %d", when, len(found), len(distinct), want)
		}
	}
	for day := range days {
		var posts []post.Post
		for i := range perDay {
			body := fmt.Sprintf("The lantern of day %d and case %d.", day, i)
			posts = append(posts, post.Post{
				Source: "hackernews", SourceID: fmt.Sprintf("hackernews_story_%d", day*perDay+i), Body: &body,
				URL: "https://news.example/", PostedAt: w.Clock.Now().Add(-time.Duration(i) * time.Second),
			})
		}
		worldtest.Must(t, archive.Add(t.Context(), stored, w.Clock, posts))
		find("in batches", (day+1)*perDay)
		w.Clock.Freeze(w.Clock.Now().Add(25 * time.Hour))
		opened, err := postarchive.FromEnvironment(env, stored)
		worldtest.Must(t, err)
		worldtest.Must(t, postshards.Run(t.Context(), postshards.Options{
			Store: stored, Files: opened.Files, Cache: opened.Cache, Clock: w.Clock, Folder: t.TempDir(),
			Language: func(string) string { return "english" },
		}))
		find("in shards", (day+1)*perDay)
	}
	m, err := stored.ArchiveManifest(t.Context())
	worldtest.Must(t, err)
	if len(m.Shards) >= days {
		t.Errorf("%d shards of %d days, want some merged", len(m.Shards), days)
	}
}

// A deployment that names no bucket says so.
func TestFromEnvironment_NoBucket(t *testing.T) {
	env := map[string]string{"AWS_REGION": "eu-north-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "hunter2"}
	_, err := postarchive.FromEnvironment(func(name string) string { return env[name] }, nil)
	if err == nil || !strings.Contains(err.Error(), s3blob.ArchiveBucket) {
		t.Errorf("FromEnvironment = %v, want an error that names %s", err, s3blob.ArchiveBucket)
	}
}
