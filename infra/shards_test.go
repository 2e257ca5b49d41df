package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"earshot/events/message"
	composed "earshot/functions/local/deployment"
	"earshot/shared/port/queue"
	"earshot/shared/post"
	"earshot/shared/worker"
)

// Where data is kept, a deleted shard can be had back for as long as the table that lists it.
func TestShards_Bucket(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		bucket := made.data.at(t, "Data/Shards/Bucket")
		rule := map[string]any{
			"Status": "Enabled", "AbortIncompleteMultipartUpload": map[string]any{"DaysAfterInitiation": 1},
		}
		versions := any(nil)
		if stage.Keep {
			rule["NoncurrentVersionExpiration"] = map[string]any{"NoncurrentDays": stage.RecoveryDays}
			rule["ExpiredObjectDeleteMarker"] = true
			versions = "Enabled"
		}
		for what, check := range map[string]struct{ got, want any }{
			"life":     {bucket.property("LifecycleConfiguration", "Rules"), []any{rule}},
			"versions": {bucket.property("VersioningConfiguration", "Status"), versions},
		} {
			if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
				t.Errorf("%s is %v, want %v", what, check.got, check.want)
			}
		}
	})
}

// The builder's disk has room for the largest merge.
func TestShards_Disk(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		for _, function := range Manifest() {
			size := made.in(function).at(t, function.home()+"/Fn").property("EphemeralStorage", "Size")
			want := any(nil)
			if function.DiskMiB > 0 {
				want = function.DiskMiB
			}
			if fmt.Sprint(size) != fmt.Sprint(want) {
				t.Errorf("%s has a disk of %v MiB, want %v", function.Name, size, want)
			}
		}
	})
}

// archiving is what the archive of a post costs ingest, counted on ten messages of ten posts that no keyword matches.
func (p *play) archiving() (reads, writes float64) {
	const messages, each = 10, 10
	ingest, took := metered(p.parts["ingest"])
	intake := composed.Intake(ingest)
	handed := func(first int) (s spent) {
		var batch []queue.Delivery
		for i := range messages {
			var posts []post.Post
			for k := range each {
				id := first + i*each + k
				title := fmt.Sprintf("Case %d", id)
				body := strings.Repeat("The export of our own data took a minute. ", 6)
				posts = append(posts, post.Post{
					Source: "hackernews", SourceID: fmt.Sprintf("hackernews_story_%d", id), Title: &title, Body: &body,
					PostedAt: p.world.Clock.Now().Add(-time.Duration(id) * time.Second),
				})
			}
			bodies, _ := message.Pack(posts, queue.MaxBody)
			batch = append(batch, queue.Delivery{ID: fmt.Sprint(i), Body: bodies[0], Receives: 1})
		}
		failed, err := worker.Deliver(composed.Consumers(ingest, intake)[queue.Posts], queue.Posts)(p.t.Context(), batch)
		if err != nil || len(failed) > 0 {
			p.t.Fatalf("%v %v", failed, err)
		}
		return took(p.t)
	}
	handed(1)               // and what is only read at a start
	counted := handed(1000) // what ingest reads besides is once a call
	return counted.ReadUnits / (messages * each), counted.WriteUnits / (messages * each)
}

// What the guide says a million archived posts cost: counted, at the prices that it names.
func TestTheGuideCountsTheArchive(t *testing.T) {
	const (
		archiveReadPrice, archiveWritePrice = 0.155e-6, 0.78e-6
		bytesOfRow, bytesOfShard            = 450.0, 300.0 // of a post of 50 words
		postsASecond                        = 12_000       // built by a core: half of what BenchmarkArchive measured
		rangePrice                          = 0.4e-6       // of S3
		million                             = 1e6
	)
	reads, writes := newPlay(t).archiving()
	hundredths := func(v float64) float64 { return float64(int(v*100+0.5)) / 100 }
	reads, writes = hundredths(reads), hundredths(writes)
	// Each post is read when its shard is built and merged twice.
	built := 3 * 0.5 * million
	seconds := 3 * million / postsASecond
	for _, row := range []struct {
		says, counted string
		dollars       float64
	}{
		{
			"looked up, and stored", fmt.Sprintf("%g read units, %g write units each", reads, writes),
			million * (reads*archiveReadPrice + writes*archiveWritePrice),
		},
		{
			"read for a shard, which is merged twice",
			fmt.Sprintf("%.0f read units, %.0f s of 1.73 GB", built, seconds),
			built*archiveReadPrice + seconds*1769/1024*gbSecondPrice,
		},
		{
			"kept, a month",
			fmt.Sprintf("%.2f GB × 0.30, and %.2f GB × 0.023", million*bytesOfRow/1e9, million*bytesOfShard/1e9),
			million * (bytesOfRow/1e9*0.30 + bytesOfShard/1e9*0.023),
		},
		{
			"1,000 searches that find 100 posts each in 10 cold shards, 6 ranges each", "60,000 ranges, 50,000 read units",
			60_000*rangePrice + 50_000*archiveReadPrice,
		},
	} {
		holds(t, fmt.Sprintf("| %s | %s | %.2f |", row.says, row.counted, row.dollars))
	}
}
