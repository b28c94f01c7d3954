// Package subagent runs an agent of pi that another agent has called, and reports its
// events.
//
// # What it promises
//
//   - A run ends when its subagent ends. At most maxConcurrent run at a time; others wait in
//     the order in which they came. A run that is cancelled while it waits never starts.
//   - The definition of an agent is an .md file, and is read once, when the call comes. It is
//     looked for in the project, then among the user's, then in this package, then in the
//     user's other packages. A definition whose frontmatter cannot be read ends the call,
//     because no one would know which tools it allows.
//   - A subagent has those tools that its definition names and its parent has, and never the
//     tool Agent. Nothing becomes permitted that was not.
//   - A subagent has completed if its process exited with 0 and its last answer is not an
//     error.
//   - Everything is reported as events (Event), in the order of the wire contract. Progress is
//     told at most once for each tick of Ticks, and a last time before the end. No event is
//     larger than 20 KB.
//   - Memory is bounded: of what the process prints, one event at a time is held, and at most
//     maxEvent bytes of it.
//
// # The wire contract
//
//	subagents:created    {id, type, description, details}         before anything else
//	subagents:started    {id, type, description, details}         it runs, and at each tick with progress: then without entries
//	subagents:entry      {v, agentId, toolCallId, index, entry}   each step when it is final; index counts from 0 without a gap
//	subagents:completed  {id, result, durationMs, tokens, toolUses, details}
//	subagents:failed     {id, error, durationMs, toolUses, details}
//
// details are timeline.Details; an output in an entry is {preview, oid, bytes}.
//
// # Settings
//
// <pi's agent directory>/extensions/pi-dashboard-subagents/config.json: inheritContext
// (true), exposeInheritanceInTool (false), inheritance {recentTurns, toolOutputWindow,
// maxChars}, maxConcurrent (4; 0 is no limit); and runner, "process" or "in-process".
//
// # What may go in
//
// Definitions, settings, models, the prompt, the process, and the order of events. The
// caller decides where steps and outputs are kept.
package subagent
