drop view flaky;
drop function flaky_since(timestamptz);
drop function note_flaky(text[], text[], text[]);
drop table flaky_runs;
drop index runs_evidence;
create index runs_evidence on runs (repository, command_key, evidence_tree) include (run_id, time) where evidence_tree is not null;

-- Tests that failed and did not fail on one and the same tree, under one command, since a moment: what "cairn recall flaky" lists.
create function flaky_since(since timestamptz) returns table (
	repository text, group_id text, test_id text, message text, failed_count bigint, run_count bigint, tree_count bigint, last_failed timestamptz, last_failed_run text
) language sql stable
-- How many trees there will be is guessed far too low, and a loop over runs for each of them takes fifteen times as long as one pass.
set enable_nestloop = off set jit = off as $$
	with failed as (
		select distinct on (r.repository, r.command_key, r.evidence_tree, f.group_id, r.run_id)
			r.repository, coalesce(r.command_key, '') as command_key, r.evidence_tree, f.group_id, r.run_id, r.time, f.test_id, f.message
		from findings f join runs r on r.run_id = f.run_id and r.time = f.time
		where f.time >= since and r.time >= since and f.kind = 'test_failure' and f.stage_number = 0 and f.group_id is not null and r.evidence_tree is not null
		order by r.repository, r.command_key, r.evidence_tree, f.group_id, r.run_id, f.finding_number desc
	), trees as (
		select repository, command_key, evidence_tree, group_id, count(*) as failed, max(time) as time,
			(array_agg(run_id order by time desc, run_id desc))[1] as run_id, (array_agg(test_id order by time desc, run_id desc))[1] as test_id,
			(array_agg(message order by time desc, run_id desc))[1] as message
		from failed group by repository, command_key, evidence_tree, group_id
	), on_tree as (
		select t.repository, t.command_key, t.evidence_tree, count(*) as runs
		from (select distinct repository, command_key, evidence_tree from trees) t
		join runs r on r.repository = t.repository and coalesce(r.command_key, '') = t.command_key and r.evidence_tree = t.evidence_tree and r.time >= since
		group by t.repository, t.command_key, t.evidence_tree
	)
	select t.repository, t.group_id, (array_agg(t.test_id order by t.time desc))[1], (array_agg(t.message order by t.time desc))[1],
		sum(t.failed)::bigint, sum(o.runs)::bigint, count(*), max(t.time), (array_agg(t.run_id order by t.time desc))[1]
	from trees t join on_tree o on o.repository = t.repository and o.command_key = t.command_key and o.evidence_tree = t.evidence_tree
	where t.failed < o.runs
	group by t.repository, t.group_id
$$;

create view flaky as select * from flaky_since(now() - interval '30 days');

do $$ begin
	grant select on flaky to cairn_reader;
exception when undefined_object then null;
end $$;
