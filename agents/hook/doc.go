// Package hook answers the hooks of coding agents, for "cairn hook HOST": it adds
// context, and decides nothing.
//
// # What it promises
//
//   - It never prints a decision about a permission: no allow, no ask, no deny.
//   - A failing command gets one more line: the id of its run, and whether
//     its failures are new (afterTool).
//   - A session begins with at most a hundred tokens: what failed last, and the
//     command that shows more (sessionStart).
//   - On any error, or if there is nothing to say, it prints nothing and exits with
//     0: two hosts stop a tool whose hook fails.
//
// A command is rewritten (Rewrite) only if the user asks for it by name, since the host judges the rewritten line: the
// command no longer matches the user's own rules. Then "cairn capture run --" is put before the simple commands of
// lists joined by "&&" and ";"; all other text stays as it is, byte for byte.
package hook
