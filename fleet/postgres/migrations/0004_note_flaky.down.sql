create or replace function note_flaky(repositories text[], keys text[], trees text[]) returns void language sql
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
