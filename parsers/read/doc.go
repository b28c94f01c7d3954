// Package read holds readers for forms that many tools share: diagnostics of one line, numbered failures, counts,
// crashes of node. A reader takes an input or a line and returns what it found; it names no tool and decides no
// status. A form that needs types of its own has a folder below.
package read
