// Package subagent runs an agent of pi that another one has called, and tells what it
// does.
//
// # What it promises
//
//   - Foreground: a run ends when its subagent does. Runs beyond maxConcurrent wait
//     in the order they came; one that is cancelled while it waits never starts.
//   - A definition (an agent's .md file) is read once, when the run begins: the project's before the user's,
//     before the bundled one, before those of the user's other packages. One whose frontmatter
//     cannot be read ends the call: without it the tools that it allows would not be known.
//   - A subagent has the tools that its definition names and its parent has; never the
//     tool Agent. Nothing becomes permitted that was not.
//   - It completed if its last answer is no error, whatever its process exited with.
//   - Everything is told as events (Event) in the order of the wire contract, progress
//     at most once a tick of Ticks, the last one before the end; no event is larger than 20 KB.
//   - Memory is bounded: of what the process prints only the events that become steps
//     are held, one at a time, each up to maxEvent bytes.
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
// What may go in: definitions, settings, models, the prompt, the process, and the
// order of events. Where steps and bytes are kept is said by who calls.
package subagent
