// Package shell knows what starts tools: shells, make, npm, just, tox and the
// like, and the logs of continuous integration.
//
// It reads command lines: words and quotes, lists and pipelines, the directory
// they change to, and the wrappers that run another program (env, timeout,
// uv run, npx, make's own shell). And it reads what runners print around the
// output of the tools that they start: which command they run (CutEcho), in which
// directory (Directories), and that a command failed (IsTrouble). Which tools
// there are, its caller says (Tools).
package shell
