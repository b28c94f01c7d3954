// Package rpc lets extensions of agents use cairn through one child process: JSON
// lines on standard input and output. It is what the pi package and the MCP
// server are built on.
//
// # Protocol, version 1
//
// Every message is one JSON object on one line that ends with LF. The schema of
// all of it is schema.json (cairn rpc --schema).
//
//	→ {"id":"1","method":"run","params":{…},"deadline_ms":60000}
//	← {"id":"1","event":"progress","data":{…}}       any number, where a method says so
//	← {"id":"1","result":{…}}                         or
//	← {"id":"1","error":{"code":"…","message":"…"}}
//
// A request has an id of the caller's (a string, not in use) and gets exactly
// one result or error. Requests run beside each other; answers come in any
// order. A request may set a deadline: at its end the work is cancelled, and the
// error is "deadline" unless the work has a result of its own (a run that was
// ended has). {"method":"cancel","params":{"id":"1"}} cancels a request and has
// no answer itself; one for a request that is over is ignored. The end of the
// input ends the process once everything is answered and recorded. A caller that has
// said "hello" is a session: the end of its input is its own end, and cancels its runs.
// Without "hello", as in "echo REQUEST | cairn rpc", runs go on to their own end. "hello"
// is answered before the next line is read.
//
// Error codes: bad_request (the line, the method or its params), not_found,
// cancelled, deadline, failed. A caller ignores keys and events that it does not
// know; the server refuses params that it does not know, so that a misspelt one
// is not passed over. A change that breaks either raises the version, which
// "hello" tells.
//
// # Methods
//
//	hello     version, program and methods; tells who calls (agent, session)
//	run       runs a command and records it; progress events
//	recall    asks the record: op, id, … as agents.Question
//	put       keeps text as an object, and pins it where asked
//	prune     which old tool outputs of a context to replace, and by what (package prune)
//	inherit   what a subagent gets of its parent's context (package inherit)
//	timeline  the steps of a subagent, bounded (package timeline), kept as a record
//	agent     runs a subagent of pi (package subagent): settings, then plan, run and, for
//	          a session that the caller runs itself, feed. Events of plan and run: "emit" {channel, data} is for the
//	          host's event bus, "update" {text, details} progress, "session"
//	          {prompt, tools, model, thinking} asks the caller to run it
//	report    text for a person: the parsers, or the statistics
//
// What may go in: framing, deadlines, and the translation of params. What the
// methods do is in the packages named.
package rpc
