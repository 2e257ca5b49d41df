// Package shards builds the shards of the archive and searches them. Package archive says what the archive is.
//
// A Builder makes shards of posts that were added, merges shards, and makes shards with deleted posts anew. A Reader
// reads the batches, the manifest, the parts of shards that may match, and the documents of candidates. SQLite reads a
// shard through a file system of ranged reads, with a cache of blocks in memory and in a folder.
//
// Functions that search the archive or build its shards import it.
package shards
