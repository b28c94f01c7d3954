-- The summary for flaky tests has a row for each tree and test, and not one for each run on it: half as many to read, and nothing to add up.

-- Trees on which, under one command, a test failed in some runs and not in all. times are those of all runs on the tree, failed_times of those that
-- failed, both sorted: of a tree on which runs began before the moment that is asked about, they are counted. newest is the time and the run of the
-- last failure, as texts are ordered; test_id and message are of that run. Who loads keeps the rows up, with the runs.
create table flaky_trees (
	repository text not null, group_id text not null, command_key text not null, evidence_tree text not null,
	times timestamptz[] not null, failed_times timestamptz[] not null, first timestamptz not null, last_failed timestamptz not null,
	newest text collate "C" not null, test_id text, message text,
	primary key (evidence_tree, group_id, command_key, repository)
);
create index flaky_trees_failed on flaky_trees (last_failed);

create function flaky_newest(at timestamptz, run_id text) returns text language sql stable
	return to_char(at at time zone 'UTC', 'YYYYMMDDHH24MISSUS') || run_id;

insert into flaky_trees
select repository, group_id, command_key, evidence_tree, array_agg(time order by time), array_agg(time order by time) filter (where failed), min(time), max(time) filter (where failed),
	max(flaky_newest(time, run_id)) filter (where failed),
	(array_agg(test_id order by time desc, run_id desc) filter (where failed))[1], (array_agg(message order by time desc, run_id desc) filter (where failed))[1]
from flaky_runs group by repository, group_id, command_key, evidence_tree having bool_or(failed) and not bool_and(failed);

drop table flaky_runs;

-- Writes anew what is known of these trees. Whoever calls it holds the lock of the repositories, so that of two loaders the later one sees what both
-- brought. A tree is looked up by its own index, and only runs with findings are asked for them. Without the settings the planner, which knows
-- nothing yet of a month just made, would read all of it, and without "|| ''" all runs of the repository as well, to compare the two lists.
drop function note_flaky(text[], text[], text[]);
create function note_flaky(repositories text[], keys text[], trees text[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$ begin
	with touched as (
		select distinct * from unnest(repositories, keys, trees) as t(repository, command_key, evidence_tree)
	), on_tree as (
		select t.repository, t.command_key, t.evidence_tree, array_agg(r.time order by r.time) as times,
			array_agg(r.run_id) filter (where r.finding_count > 0) as bad, array_agg(r.time) filter (where r.finding_count > 0) as bad_times
		from touched t join runs r on r.evidence_tree = t.evidence_tree and r.repository || '' = t.repository and coalesce(r.command_key, '') = t.command_key
		group by t.repository, t.command_key, t.evidence_tree having count(*) > 1 and max(r.finding_count) > 0
	), failed as (
		select distinct on (f.group_id, f.run_id) o.repository, f.group_id, o.command_key, o.evidence_tree, o.times, f.time, f.run_id, f.test_id, f.message
		from on_tree o cross join unnest(o.bad, o.bad_times) as b(run_id, time) join findings f on f.run_id = b.run_id and f.time = b.time
		where f.kind = 'test_failure' and f.stage_number = 0 and f.group_id is not null
		order by f.group_id, f.run_id, f.finding_number desc
	), tests as (
		select repository, group_id, command_key, evidence_tree, min(times) as times, array_agg(time order by time) as failed_times, max(flaky_newest(time, run_id)) as newest,
			(array_agg(test_id order by time desc, run_id desc))[1] as test_id, (array_agg(message order by time desc, run_id desc))[1] as message
		from failed group by repository, group_id, command_key, evidence_tree
	)
	insert into flaky_trees
	select repository, group_id, command_key, evidence_tree, times, failed_times, times[1], failed_times[cardinality(failed_times)], newest, test_id, message
	from tests where cardinality(failed_times) < cardinality(times) or exists ( -- a run that came anew, with findings that it lacked, may make one that was mixed all bad
		select from flaky_trees f where f.evidence_tree = tests.evidence_tree and f.group_id = tests.group_id and f.command_key = tests.command_key and f.repository = tests.repository)
	on conflict (evidence_tree, group_id, command_key, repository) do update set times = excluded.times, failed_times = excluded.failed_times, first = excluded.first,
		last_failed = excluded.last_failed, newest = excluded.newest, test_id = excluded.test_id, message = excluded.message;
end $$;

create or replace function flaky_since(since timestamptz) returns table (
	repository text, group_id text, test_id text, message text, failed_count bigint, run_count bigint, tree_count bigint, last_failed timestamptz, last_failed_run text
) language sql stable set enable_nestloop = off set jit = off as $$
	with trees as materialized (
		select f.repository, f.group_id, f.test_id, f.message, f.last_failed, f.newest,
			case when f.first >= since then cardinality(f.failed_times) else (select count(*) from unnest(f.failed_times) as x(at) where x.at >= since) end as failed,
			case when f.first >= since then cardinality(f.times) else (select count(*) from unnest(f.times) as x(at) where x.at >= since) end as runs
		from flaky_trees f where f.last_failed >= since
	), tests as (
		select t.group_id, t.repository, sum(t.failed)::bigint as failed, sum(t.runs)::bigint as runs, count(*) as trees, max(t.newest) as newest
		from trees t where t.failed < t.runs group by t.group_id, t.repository
	)
	select t.repository, t.group_id, f.test_id, f.message, t.failed, t.runs, t.trees, f.last_failed, substr(t.newest, 21)
	from tests t join trees f on f.newest = t.newest and f.group_id = t.group_id and f.repository = t.repository
$$;

do $$ begin
	grant select on flaky_trees to cairn_reader;
exception when undefined_object then null;
end $$;
