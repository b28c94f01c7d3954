drop view tokens, unproven, proven, regressions, slowest, new_today, failing_since, newest, flaky;
drop function flaky_since(timestamptz);
