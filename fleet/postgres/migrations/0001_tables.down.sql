-- The role stays: other databases of the server may use it.
drop table loads, stages, outcomes, findings, runs;
