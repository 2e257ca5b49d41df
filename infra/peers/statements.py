"""Runs the SQL of analytics on DuckDB over Parquet files: python statements.py.

Each line of the input is a request {"root", "sql", "parameters"}; each line of the output has its {"rows"} or its
{"error"}. root is the folder with the day files. Values are texts, or null.
"""

import json
import sys

import duckdb

# What Athena has of itself: the columns of the partitions as texts, the address of a row's file, and times in UTC.
VIEW = """CREATE OR REPLACE VIEW mentions AS
SELECT * REPLACE (make_timestamp(epoch_us(posted_at)) AS posted_at), filename AS "$path"
FROM read_parquet('{root}/analytics/*/*/*.parquet', hive_partitioning = true,
  hive_types = {{'workspace': VARCHAR, 'day': VARCHAR}}, filename = true)"""


def text(value):
    if value is None or isinstance(value, str):
        return value
    return str(int(value))


def main():
    engine = duckdb.connect(config={"threads": 1})
    seen = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["root"] != seen:
                seen = request["root"]
                engine.execute(VIEW.format(root=seen.replace("'", "''")))
            rows = engine.execute(request["sql"], request["parameters"]).fetchall()
            answer = {"rows": [[text(value) for value in row] for row in rows]}
        except duckdb.Error as cause:
            answer = {"error": str(cause)}
        print(json.dumps(answer), flush=True)


main()
