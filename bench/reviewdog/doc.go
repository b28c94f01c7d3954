// Package reviewdog has one test: reviewdog's own reader accepts what cairn writes for it. A finding must arrive with
// its place, message, rule and severity. The test is not beside the writer, so that cairn itself does not depend on
// reviewdog. Nothing else may go in.
package reviewdog
