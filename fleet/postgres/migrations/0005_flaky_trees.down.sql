drop view flaky;
drop function flaky_since(timestamptz);
drop function note_flaky(text[], text[], text[]);
drop table flaky_trees;
drop function flaky_newest(timestamptz, text);
\i 0003_flaky_runs.up.sql
\i 0004_note_flaky.up.sql
create view flaky as select * from flaky_since(now() - interval '30 days');

do $$ begin
	grant select on flaky to cairn_reader;
exception when undefined_object then null;
end $$;
