"""questions.py ENGINE FORM DIR: what an engine answers from an export, a line of JSON for each row."""
import datetime
import json
import os
import sys

engine, form, where = sys.argv[1:]

EVIDENCE = """
    select repository, command_key, evidence_tree, count(*) as runs from runs
    where evidence_tree is not null group by repository, command_key, evidence_tree"""
FAILED = """
    select r.repository as repository, r.command_key as command_key, r.evidence_tree as evidence_tree, f.group_id as group_id, count(distinct r.run_id) as failed
    from findings f join runs r on r.run_id = f.run_id
    where r.evidence_tree is not null and f.kind = 'test_failure' and f.stage_number = 0 and f.group_id is not null
    group by r.repository, r.command_key, r.evidence_tree, f.group_id"""

QUESTIONS = {
    "status": "select repository, status, count(*) from runs group by repository, status",
    "newest failures": "select run_id, tool, time, says, duration_ms from runs where status = 'failed' order by time desc, run_id limit 5",
    "finding": """select f.fingerprint, f.message, min(f.time), max(f.time), count(*) from findings f join runs r on r.run_id = f.run_id
        where f.test_id = 'tests/test_a.py::test_1' group by f.fingerprint, f.message""",
    "flaky": f"""select f.repository, f.group_id, sum(f.failed), sum(e.runs), count(*)
        from ({FAILED}) f join ({EVIDENCE}) e
        on e.repository = f.repository and e.command_key = f.command_key and e.evidence_tree = f.evidence_tree
        where f.failed < e.runs group by f.repository, f.group_id""",
    "slowest": "select repository, command, count(*), sum(duration_ms), max(duration_ms) from runs group by repository, command",
    "skipped": "select repository, test_id, count(*), max(line_number), count(duration_ms) from outcomes where outcome = 'skipped' group by repository, test_id",
    "hidden by a pipe": """select s.command, s.read_by, s.exit_code, r.exit_code, count(*) from stages s join runs r on r.run_id = s.run_id
        where s.exit_code <> 0 group by s.command, s.read_by, s.exit_code, r.exit_code""",
    "agents": """select agent, dirty, findings_missing, count(*), sum(raw_size_bytes), sum(shown_size_bytes), count(passed_count), min(branch)
        from runs group by agent, dirty, findings_missing""",
}
TABLES = ["runs", "findings", "outcomes", "stages"]


def duckdb_engine():
    import duckdb

    db = duckdb.connect()
    db.execute("set timezone = 'UTC'")
    reader = {"parquet": "read_parquet", "csv": "read_csv", "jsonl": "read_json"}[form]
    for table in TABLES:
        db.execute(f"create view {table} as select * from {reader}('{where}/{table}/**/*.{form}', union_by_name = true)")
    return lambda sql: db.execute(sql).fetchall()


def chdb_engine():
    from chdb.session import Session

    db = Session()

    def ask(sql):
        tables = ", ".join(f"{t} as (select * from file('{where}/{t}/**/*.parquet', Parquet))" for t in TABLES)
        settings = "settings join_use_nulls = 1, session_timezone = 'UTC', output_format_json_quote_64bit_integers = 0"
        out = db.query(f"with {tables} {sql} {settings}", "JSONCompactEachRow")
        return [json.loads(line) for line in str(out).splitlines()]

    return ask


def pyspark_engine():
    from pyspark.sql import SparkSession

    db = (SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false").config("spark.sql.session.timeZone", "UTC")
          .config("spark.sql.shuffle.partitions", "2").config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate())
    db.sparkContext.setLogLevel("ERROR")
    for table in TABLES:
        db.read.parquet(f"{where}/{table}").createOrReplaceTempView(table)
    return lambda sql: [tuple(row) for row in db.sql(sql).collect()]


def plain(value):
    """A cell as each engine would write it."""
    if isinstance(value, datetime.datetime):
        return value.replace(tzinfo=None).strftime("%Y-%m-%d %H:%M:%S.%f")
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return value
    return int(value)


os.environ.update(TZ="UTC", SPARK_LOCAL_IP="127.0.0.1")
ask = {"duckdb": duckdb_engine, "chdb": chdb_engine, "pyspark": pyspark_engine}[engine]()
for name, sql in QUESTIONS.items():
    print("==", name)
    for line in sorted(json.dumps([plain(v) for v in row], separators=(",", ":")) for row in ask(sql)):
        print(line)
