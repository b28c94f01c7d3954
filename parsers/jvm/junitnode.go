package jvm

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
)

// feedNode is an engine, a class, a method or one run of a method.
type feedNode struct {
	above         *feedNode
	name          string
	class, method string // as --select-method takes them; "" where they are not told
	nth, below    int
	started       bool // testfeed announces tests, and nothing that holds tests
}

func (n *feedNode) add(name string) *feedNode {
	n.below++
	return &feedNode{above: n, name: strings.Clone(name), nth: n.below}
}

// path are the nodes from the engine to n.
func (n *feedNode) path() []*feedNode {
	if n.above == nil {
		return nil
	}
	return append(n.above.path(), n)
}

func (n *feedNode) names() (names []string) {
	for _, up := range n.path() {
		names = append(names, up.name)
	}
	return names
}

func (n *feedNode) id() string {
	path := n.path()
	return treeID(n.names(), func(i int) int { return path[i].nth })
}

// identify takes class and method from "[engine:junit-jupiter]/[class:AccountTest]/[method:adds()]".
func (n *feedNode) identify(unique string) {
	for part := range strings.SplitSeq(unique, "/") {
		kind, value, _ := strings.Cut(strings.Trim(part, "[]"), ":")
		switch kind {
		case "class":
			n.class = strings.Clone(value)
		case "nested-class":
			n.class += "$" + value
		case "method", "test-template", "test-factory":
			n.method = strings.Clone(value)
		}
	}
}

// selectedBy is the test as --select-method takes it, by the stack of its failure: a row
// has neither the package nor, where the test has a title, the method.
func (n *feedNode) selectedBy(stack []string) string {
	names := n.names()
	method := max(2, slices.IndexFunc(names, func(name string) bool { return strings.Contains(name, "(") }))
	if len(names) <= method {
		return ""
	}
	for _, frame := range slices.Backward(stack) {
		function, _, _ := strings.Cut(strings.TrimPrefix(frame, "at "), "(")
		class, called, ok := lex.CutLast(function, ".")
		if !ok || strings.Contains(called, "$") || !strings.HasSuffix("."+class, "."+strings.Join(names[1:method], "$")) {
			continue
		}
		if strings.HasSuffix(names[method], ")") {
			called = names[method]
		}
		return class + "#" + called + index(strings.Join(names, ":"))
	}
	return ""
}
