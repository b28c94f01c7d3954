package guard

import (
	"errors"
	"strings"
	"testing"
)

type list []int

func (l list) at(i int) int { return l[i] }

func TestDo(t *testing.T) {
	err := Do("the test", func() { _ = list{}.at(len(t.Name())) })
	b := (*Broken)(nil)
	if !errors.As(err, &b) || b.What != "the test" || !strings.Contains(b.Why, "index out of range [6]") || !strings.HasPrefix(b.At, "internal/guard/guard_test.go:") {
		t.Errorf("%+v", err)
	}
	if err := Do("the test", func() {}); err != nil {
		t.Error(err)
	}
}

// The line is this program's where a library panics, also below a callback.
func TestSite(t *testing.T) {
	err := Do("outer", func() {
		_ = strings.Map(func(r rune) rune { _ = strings.Repeat("x", -int(r)); return r }, "a")
	})
	if b := (*Broken)(nil); !errors.As(err, &b) || !strings.HasPrefix(b.At, "internal/guard/guard_test.go:") {
		t.Errorf("%+v", err)
	}
}

// The innermost name is kept, and a long reason is cut.
func TestPassedOn(t *testing.T) {
	inner := Do("inner", func() { panic(strings.Repeat("é", 1000)) })
	outer := Do("outer", func() { panic(inner) })
	if outer != inner || len(outer.Error()) > 300 || strings.Contains(outer.Error(), "\ufffd") {
		t.Errorf("%v", outer)
	}
}
