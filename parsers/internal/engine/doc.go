// Package engine goes once over an output: which tools are in it, the tasks that
// runners mix, the directories they ran in, the text that no tool accounts for,
// and the result of it all. It names no tool; what it knows of tools it reads
// from their declarations. The rules are in the comment of package parsers.
package engine
