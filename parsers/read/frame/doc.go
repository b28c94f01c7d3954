// Package frame reads the lines of stack traces, a function for each language, and
// Cut for a line of any of them. A frame that lies in a library is External: each
// language has signs of its own for that, in the path or in the name of the
// function. What is the workspace's own beyond them only its root can tell.
//
// A line is given without the blanks around it. What is no frame is refused, so
// that prose in a message is not taken for a place.
package frame
