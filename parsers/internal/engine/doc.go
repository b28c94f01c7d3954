// Package engine goes once over an output and makes its result: it finds the tools that printed there, the tasks
// whose lines runners mix, the directories they ran in, and the text that no tool accounts for. It names no tool;
// all it knows about tools comes from their declarations. The rules are in the comment of package parsers.
package engine
