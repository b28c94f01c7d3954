// Package rpc lets extensions of agents use cairn through one child process: JSON
// lines on standard input and output. It is what the pi package and the MCP
// server are built on.
//
// # Protocol, version 1
//
// Every message is one JSON object on one line that ends with LF. The whole schema is in schema.json
// (cairn rpc --schema).
//
//	→ {"id":"1","method":"run","params":{…},"deadline_ms":60000}
//	← {"id":"1","event":"progress","data":{…}}       any number, where a method says so
//	← {"id":"1","result":{…}}                         or
//	← {"id":"1","error":{"code":"…","message":"…"}}
//
// A request has an id chosen by the caller (a string that is not in use) and gets exactly one result or error. Requests
// run concurrently; answers come in any order. A request may set a deadline, at which the work is cancelled; the error
// is "deadline" unless the work still has a result (a run that was ended has one).
// {"method":"cancel","params":{"id":"1"}} cancels a request and has no answer itself; it is ignored if the request is
// over. When the input ends, the process ends once everything is answered and recorded. A caller that has said "hello"
// is a session: the end of its input cancels its runs. Without "hello", as in "echo REQUEST | cairn rpc", runs continue
// to their own end. "hello" is answered before the next line is read.
//
// Error codes: bad_request (the line, the method or its params), not_found, cancelled, deadline, failed. A caller
// ignores keys and events that it does not know; the server refuses params that it does not know, so that a misspelt
// one is not ignored. A change that breaks either raises the version, which "hello" returns.
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
// What may go in: framing, deadlines, and the translation of params. The methods' work is done
// in the packages named.
package rpc
