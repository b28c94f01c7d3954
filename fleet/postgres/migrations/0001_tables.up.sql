-- The four tables of package fleet, partitioned by month: a row lies in TABLE_YYYY_MM. Partitions are made by who loads.

create table runs (
	repository text not null, run_id text not null, time timestamptz not null, tool text, kind text, status text not null,
	exit_code integer, signal text, timed_out boolean not null, interrupted text, partial boolean not null, duration_ms bigint not null,
	command text, command_key text, dir text not null, environment text, commit text, branch text, worktree text, dirty boolean,
	evidence_tree text, accounted boolean not null, agent text, session text, parent_session text, says text, confidence text,
	passed_count integer, failed_count integer, error_count integer, skipped_count integer, counts text,
	finding_count integer not null, findings_missing boolean not null,
	outcomes_complete boolean, outcomes_reason text, outcomes_missing boolean not null, stage_count integer not null,
	raw_oid text, raw_size_bytes bigint not null, shown_size_bytes bigint not null,
	primary key (run_id, time)
) partition by range (time);
create index runs_newest on runs (time desc);
create index runs_of_repository on runs (repository, time desc);
create index runs_not_good on runs (time desc) where status in ('failed', 'error');
create index runs_of_command on runs (repository, command_key, branch, time desc);
create index runs_of_commit on runs (commit);
create index runs_evidence on runs (repository, command_key, evidence_tree) include (run_id, time) where evidence_tree is not null;

create table findings (
	repository text not null, run_id text not null, time timestamptz not null, stage_number integer not null, finding_number integer not null,
	fingerprint text not null, group_id text, kind text, severity text, tool text, test_id text, rule text, message text,
	path text, line_number integer, column_number integer, times integer not null
) partition by range (time);
create index findings_of_run on findings (run_id);
create index findings_history on findings (fingerprint, time desc);

create table outcomes (
	repository text not null, run_id text not null, time timestamptz not null, test_number integer not null, test_id text not null,
	tool text, outcome text not null, duration_ms bigint, path text, line_number integer, times integer not null, parent boolean not null
) partition by range (time);
create index outcomes_of_run on outcomes (run_id);
create index outcomes_of_test on outcomes (test_id, time desc);

create table stages (
	repository text not null, run_id text not null, time timestamptz not null, stage_number integer not null,
	command text, command_key text, read_by text, tool text, status text, exit_code integer, signal text, running boolean not null,
	partial boolean not null, finding_count integer not null, raw_oid text, raw_size_bytes bigint
) partition by range (time);
create index stages_of_run on stages (run_id);

-- What was loaded from each clone: its state, by which one that has not changed is not read again.
create table loads (clone text primary key, repository text not null, state text not null, loaded timestamptz not null default now(), runs bigint not null);

-- The role that may read, and nothing else. Who is to read is granted it: grant cairn_reader to alice.
do $$ begin
	if not exists (select from pg_roles where rolname = 'cairn_reader') then create role cairn_reader nologin; end if;
exception when insufficient_privilege then raise warning 'this user may not make roles: cairn_reader is missing';
	when duplicate_object or unique_violation then null;
end $$;
do $$ begin
	execute format('grant usage on schema %I to cairn_reader', current_schema());
	grant select on runs, findings, outcomes, stages to cairn_reader;
exception when undefined_object then null;
end $$;
