package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"cairn/recall/filter"
)

// Question is a question to the database.
type Question struct {
	Name    string // a question of recall, or a view
	Args    []string
	Repos   []string // only these repositories; nil: all
	Filters filter.Filters
	Now     time.Time
}

// Answer is the result of a question, as a table.
type Answer struct {
	Columns []string
	Rows    [][]any
	More    bool // a limit left rows out
}

// views are the views that can be asked for by name.
var views = []string{"flaky", "newest", "failing_since", "new_today", "slowest", "regressions", "proven", "unproven", "tokens"}

// Views returns their names.
func Views() []string { return slices.Clone(views) }

// elsewhere are questions of recall that tables cannot answer, and where to ask them.
var elsewhere = map[string]string{
	"object": "bytes are in the clones, and in their remotes (cairn remote add)",
	"last":   "it is about the files of one working tree: ask in it",
	"blame":  "it needs the commits of one repository: ask in a clone of it",
}

// Ask answers a question.
func (d *Database) Ask(ctx context.Context, q Question) (*Answer, error) {
	s, err := q.sql()
	if err != nil {
		return nil, err
	}
	rows, err := d.conn.Query(ctx, s.text.String(), s.args...)
	if err != nil {
		return nil, fmt.Errorf("asking %s: %w", d.Name, err)
	}
	a := &Answer{}
	for _, f := range rows.FieldDescriptions() {
		a.Columns = append(a.Columns, f.Name)
	}
	if a.Rows, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]any, error) { return row.Values() }); err != nil {
		return nil, fmt.Errorf("asking %s: %w", d.Name, err)
	}
	if s.limit > 0 && len(a.Rows) > s.limit {
		a.Rows, a.More = a.Rows[:s.limit], true
	}
	return a, nil
}

// statement is a query that is being built.
type statement struct {
	text  strings.Builder
	args  []any
	limit int
}

// arg adds a value, and returns its placeholder.
func (s *statement) arg(v any) string {
	s.args = append(s.args, v)
	return fmt.Sprintf("$%d", len(s.args))
}

func (s *statement) add(format string, args ...any) { fmt.Fprintf(&s.text, format, args...) }

func (q *Question) sql() (*statement, error) {
	if why := elsewhere[q.Name]; why != "" {
		return nil, fmt.Errorf("recall %s cannot be asked of a fleet: %s", q.Name, why)
	}
	s := &statement{}
	asked := map[string]func(*statement, filter.Chosen) error{
		"objects": q.objects, "finding": q.finding, "flaky": q.flaky, "stats": q.stats, "test": q.test, "tests": q.tests, "diff": q.diff, "search": q.search,
	}
	if ask := asked[q.Name]; ask != nil {
		c, err := q.Filters.Read(q.Name, q.Now)
		if err != nil {
			return nil, err
		}
		s.limit = c.Limit
		return s, ask(s, c)
	}
	if !slices.Contains(views, q.Name) {
		return nil, fmt.Errorf("there is no view %q; there are %s", q.Name, strings.Join(views, ", "))
	}
	s.limit = q.Filters.Limit
	s.add("select * from %s v where %s", q.Name, q.ofRepos(s, "v"))
	s.end("")
	return s, nil
}

// end adds the order, and a limit of one row more than wanted, to see whether there are more.
func (s *statement) end(order string) {
	if order != "" {
		s.add(" order by %s", order)
	}
	if s.limit > 0 {
		s.add(" limit %d", s.limit+1)
	}
}

func (q *Question) ofRepos(s *statement, table string) string {
	if len(q.Repos) == 0 {
		return "true"
	}
	return fmt.Sprintf("%s.repository = any(%s)", table, s.arg(q.Repos))
}

// any returns the condition that one of the patterns matches a text column.
func (s *statement) any(column string, p filter.Patterns, form func(column string, one filter.Pattern) string) []string {
	if len(p) == 0 {
		return nil
	}
	var all []string
	for _, one := range p {
		all = append(all, form(column, one))
	}
	return []string{"(" + strings.Join(all, " or ") + ")"}
}

// is, begins, family and path are conditions for patterns as package filter defines them.
func (s *statement) is(column string, p filter.Pattern) string {
	if text, plain := p.Text(); plain {
		return column + " = " + s.arg(text)
	}
	return column + " ~ " + s.arg(p.Regexp())
}

func (s *statement) begins(column string, p filter.Pattern) string {
	if text, plain := p.Text(); plain {
		return fmt.Sprintf("starts_with(%s, %s)", column, s.arg(text))
	}
	return s.is(column, p)
}

func (s *statement) family(column string, p filter.Pattern) string {
	if text, plain := p.Text(); plain {
		return fmt.Sprintf("(%s or starts_with(%s, %s))", s.is(column, p), column, s.arg(text+"-"))
	}
	return s.is(column, p)
}

func (s *statement) path(column string, p filter.Pattern) string {
	text, plain := p.Text()
	if plain && text == "." {
		return column + " is not null"
	}
	if !plain {
		whole := strings.TrimSuffix(strings.TrimPrefix(p.Regexp(), "^"), "$")
		return fmt.Sprintf("%s ~ %s", column, s.arg("^"+whole+"$|^.*/"+whole+"$|^"+whole+"/.*$"))
	}
	if strings.HasSuffix(text, "/") {
		return fmt.Sprintf("strpos('/' || %s, %s) > 0", column, s.arg("/"+text))
	}
	return fmt.Sprintf("strpos('/' || %s || '/', %s) > 0", column, s.arg("/"+text+"/"))
}

// ofRuns is the condition that selects captures, as for "recall objects".
func (q *Question) ofRuns(s *statement, c filter.Chosen) (string, error) {
	if c.Grep != "" {
		return "", fmt.Errorf("--grep cannot be asked of a fleet: outputs are in the clones; \"recall search TEXT\" looks through commands and messages")
	}
	all := []string{q.ofRepos(s, "r")}
	all = append(all, s.any("r.status", c.Status, s.is)...)
	all = append(all, s.any("r.tool", c.Tool, s.family)...)
	all = append(all, s.any("r.kind", c.Kind, s.is)...)
	all = append(all, s.any("r.branch", c.Branch, s.is)...)
	all = append(all, s.any("r.agent", c.Agent, s.is)...)
	all = append(all, s.any("r.session", c.Session, s.begins)...)
	all = append(all, s.any("r.command", c.Command, s.begins)...)
	for column, texts := range map[string][]string{"r.commit": c.Commits, "coalesce(r.worktree, r.evidence_tree)": c.Trees} {
		if len(texts) > 0 {
			begun := make([]string, len(texts))
			for i, t := range texts {
				if !filter.Hex(t, 4, 64) {
					return "", fmt.Errorf("%q must be the beginning of a hash: a fleet has no git to resolve it", t)
				}
				begun[i] = fmt.Sprintf("starts_with(%s, %s)", column, s.arg(strings.ToLower(t)))
			}
			all = append(all, "("+strings.Join(begun, " or ")+")")
		}
	}
	if len(c.Dirty) > 0 {
		all = append(all, fmt.Sprintf("r.commit is not null and case r.dirty when true then 'yes' when false then 'no' else 'unknown' end = any(%s)", s.arg(c.Dirty)))
	}
	if f := s.ofFindings(c); len(f) > 0 {
		all = append(all, "exists (select from findings f where f.run_id = r.run_id and f.time = r.time and f.stage_number = 0 and "+strings.Join(f, " and ")+")")
	}
	return strings.Join(append(all, s.between("r.time", c)...), " and "), nil
}

func (s *statement) between(column string, c filter.Chosen) (all []string) {
	if !c.Since.IsZero() {
		all = append(all, column+" >= "+s.arg(c.Since))
	}
	if !c.Until.IsZero() {
		all = append(all, column+" < "+s.arg(c.Until))
	}
	return all
}

// ofFindings are the conditions that select findings.
func (s *statement) ofFindings(c filter.Chosen) (all []string) {
	if len(c.Fingerprints) > 0 {
		var begun []string
		for _, f := range c.Fingerprints {
			begun = append(begun, fmt.Sprintf("(f.fingerprint >= %s and f.fingerprint < %s)", s.arg(f), s.arg(f+"g")))
		}
		all = append(all, "("+strings.Join(begun, " or ")+")")
	}
	all = append(all, s.any("f.rule", c.Rule, s.is)...)
	return append(all, s.any("f.path", c.File, s.path)...)
}

func (q *Question) objects(s *statement, c filter.Chosen) error {
	where, err := q.ofRuns(s, c)
	order := map[string]string{"": "r.time desc, r.run_id desc", "newest": "r.time desc, r.run_id desc", "oldest": "r.time, r.run_id", "slowest": "r.duration_ms desc, r.run_id", "largest": "r.raw_size_bytes desc, r.run_id"}[c.Sort]
	if order == "" {
		return fmt.Errorf("a fleet does not sort by %q; it does by %s", c.Sort, "newest, oldest, slowest and largest")
	}
	s.add(`select r.repository, r.run_id, r.time, r.status, r.says, r.command, r.branch, r.commit, r.agent, r.duration_ms from runs r where %s`, where)
	s.end(order)
	return err
}

// one returns the only argument of a question.
func (q *Question) one(what string) (string, error) {
	if len(q.Args) != 1 {
		return "", fmt.Errorf("give one %s", what)
	}
	return q.Args[0], nil
}

func (q *Question) finding(s *statement, c filter.Chosen) error {
	text, err := q.one("FINDING: a fingerprint, a test, a rule or a file")
	if err != nil {
		return err
	}
	where, err := q.ofRuns(s, c)
	if err != nil {
		return err
	}
	is := ""
	if filter.Hex(text, filter.MinFingerprint, filter.MaxFingerprint) {
		lower := strings.ToLower(text)
		is = fmt.Sprintf("(f.fingerprint >= %s and f.fingerprint < %s)", s.arg(lower), s.arg(lower+"g"))
	} else {
		is = fmt.Sprintf("(f.test_id = %[1]s or f.rule = %[1]s or f.path = %[1]s)", s.arg(text))
	}
	s.add(`select f.repository, f.fingerprint, min(f.test_id) as test_id, min(f.rule) as rule, min(f.message) as message, min(f.path) as path,
		min(f.time) as first_seen, (array_agg(f.run_id order by f.time, f.run_id))[1] as first_run, max(f.time) as last_seen, (array_agg(f.run_id order by f.time desc, f.run_id desc))[1] as last_run,
		count(distinct f.run_id) as run_count, array_agg(distinct r.branch) as branches
		from findings f join runs r on r.run_id = f.run_id and r.time = f.time where f.stage_number = 0 and %s and %s group by f.repository, f.fingerprint`, is, where)
	s.end("max(f.time) desc, f.repository, f.fingerprint")
	return nil
}

func (q *Question) flaky(s *statement, c filter.Chosen) error {
	if c.Since.IsZero() {
		c.Since = q.Now.AddDate(0, 0, -30)
	}
	for name, given := range map[string]bool{"tool": len(c.Tool) > 0, "branch": len(c.Branch) > 0, "until": !c.Until.IsZero(), "command": len(c.Command) > 0} {
		if given {
			return fmt.Errorf("flaky of a fleet takes --since and --repo, and not --%s", name)
		}
	}
	s.add(`select r.* from flaky_since(%s) r where %s`, s.arg(c.Since), q.ofRepos(s, "r"))
	s.end("r.failed_count::numeric / r.run_count desc, r.run_count desc, r.repository, r.group_id")
	return nil
}

func (q *Question) stats(s *statement, c filter.Chosen) error {
	where, err := q.ofRuns(s, c)
	s.add(`select r.repository, count(*) as run_count, count(*) filter (where r.status in ('passed', 'ok')) as good_count, count(*) filter (where r.status = 'failed') as failed_count,
		count(*) filter (where r.status = 'error') as error_count, count(*) filter (where r.status = 'unknown') as unknown_count, avg(r.duration_ms)::bigint as mean_ms, max(r.duration_ms) as longest_ms,
		sum(r.raw_size_bytes)::bigint as raw_size_bytes, sum(r.shown_size_bytes)::bigint as shown_size_bytes, min(r.time) as first_seen, max(r.time) as last_seen from runs r where %s group by r.repository`, where)
	s.end("count(*) desc, r.repository")
	return err
}

func (q *Question) test(s *statement, c filter.Chosen) error {
	id, err := q.one("test ID")
	if err != nil {
		return err
	}
	where, err := q.ofRuns(s, c)
	s.add(`select o.repository, o.run_id, o.time, o.test_id, o.outcome, o.duration_ms, r.branch, r.commit from outcomes o join runs r on r.run_id = o.run_id and r.time = o.time where o.test_id = %s and %s`, s.arg(id), where)
	s.end("o.time desc, o.run_id desc")
	return err
}

// run is a subquery for the runs with an id, or with a beginning of one.
func run(s *statement, id string) (string, error) {
	const idLength = 26
	id = strings.ToUpper(id)
	if len(id) < 6 || len(id) > idLength || strings.Trim(id, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") != "" {
		return "", fmt.Errorf("%q is no run id, nor the first 6 characters of one", id)
	}
	return fmt.Sprintf(`(select run_id from runs where run_id >= %s and run_id < %s limit 2)`, s.arg(id), s.arg(id+"~")), nil
}

func (q *Question) tests(s *statement, _ filter.Chosen) error {
	id, err := q.one("RUN")
	if err != nil {
		return err
	}
	of, err := run(s, id)
	s.add(`select o.repository, o.run_id, o.test_id, o.outcome, o.duration_ms, o.path, o.line_number from outcomes o where o.run_id = %s and %s`, of, q.ofRepos(s, "o"))
	s.end("o.test_number")
	return err
}

// diff compares two runs. A finding that the later run lacks is fixed only if the run accounts for all of its output.
func (q *Question) diff(s *statement, _ filter.Chosen) error {
	if len(q.Args) != 2 {
		return fmt.Errorf("give two runs: a fleet has no branch that is checked out")
	}
	a, err := run(s, q.Args[0])
	if err != nil {
		return err
	}
	b, err := run(s, q.Args[1])
	s.add(`with a as (select * from findings where stage_number = 0 and run_id = %s), b as (select * from findings where stage_number = 0 and run_id = %s), later as (select accounted from runs where run_id = %s)
		select coalesce(b.repository, a.repository) as repository, case when a.fingerprint is null then 'new' when b.fingerprint is not null then 'still' when (select accounted from later) then 'fixed' else 'not shown' end as change,
		coalesce(b.fingerprint, a.fingerprint) as fingerprint, coalesce(b.test_id, a.test_id) as test_id, coalesce(b.rule, a.rule) as rule, coalesce(b.message, a.message) as message, coalesce(b.path, a.path) as path, coalesce(b.line_number, a.line_number) as line_number
		from a full join b on a.fingerprint = b.fingerprint`, a, b, b)
	s.end("2, 3")
	return err
}

func (q *Question) search(s *statement, c filter.Chosen) error {
	text, err := q.one("TEXT")
	if err != nil {
		return err
	}
	where, err := q.ofRuns(s, c)
	like := s.arg("%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text) + "%")
	s.add(`select r.repository, r.run_id, r.time, r.status, r.says, r.command, f.message from runs r
		left join lateral (select f.message from findings f where f.run_id = r.run_id and f.message ilike %[1]s order by f.finding_number limit 1) f on true
		where %[2]s and (r.command ilike %[1]s or r.says ilike %[1]s or f.message is not null)`, like, where)
	s.end("r.time desc, r.run_id desc")
	return err
}
