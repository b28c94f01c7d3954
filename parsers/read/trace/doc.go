// Package trace distinguishes lines of stack traces and names of exceptions from other text.
package trace
