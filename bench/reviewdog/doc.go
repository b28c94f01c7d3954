// Package reviewdog has one test: reviewdog's own reader takes what cairn writes for it. It promises that
// a finding arrives with its place, message, rule and severity. It is here and not beside the writer, so that cairn
// itself does not depend on reviewdog. Nothing else may go in.
package reviewdog
