// Package timeline turns the events of a subagent into a list of steps. The size of each step, of their number and of a
// frame is bounded.
//
// # What it promises
//
//   - A step is text, a thought, an error, or a tool call with its output. A step holds the
//     beginning of the output. The whole output is kept as an object; the step names its id
//     and size.
//   - A frame (Frame) is at most MaxFrame bytes of JSON, and a step at most half of that. A
//     frame holds the newest steps that fit; EntryCount says how many steps there are in all.
//   - Memory is bounded: a timeline holds at most maxEntries steps of about 3 KB at most.
//     Steps beyond that are only counted.
//   - There is no clock in it: the caller gives the time of each event.
//
// Events have the form of "pi --mode json". A session of pi within pi's own process emits
// the same events. An event or a member that is not known is passed over, so that a newer
// pi does not break a run.
//
// # The wire contract
//
// The JSON of Details is the AgentDetails of pi's dashboards: it has their keys and their
// words for a status. It differs in two ways. It has four more keys: firstEntry (the number
// of the first of entries), parentAgentId, session and result. And an output is always
// {preview, oid, bytes}, never plain text.
//
// # What may go in
//
// Steps and their bounds. Package kept knows where timelines are kept, and package subagent
// how a subagent is run.
package timeline
