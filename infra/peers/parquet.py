"""Prints the rows of a Parquet file as lines of JSON, as DuckDB reads them: python parquet.py FILE."""

import json
import sys

import duckdb

COLUMNS = """id, source_id, epoch_ms(posted_at) AS posted, source, title, body, author, author_followers, sentiment,
  relevance, tags, keyword_ids, engagement, map_entries(engagement_metrics) AS counters"""

engine = duckdb.connect(config={"threads": 1})
rows = engine.execute(f"SELECT {COLUMNS} FROM read_parquet(?)", [sys.argv[1]])
names = [column[0] for column in rows.description]
for row in rows.fetchall():
    print(json.dumps(dict(zip(names, row))))
