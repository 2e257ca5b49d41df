"""Counts rows by filters in DuckDB, on one thread. The argument names a file of tab-separated rows with a header.

Each line of standard input is a condition of SQL, and each line of output the round's nanoseconds and count.
"""

import sys
import time

import duckdb

db = duckdb.connect()
db.execute("SET threads = 1")
db.execute(
    "CREATE TABLE rows AS SELECT * REPLACE (string_split(tags, '|') AS tags, "
    "list_transform(string_split(keywords, '|'), k -> k::BIGINT) AS keywords) FROM read_csv(?, delim='\\t', header=true, "
    "nullstr='NULL', columns={'source': 'VARCHAR', 'language': 'VARCHAR', 'sentiment': 'VARCHAR', 'author': 'VARCHAR', "
    "'followers': 'BIGINT', 'isReply': 'BOOLEAN', 'tags': 'VARCHAR', 'keywords': 'VARCHAR'})",
    [sys.argv[1]],
)
for condition in sys.stdin:
    begun = time.perf_counter_ns()
    (count,) = db.execute("SELECT count(*) FROM rows WHERE " + condition).fetchone()
    print(time.perf_counter_ns() - begun, count, flush=True)
