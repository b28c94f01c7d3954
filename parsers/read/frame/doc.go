// Package frame reads lines of stack traces: a function for each language, and Cut for any of them. A frame in a
// library is External; each language has signs for that, in the path or in the function's name. Beyond these, only
// the root of the workspace shows which frames are the project's own.
//
// Lines are passed without the blanks around them. A line that is no frame gives false, so that prose in a message
// is not taken for a place.
package frame
