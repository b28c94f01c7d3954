package pytest

import (
	"testing"
)

func TestPytestNodeID(t *testing.T) {
	cases := []struct{ class, name, file, frame, want string }{
		{"tests.test_x.TestC", "test_y[a.b]", "", "tests/test_x.py", "tests/test_x.py::TestC::test_y[a.b]"},
		{"tests.test_x.TestC.TestD", "test_y", "", "", "tests/test_x.py::TestC::TestD::test_y"},
		{"tests.check_x.Case", "check_y", "", "tests/check_x.py", "tests/check_x.py::Case::check_y"},
		{"tests.check_x.Case", "check_y", "", "src/other.py", "tests/check_x.py::Case::check_y"},
		{"sub.test_x", "test_y", "", "test_x.py", "test_x.py::test_y"},
		{"test_x", "test_y", "", "../test_x.py", "../test_x.py::test_y"},
		{"", "tests.test_bad", "", "", "tests/test_bad.py"},
		{"shop.cart", "shop.cart.total", "", "shop/cart.py", "shop/cart.py::shop.cart.total"},
		{"docs.guide.rst", "guide.rst", "", "", "docs/guide.rst::guide.rst"},
		{"pre.tests.test_x", "test_y", "tests/test_x.py", "", "tests/test_x.py::test_y"},
	}
	for _, c := range cases {
		if got := nodeID(c.class, c.name, c.file, []string{c.frame}); got != c.want {
			t.Errorf("%s + %s: got %s, want %s", c.class, c.name, got, c.want)
		}
	}
}
