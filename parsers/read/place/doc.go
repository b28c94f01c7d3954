// Package place reads places in files, in every form in which tools print them, and
// says which paths lie in the workspace. A place stands at the beginning of a line
// (Cut) or anywhere in a sentence (InSentence). What a tool alone prints belongs in
// its room.
package place
