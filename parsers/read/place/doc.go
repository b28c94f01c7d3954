// Package place reads places in files, in every form in which tools print them, and says which paths lie in the
// workspace. Cut reads a place at the beginning of a line, InSentence one anywhere in a sentence. A form that only
// one tool prints belongs in that tool's room.
package place
