package main

import "cairn/bench/packages"

var itsdangerous = project{
	name: "itsdangerous", version: "2.2.0", license: "BSD-3-Clause",
	needs: []string{"python3"},
	fetch: packages.Sdist("itsdangerous", "2.2.0", "e0050c0b7da1eea53ffaf149c0cfbb5c6e2e2b69c4bef22c81fa6eb73e5f6173"),
	env:   []string{"PYTHONPATH=src"},
	tools: map[string][]string{
		"pytest": {"pytest"},
		"mypy":   {"mypy", "--no-warn-unused-ignores"}, // the package was written for another version of mypy
		"ruff":   {"ruff", "check", "--no-fix"},
	},
	breaks: []brk{
		{"wrong value", "pytest", []edit{{encodingPy, `.lstrip(b"\x00")`, `.rstrip(b"\x00")`}}, 1,
			want{"test_int_bytes[192", encodingTest, "assert enc == expect"}},
		{"wrong parameter", "pytest", []edit{{encodingTest, `(192, b"\xc0")`, `(192, b"\xc1")`}}, 1,
			want{"test_int_bytes[192", encodingTest, "assert enc == expect"}},
		{"exception in a helper", "pytest", []edit{{signerPy, "        if secret_key is None:\n            secret_key = self", "        raise RuntimeError(\"no key today\")\n        if secret_key is None:\n            secret_key = self"}}, 1,
			want{"TestSigner::test_signer", signerPy, `raise RuntimeError("no key`}},
		{"fixture error", "pytest", []edit{{signerTest, "return signer_factory()", "return signer_factory(pepper=1)"}}, 1,
			want{"TestSigner::test_signer", signerTest, "signer_factory(pepper=1)"}},
		{"syntax error", "pytest", []edit{{encodingPy, "if isinstance(s, str):", "if isinstance(s, str)"}}, 2,
			want{"SyntaxError", encodingPy, "if isinstance(s, str)"}},
		{"missing module", "pytest", []edit{{signerPy, "import hmac\n", "import hmac_extra\n"}}, 2,
			want{"test_signer.py", signerPy, "import hmac_extra"}},
		{"deleted function", "pytest", []edit{{encodingPy, "def base64_decode(", "def base64_decode_old("}}, 2,
			want{"test_encoding.py", "src/itsdangerous/__init__.py", "from .encoding import base64_decode"}},
		{"broken test file", "pytest", []edit{{encodingTest, "def test_base64_bad():", "def test_base64_bad(:"}}, 2,
			want{"test_encoding.py", encodingTest, "def test_base64_bad(:"}},
		{"warning as error", "pytest", []edit{{encodingPy, "    string = want_bytes(string)\n", "    import warnings\n    warnings.warn(\"old\", DeprecationWarning, stacklevel=1)\n    string = want_bytes(string)\n"}}, 1,
			want{"test_base64[", encodingPy, `warnings.warn("old"`}},
		{"wrong type", "mypy", []edit{{encodingPy, `return _int_to_bytes(num).lstrip(b"\x00")`, "return num"}}, 1,
			want{"return-value", encodingPy, "return num"}},
		{"undefined name", "mypy", []edit{{encodingPy, "    return s\n", "    return z\n"}}, 1,
			want{"name-defined", encodingPy, "    return z\n"}},
		{"unused variable", "ruff", []edit{{encodingPy, "    return s\n", "    unused = 1\n    return s\n"}}, 1,
			want{"F841", encodingPy, "unused = 1"}},
		{"unused import", "ruff", []edit{{encodingPy, "import base64\n", "import base64\nimport binascii\n"}}, 1,
			want{"F401", encodingPy, "import binascii"}},
	},
}

const (
	encodingPy   = "src/itsdangerous/encoding.py"
	signerPy     = "src/itsdangerous/signer.py"
	encodingTest = "tests/test_itsdangerous/test_encoding.py"
	signerTest   = "tests/test_itsdangerous/test_signer.py"
)

var moreItertools = project{
	name: "more-itertools", version: "10.6.0", license: "MIT",
	needs: []string{"python3"},
	fetch: packages.Sdist("more-itertools", "10.6.0", "2cd7fad1009c31cc9fb6a035108509e6547547a7a738374f10bd49a09eb3ee3b"),
	tools: map[string][]string{
		// Without the tests that search for large primes.
		"pytest": {"pytest", "--doctest-modules", recipesPy, recipesTest, "-k", "take or tail or nth or tabulate or consume"},
		"mypy":   {"mypy", "more_itertools"},
		"ruff":   {"ruff", "check", recipesPy},
	},
	breaks: []brk{
		{"failing doctest", "pytest", []edit{{recipesPy, "[9, 4, 1, 0]", "[9, 4, 1, 1]"}}, 1,
			want{"more_itertools.recipes.tabulate", recipesPy, ">>> take(4, iterator)"}},
		{"wrong value", "pytest", []edit{{recipesPy, "return list(islice(iterable, n))", "return list(islice(iterable, n + 1))"}}, 1,
			want{"TakeTests::test_simple_take", recipesTest, "self.assertEqual(t, [0, 1, 2, 3, 4])"}},
		{"exception in a helper", "pytest", []edit{{recipesPy, "yield from iter(deque(iterable, maxlen=n))", "raise LookupError('no tail')"}}, 1,
			want{"TailTests::test_iterator_greater", recipesPy, "raise LookupError("}},
		{"undefined name at run time", "pytest", []edit{{recipesPy, "return next(islice(iterable, n, None), default)", "return next(islice(iterable, n, None), defaults)"}}, 1,
			want{"NthTests::", recipesPy, "None), defaults)"}},
		{"setUp fails", "pytest", []edit{{recipesTest, "    def test_simple_take(self):", "    def setUp(self):\n        raise OSError('no disk')\n\n    def test_simple_take(self):"}}, 1,
			want{"TakeTests::test_null_take", recipesTest, "raise OSError("}},
		{"nothing raised", "pytest", []edit{{recipesTest, "mi.take(-3, range(10))", "mi.take(3, range(10))"}}, 1,
			want{"TakeTests::test_negative_take", recipesTest, "mi.take(3, range(10))"}},
		{"syntax error", "pytest", []edit{{recipesPy, "def tail(n, iterable):", "def tail(n, iterable:"}}, 2,
			want{"", recipesPy, "def tail(n, iterable:"}},
		{"missing module", "pytest", []edit{{recipesPy, "import operator\n", "import operators\n"}}, 2,
			want{"", recipesPy, "import operators"}},
		{"failing import in a test file", "pytest", []edit{{recipesTest, "from math import comb, factorial", "from math import combs, factorial"}}, 2,
			want{"test_recipes.py", recipesTest, "from math import combs"}},
		{"undefined type", "mypy", []edit{{"more_itertools/recipes.pyi", "-> list[_T]: ...", "-> list[_Tx]: ..."}}, 1,
			want{"name-defined", "more_itertools/recipes.pyi", "-> list[_Tx]"}},
		{"undefined name", "ruff", []edit{{recipesPy, "return map(function, count(start))", "return map(function, counter(start))"}}, 1,
			want{"F821", recipesPy, "counter(start)"}},
		{"syntax error for ruff", "ruff", []edit{{recipesPy, "    if n is None:\n", "    if n is None\n"}}, 1,
			want{"", recipesPy, "    if n is None\n"}},
	},
}

const (
	recipesPy   = "more_itertools/recipes.py"
	recipesTest = "tests/test_recipes.py"
)
