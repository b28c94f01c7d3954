// Package hook is what "cairn hook HOST" answers to the hooks of coding agents:
// context, and nothing that decides.
//
// # What it promises
//
//   - It never prints a decision about a permission: no allow, no ask, no deny.
//   - A failing command gets one line more: which run it is on record, and whether
//     its failures are new (AfterTool).
//   - A session begins with at most a hundred tokens: what failed last, and how to
//     ask (SessionStart).
//   - Whatever goes wrong, or is not known, it prints nothing and exits 0: two
//     hosts stop a tool whose hook fails.
//
// Rewriting a command (Rewrite) exists only where the user asks for it by name,
// since the host judges the rewritten line: it takes the command out of the
// user's own rules. Then simple commands of lists joined by "&&" and ";" get
// "cairn capture run --" before them; everything else stays as it is, byte for
// byte.
package hook
