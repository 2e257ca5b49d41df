package rows

import (
	"fmt"

	"earshot/shared/port/table"
)

// Rows of the archive of posts. Documents are in the archive table, which stores cheaper. Their number within the
// archive is their key, so that they are read in batches and no index is needed.
//
//	archive:  pk "post#<hour>"  sk "<number in the hour>"  a post: "name" is a hash of its sourceId, "post" its packed text
//	counters: pk "archive"      sk "manifest"              the list of shards; "rev" counts its changes
//	counters: pk "archive"      sk "batch#<time>-<random>" numbers of posts that are in no shard yet
const (
	PartitionArchive = "archive"
	SortManifest     = "manifest"
	SortBatch        = "batch#"
	AttrName         = "name"
	AttrPost         = "post"
	AttrPosts        = "posts"
	AttrPlatforms    = "platforms"
	AttrManifest     = "manifest"
)

// postsOfHour is how many numbers an hour of the archive has.
const postsOfHour = 3600 << 12

// PostKey returns the key of a post of the archive.
func PostKey(number int64) table.Key {
	return table.Key{
		Partition: fmt.Sprintf("post#%07d", number/postsOfHour),
		Sort:      fmt.Sprintf("%08d", number%postsOfHour),
	}
}

// ManifestKey returns the key of the archive's manifest.
func ManifestKey() table.Key { return table.Key{Partition: PartitionArchive, Sort: SortManifest} }

// BatchKey returns the key of a batch of posts.
func BatchKey(batch string) table.Key {
	return table.Key{Partition: PartitionArchive, Sort: SortBatch + batch}
}
