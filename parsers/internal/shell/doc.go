// Package shell reads command lines: words and quotes, lists and pipelines, the
// directory they change to, and the wrappers that run another program (env,
// timeout, uv run, npx, make's own shell). What starts tools is its subject;
// which tools there are it is told (KnownTool).
package shell
