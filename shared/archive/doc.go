// Package archive keeps posts and finds them by their words, on a laptop's disk and on S3 alike. It costs nothing while
// nobody asks.
//
// # What there is
//
//   - A document is a post, packed, in the table. Its key is the post's ID, and an ID says when the post was posted.
//   - A batch lists the IDs of posts that were added together and that no shard has yet.
//   - A shard is an immutable file with an SQLite FTS5 index of the words of posts, without their texts. Its rows are
//     IDs. Behind the index is the head: a filter of its words, and copies of the pages that every query needs.
//   - The manifest is one row of the table that lists the shards. What it does not list does not exist.
//
// Add stores documents and their batch. Delete removes a document at once, and its words from the shards within a day.
// Package shards builds, merges and searches shards. It links SQLite, and this package does not.
//
// # Guarantees
//
// Everything may be killed anywhere and be repeated. A post that was added is found from then on, once, before and
// after shards are built and merged. An index finds at least what matches, and the query decides on the document. So
// shards, one index and a scan of all posts give the same posts in the same order.
//
// # Costs
//
// A post takes half a read unit when it comes, and a write unit for each kilobyte when it is new: Add asks first,
// because posts come several times. A document is never written again, whatever becomes of its shards. A cold query
// takes one ranged read for a shard's head, and for each of its words about one more. A shard whose filter lacks a
// needed word takes no more than its head.
//
// Functions that take posts in import it, and package shards.
package archive
