// Package shell knows the programs that start tools: shells, make, npm, just, tox and the like, and the logs of
// continuous integration.
//
// It reads command lines: words and quotes, lists and pipelines, the directory they change to, and the wrappers
// that run another program (env, timeout, uv run, npx, make's own shell). It also reads what runners print around
// the output of the tools that they start: the command (CutEcho), its directory (Directories), and that a command
// failed (IsTrouble). The caller says which commands are tools (Tools).
package shell
