// Package timeline turns what a subagent does, event by event, into a timeline
// of steps that is bounded in every direction.
//
// # What it promises
//
//   - A step is text, a thought, an error, or a tool call with its output. Of an output stands a
//     preview; the bytes are kept as an object, whose id and size stand beside
//     it.
//   - No frame (Frame) is larger than MaxFrame bytes of JSON, and no step larger than half of that: the newest
//     steps that fit are in a frame, and EntryCount says how many there are.
//   - Memory: a timeline holds at most maxEntries steps of at most some 3 KB; what is beyond
//     is counted.
//   - No clock: times are those of the events.
//
// Events are those of "pi --mode json", and of a session of pi within its own
// process, which are the same. What is not known is passed over: a newer pi must
// not break a run.
//
// # The wire contract
//
// The JSON of Details is the AgentDetails of pi's dashboards: their keys and their
// words for a status. Beyond it stand firstEntry (the number of the first of
// entries), parentAgentId, session and result; and an output is never text but
// {preview, oid, bytes}.
//
// What may go in: steps and their bounds. Where they are kept is in package
// kept, how a subagent is run in package subagent.
package timeline
