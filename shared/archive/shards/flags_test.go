package shards_test

import "flag"

// queries is how many random queries TestSearch_LikeScan runs. The figure of 10,000 takes some minutes.
var queries = flag.Int("queries", 150, "random queries of TestSearch_LikeScan")
