-- Views and functions that answer questions. Their names and columns are documented, as those of the tables are.

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

-- The newest run of each command on each branch, of the last 30 days.
create view newest as
	select distinct on (repository, branch, command_key) * from runs
	where time >= now() - interval '30 days' and command_key is not null order by repository, branch, command_key, time desc, run_id desc;

-- What fails now: findings of the newest run of each command on each branch, and since when each was in every run that would have shown it.
create view failing_since as
	select n.repository, n.branch, n.command, f.fingerprint, f.test_id, f.rule, f.message, f.path, f.line_number, s.since, s.runs as run_count, n.run_id as last_run, n.time as last_time
	from newest n
	join findings f on f.run_id = n.run_id and f.time = n.time and f.stage_number = 0 and f.severity in ('failure', 'error')
	cross join lateral (
		select min(r.time) as since, count(*) as runs from runs r
		where r.repository = n.repository and r.branch is not distinct from n.branch and r.command_key = n.command_key
			and exists (select from findings g where g.run_id = r.run_id and g.fingerprint = f.fingerprint)
			and r.time > coalesce((
				select max(p.time) from runs p
				where p.repository = n.repository and p.branch is not distinct from n.branch and p.command_key = n.command_key and p.accounted
					and not exists (select from findings g where g.run_id = p.run_id and g.fingerprint = f.fingerprint)), '-infinity')
	) s
	where n.status in ('failed', 'error');

-- Failures that no run of the repository had shown before today, in UTC.
create view new_today as
	select f.repository, f.fingerprint, min(f.test_id) as test_id, min(f.rule) as rule, min(f.message) as message, min(f.path) as path, min(f.time) as first_seen,
		count(distinct f.run_id) as run_count
	from findings f
	where f.time >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' and f.severity in ('failure', 'error')
		and not exists (select from findings g where g.fingerprint = f.fingerprint and g.repository = f.repository
			and g.time < date_trunc('day', now() at time zone 'UTC') at time zone 'UTC')
	group by f.repository, f.fingerprint;

-- How long commands took in the last 7 days, the longest in sum first.
create view slowest as
	select repository, command, count(*) as run_count, sum(duration_ms)::bigint as total_ms,
		(percentile_disc(0.5) within group (order by duration_ms)) as median_ms, (percentile_disc(0.95) within group (order by duration_ms)) as p95_ms, max(duration_ms) as longest_ms
	from runs where time >= now() - interval '7 days' group by repository, command order by sum(duration_ms) desc;

-- Commands whose newest run on a branch was not good, where the one before it was.
create view regressions as
	select n.repository, n.branch, n.command, p.run_id as good_run, p.commit as good_commit, p.time as good_time, n.run_id as bad_run, n.commit as bad_commit, n.time as bad_time, n.says
	from newest n
	cross join lateral (
		select * from runs p where p.repository = n.repository and p.branch is not distinct from n.branch and p.command_key = n.command_key
			and (p.time, p.run_id) < (n.time, n.run_id) order by p.time desc, p.run_id desc limit 1) p
	where n.status in ('failed', 'error') and p.status in ('passed', 'ok');

-- What the newest run of each command on the files of a commit, unchanged, came to. proven is true where it passed, or is ok, and all of its output is accounted for.
create view proven as
	select distinct on (repository, commit, command_key) repository, commit, command, status, status in ('passed', 'ok') and accounted as proven, run_id, time
	from runs where commit is not null and dirty = false and command_key is not null
	order by repository, commit, command_key, time desc, run_id desc;

-- Commits on which something ran, and of which no command is proven.
create view unproven as
	select r.repository, r.commit, count(*) as run_count, max(r.time) as last_time from runs r
	where r.commit is not null and not exists (select from runs p where p.repository = r.repository and p.commit = r.commit and p.dirty = false and p.accounted and p.status in ('passed', 'ok'))
	group by r.repository, r.commit;

-- What agents were shown, by day: about four bytes are a token.
create view tokens as
	select repository, agent, (time at time zone 'UTC')::date as day, count(*) as run_count, sum(raw_size_bytes)::bigint as raw_size_bytes, sum(shown_size_bytes)::bigint as shown_size_bytes,
		(sum(raw_size_bytes) / 4)::bigint as raw_tokens_estimate, (sum(shown_size_bytes) / 4)::bigint as shown_tokens_estimate
	from runs where agent is not null group by repository, agent, day;

do $$ begin
	grant select on flaky, newest, failing_since, new_today, slowest, regressions, proven, unproven, tokens to cairn_reader;
exception when undefined_object then null;
end $$;
