"""questions.py DIR FINGERPRINT SINCE: how long DuckDB takes for the questions of this benchmark over an export."""
import statistics
import sys
import time

import duckdb

where, fingerprint, since = sys.argv[1:]
db = duckdb.connect()
db.execute("set timezone = 'UTC'")
for table in ("runs", "findings"):
    db.execute(f"create view {table} as select * from read_parquet('{where}/{table}/**/*.parquet')")
QUESTIONS = {
    "objects": "select repository, run_id, time, says, command from runs where status = 'failed' order by time desc limit 20",
    "finding": f"select repository, min(time), max(time), count(distinct run_id) from findings where fingerprint = '{fingerprint}' group by repository",
    "flaky": f"""
        with failed as (select distinct r.repository, r.command_key, r.evidence_tree, f.group_id, r.run_id from findings f join runs r using (run_id)
            where f.time >= '{since}' and r.time >= '{since}' and f.kind = 'test_failure' and r.evidence_tree is not null),
        trees as (select repository, command_key, evidence_tree, group_id, count(*) as failed from failed group by all),
        evidence as (select repository, command_key, evidence_tree, count(*) as runs from runs where time >= '{since}' and evidence_tree is not null group by all)
        select t.repository, t.group_id, sum(failed), sum(runs) from trees t join evidence using (repository, command_key, evidence_tree)
        where failed < runs group by all order by sum(failed) / sum(runs) desc limit 20""",
}
for name, sql in QUESTIONS.items():
    took = []
    for _ in range(4):
        begun = time.perf_counter()
        rows = db.execute(sql).fetchall()
        took.append(time.perf_counter() - begun)
    print(f"duckdb:   {name:8} {statistics.median(took[1:]) * 1000:8.1f} ms, {len(rows)} rows")
