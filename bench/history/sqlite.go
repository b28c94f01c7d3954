package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"cairn/bench/rss"
	"cairn/bench/team"
)

// schema is a schema that one might write by hand for these questions: one row per capture, one row per finding, and an
// index for each column that is searched. The verdict is tool and status, the beginning of a record's "says".
const schema = `PRAGMA journal_mode = off;
PRAGMA synchronous = off;
CREATE TEMP TABLE line(json TEXT);
.mode ascii
.separator "\037" "\n"
.import --schema temp "|find '%s' -name '*.jsonl' -exec cat {} +" line
CREATE TABLE capture AS SELECT json->>'id' AS id, json->>'time' AS time, json->>'argv' AS argv,
	substr(json->>'says' || ':', 1, instr(json->>'says' || ':', ':') - 1) AS verdict,
	json->>'says' AS says, json->>'duration_ms' AS duration, json->>'$.raw.size' AS size, json->>'$.git.commit' AS commit_id, json->>'$.git.branch' AS branch FROM line;
CREATE TABLE finding AS SELECT line.json->>'id' AS capture, value->>'fingerprint' AS fingerprint, value->>'message' AS message
	FROM line, json_each(line.json, '$.result.findings');
CREATE UNIQUE INDEX by_id ON capture(id);
CREATE INDEX by_time ON capture(time);
CREATE INDEX by_verdict ON capture(verdict, time);
CREATE INDEX by_commit ON capture(commit_id);
CREATE INDEX by_branch ON capture(branch);
CREATE INDEX by_fingerprint ON finding(fingerprint);
ANALYZE;
`

// database loads the records into SQLite and asks equivalent questions. The comparison is not exact: nothing keeps the
// database up to date, so the loading time is printed too; and its history and search count and order less.
func (a asker) database(dir, tmp, fingerprint string) ([]question, error) {
	if _, err := exec.LookPath("sqlite3"); err != nil {
		fmt.Printf("%-34s not installed\n", "sqlite3")
		return nil, nil
	}
	file := filepath.Join(tmp, "history.db")
	cmd := exec.Command("sqlite3", "-bail", file)
	cmd.Stdin = strings.NewReader(fmt.Sprintf(schema, filepath.Join(dir, "manifest")))
	cmd.Env = append(a.env, "SQLITE_TMPDIR="+tmp)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	begun := time.Now()
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		return nil, fmt.Errorf("loading the records into sqlite3: %v\n%s", err, errs.String())
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	busy := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	fmt.Printf("%-34s %9s %9s %9s %9s %5d MB, a file of %d MB\n", "sqlite3: loaded (once)", time.Since(begun).Round(time.Millisecond), "", busy.Round(time.Millisecond), "", rss.Max(cmd.ProcessState)>>20, info.Size()>>20)
	ask := func(name, sql string) question {
		return question{"sqlite3: " + name, 0, []string{"sqlite3", "-readonly", file, sql}, 0}
	}
	return []question{
		ask("newest 20", `SELECT id, time, argv, says FROM capture ORDER BY time DESC LIMIT 20`),
		ask("failed pytest, newest 20", `SELECT id, time, argv, says FROM capture WHERE verdict = 'pytest failed' ORDER BY time DESC LIMIT 20`),
		ask("history of a fingerprint", `SELECT count(DISTINCT id), min(time), max(time) FROM finding JOIN capture ON id = capture WHERE fingerprint = '`+fingerprint+`'`),
		ask("text search", `SELECT message, count(DISTINCT capture) FROM finding WHERE message LIKE '%`+team.Text+`%' GROUP BY message ORDER BY 2 DESC LIMIT 20`),
		ask("statistics", `SELECT verdict, count(*), avg(duration), max(duration), sum(size) FROM capture GROUP BY verdict`),
	}, nil
}
