-- A summary for flaky tests, so that the question reads what it is about and not a month of runs.

-- Runs on trees on which, under one command, a test failed in some runs and not in all: a row for each run and such a test. A row never
-- changes, since more runs on a tree leave it mixed. Who loads adds them, with the runs.
create table flaky_runs (
	repository text not null, group_id text not null, command_key text not null, evidence_tree text not null, run_id text not null, time timestamptz not null,
	failed boolean not null, test_id text, message text,
	primary key (run_id, group_id)
);
create index flaky_runs_newest on flaky_runs (time);

-- A tree is nearly as good as a tree and a command, and its index is a quarter as large.
drop index runs_evidence;
create index runs_evidence on runs (evidence_tree) where evidence_tree is not null;

-- Adds what runs on these trees have made mixed. Whoever calls it holds the lock of the repositories, so that of two loaders the later one
-- sees what both brought. Without the settings the planner, which knows nothing yet of a month just made, would read all of it.
create function note_flaky(repositories text[], keys text[], trees text[]) returns void language sql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
	with touched as (
		select distinct * from unnest(repositories, keys, trees) as t(repository, command_key, evidence_tree)
	), on_tree as materialized (
		select t.repository, t.command_key, t.evidence_tree, r.run_id, r.time, count(*) over (partition by t.repository, t.command_key, t.evidence_tree) as runs
		from touched t join runs r on r.evidence_tree = t.evidence_tree and r.repository = t.repository and coalesce(r.command_key, '') = t.command_key
	), failed as materialized (
		select distinct on (f.group_id, o.run_id) o.repository, o.command_key, o.evidence_tree, o.run_id, o.runs, f.group_id, f.test_id, f.message
		from on_tree o join findings f on f.run_id = o.run_id and f.time = o.time
		where o.runs > 1 and f.kind = 'test_failure' and f.stage_number = 0 and f.group_id is not null
		order by f.group_id, o.run_id, f.finding_number desc
	), mixed as (
		select repository, command_key, evidence_tree, group_id from failed group by repository, command_key, evidence_tree, group_id having count(*) < max(runs)
	)
	insert into flaky_runs
	select m.repository, m.group_id, m.command_key, m.evidence_tree, o.run_id, o.time, f.run_id is not null, f.test_id, f.message
	from mixed m join on_tree o using (repository, command_key, evidence_tree) left join failed f on f.group_id = m.group_id and f.run_id = o.run_id
	on conflict do nothing
$$;

-- Those of the runs that are there already, in one pass.
with failed as (
	select distinct on (f.group_id, r.run_id) r.repository, coalesce(r.command_key, '') as command_key, r.evidence_tree, r.run_id, f.group_id, f.test_id, f.message
	from runs r join findings f on f.run_id = r.run_id and f.time = r.time
	where r.evidence_tree is not null and f.kind = 'test_failure' and f.stage_number = 0 and f.group_id is not null
	order by f.group_id, r.run_id, f.finding_number desc
), on_tree as (
	select repository, coalesce(command_key, '') as command_key, evidence_tree, count(*) as runs from runs where evidence_tree is not null group by 1, 2, 3
), mixed as (
	select f.repository, f.command_key, f.evidence_tree, f.group_id from failed f join on_tree o using (repository, command_key, evidence_tree)
	group by f.repository, f.command_key, f.evidence_tree, f.group_id having count(*) < max(o.runs)
)
insert into flaky_runs
select m.repository, m.group_id, m.command_key, m.evidence_tree, r.run_id, r.time, f.run_id is not null, f.test_id, f.message
from mixed m join runs r on r.repository = m.repository and coalesce(r.command_key, '') = m.command_key and r.evidence_tree = m.evidence_tree
left join failed f on f.group_id = m.group_id and f.run_id = r.run_id;

create or replace function flaky_since(since timestamptz) returns table (
	repository text, group_id text, test_id text, message text, failed_count bigint, run_count bigint, tree_count bigint, last_failed timestamptz, last_failed_run text
) language sql stable set jit = off as $$
	with trees as (
		select f.repository, f.group_id, count(*) filter (where f.failed) as failed, count(*) as runs, max(f.time) filter (where f.failed) as time
		from flaky_runs f where f.time >= since group by f.repository, f.command_key, f.evidence_tree, f.group_id
	), tests as (
		select t.repository, t.group_id, sum(t.failed)::bigint as failed, sum(t.runs)::bigint as runs, count(*) as trees, max(t.time) as time
		from trees t where t.failed between 1 and t.runs - 1 group by t.repository, t.group_id
	)
	select distinct on (t.repository, t.group_id) t.repository, t.group_id, f.test_id, f.message, t.failed, t.runs, t.trees, t.time, f.run_id
	from tests t join flaky_runs f on f.repository = t.repository and f.group_id = t.group_id and f.time = t.time and f.failed
	order by t.repository, t.group_id, f.run_id desc
$$;

do $$ begin
	grant select on flaky_runs to cairn_reader;
exception when undefined_object then null;
end $$;
