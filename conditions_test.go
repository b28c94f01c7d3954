package cairn

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestConditionsReadAtAGlance: && within || within && is worked out, not read, and so is
// a line of seven operators. A part of such a condition has a name, which says what it means.
func TestConditionsReadAtAGlance(t *testing.T) {
	const mostNested, mostOnLine = 2, 6
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		onLine := map[int]int{}
		ast.Inspect(f, func(n ast.Node) bool {
			b, _ := n.(*ast.BinaryExpr)
			if b = connective(b); b == nil || isRange(b) {
				return true
			}
			at := set.Position(b.OpPos)
			if onLine[at.Line]++; onLine[at.Line] == mostOnLine+1 {
				t.Errorf("%s: more than %d of && and || on a line: name a part of it", at, mostOnLine)
			}
			if nested(b) > mostNested {
				t.Errorf("%s: && and || stand within one another more than %d deep: name a part of it", at, mostNested)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// connective is the && or || that an expression is, beneath parentheses and "!".
func connective(e ast.Expr) *ast.BinaryExpr {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return connective(x.X)
	case *ast.UnaryExpr:
		return connective(x.X)
	case *ast.BinaryExpr:
		if x != nil && (x.Op == token.LAND || x.Op == token.LOR) {
			return x
		}
	}
	return nil
}

// isRange: x >= a && x <= b, which is read as one comparison.
func isRange(b *ast.BinaryExpr) bool {
	below, _ := b.X.(*ast.BinaryExpr)
	above, _ := b.Y.(*ast.BinaryExpr)
	return b.Op == token.LAND && orders(below) && orders(above)
}

func orders(b *ast.BinaryExpr) bool {
	return b != nil && (b.Op == token.LSS || b.Op == token.LEQ || b.Op == token.GTR || b.Op == token.GEQ)
}

// nested is how often && and || take turns from the outside in.
func nested(b *ast.BinaryExpr) (depth int) {
	for _, e := range []ast.Expr{b.X, b.Y} {
		inner := connective(e)
		if inner == nil || isRange(inner) {
			continue
		}
		n := nested(inner)
		if inner.Op != b.Op {
			n++
		}
		depth = max(depth, n)
	}
	return depth
}
