// Package scan searches long texts for many short words at once: words of alarm
// that any tool prints when something went wrong, and words that parsers ask
// for. The assembly finds candidates; glancePlain is what it must equal.
package scan
