package formats

// python has the formats of pytest 9, ruff 0.15 and mypy 2.
var python = []Format{
	{
		Tool: "pytest", shape: "text", width: 80, kind: "flood", Argv: []string{"pytest"}, Exit: 1,
		heads: []string{"============================= test session starts ==============================\nplatform linux -- Python 3.14.8, pytest-9.1.1, pluggy-1.6.0\nrootdir: /home/dev/shop\ncollected %[1]d items\n\n=================================== FAILURES ===================================\n", "=========================== short test summary info ============================\n"},
		parts: []string{
			"_____________________________ test_case_%[1]d _____________________________\n\n    def test_case_%[1]d():\n        cart = make(%[3]d)\n>       assert cart.total() == %[1]d\nE       assert %[3]d == %[1]d\nE        +  where %[3]d = total()\n\n%[4]s.py:%[2]d: AssertionError\n----------------------------- Captured stdout call -----------------------------\nmade a cart of %[3]d\n",
			"FAILED %[4]s.py::test_case_%[1]d - assert %[3]d == %[1]d\n",
		},
		foot: "============================== %[1]d failed in 9.02s ==============================\n",
		each: 1,
	},
	{
		Tool: "pytest", shape: "text", width: 80, kind: "quiet", Argv: []string{"pytest", "-v"}, Exit: 1,
		heads: []string{"============================= test session starts ==============================\nplatform linux -- Python 3.14.8, pytest-9.1.1, pluggy-1.6.0 -- /usr/bin/python3\nrootdir: /home/dev/shop\ncollecting ... collected %[5]d items\n\n"},
		parts: []string{"%[4]s.py::test_case[%[1]d-%[3]d] PASSED                                     [ 50%%]\n"},
		foot:  "src/last.py::test_last FAILED                                    [100%%]\n\n=================================== FAILURES ===================================\n__________________________________ test_last ___________________________________\n\n    def test_last():\n>       assert 1 == 2\nE       assert 1 == 2\n\nsrc/last.py:2: AssertionError\n=========================== short test summary info ============================\nFAILED src/last.py::test_last - assert 1 == 2\n========================= 1 failed, %[1]d passed in 9.02s =========================\n",
		extra: 1,
	},
	{
		Tool: "pytest", shape: "text", width: 80, kind: "printed", Argv: []string{"pytest", "-s"}, Exit: 1,
		heads: []string{"============================= test session starts ==============================\nplatform linux -- Python 3.14.8, pytest-9.1.1, pluggy-1.6.0\nrootdir: /home/dev/shop\ncollected 1 item\n\nsrc/last.py "},
		parts: []string{"2026-11-20 12:00:%[3]d,%[2]d INFO shop.%[3]d item %[1]d was priced in %[2]d ms\n"},
		foot:  "F\n\n=================================== FAILURES ===================================\n__________________________________ test_last ___________________________________\n\n    def test_last():\n>       assert 1 == 2\nE       assert 1 == 2\n\nsrc/last.py:2: AssertionError\n=========================== short test summary info ============================\nFAILED src/last.py::test_last - assert 1 == 2\n============================== 1 failed in 9.02s ===============================\n",
		extra: 1,
	},
	{
		Tool: "ruff", shape: "full", Argv: []string{"ruff", "check"}, Exit: 1,
		parts: []string{"F401 [*] `os.path%[1]d` imported but unused\n  --> %[4]s.py:%[2]d:%[3]d\n   |\n10 | import sys\n11 | import os.path%[1]d\n   |        ^^^^^^^\n   |\nhelp: Remove unused import: `os.path%[1]d`\n\n"},
		foot:  "Found %[1]d errors.\n[*] %[1]d fixable with the `--fix` option.\n", each: 1,
	},
	{
		Tool: "ruff", shape: "concise", Argv: []string{"ruff", "check", "--output-format", "concise"}, Exit: 1,
		parts: []string{"%[4]s.py:%[2]d:%[3]d: F401 [*] `os.path%[1]d` imported but unused\n"},
		foot:  "Found %[1]d errors.\n[*] %[1]d fixable with the `--fix` option.\n", each: 1,
	},
	{
		Tool: "ruff", shape: "json", Argv: []string{"ruff", "check", "--output-format", "json"}, Exit: 1, JSON: true,
		heads: []string{"[\n"},
		parts: []string{"  {\n    \"cell\": null,\n    \"code\": \"F401\",\n    \"end_location\": {\n      \"column\": %[3]d,\n      \"row\": %[2]d\n    },\n    \"filename\": \"/home/dev/shop/%[4]s.py\",\n    \"fix\": {\n      \"applicability\": \"safe\",\n      \"edits\": [\n        {\n          \"content\": \"\",\n          \"end_location\": {\n            \"column\": 1,\n            \"row\": 2\n          },\n          \"location\": {\n            \"column\": 1,\n            \"row\": 1\n          }\n        }\n      ],\n      \"message\": \"Remove unused import: `os.path%[1]d`\"\n    },\n    \"location\": {\n      \"column\": %[3]d,\n      \"row\": %[2]d\n    },\n    \"message\": \"`os.path%[1]d` imported but unused\",\n    \"name\": \"unused-import\",\n    \"noqa_row\": %[2]d,\n    \"severity\": \"error\",\n    \"url\": \"https://docs.astral.sh/ruff/rules/unused-import\"\n  }"},
		join:  ",\n", foot: "\n]", each: 1,
	},
	{
		Tool: "ruff", shape: "json-lines", Argv: []string{"ruff", "check", "--output-format", "json-lines"}, Exit: 1, JSON: true,
		parts: []string{"{\"cell\":null,\"code\":\"F401\",\"end_location\":{\"column\":%[3]d,\"row\":%[2]d},\"filename\":\"/home/dev/shop/%[4]s.py\",\"fix\":null,\"location\":{\"column\":%[3]d,\"row\":%[2]d},\"message\":\"`os.path%[1]d` imported but unused\",\"name\":\"unused-import\",\"noqa_row\":%[2]d,\"severity\":\"error\",\"url\":\"https://docs.astral.sh/ruff/rules/unused-import\"}\n"},
		each:  1,
	},
	{
		Tool: "ruff", shape: "gitlab", Argv: []string{"ruff", "check", "--output-format", "gitlab"}, Exit: 1, JSON: true,
		heads: []string{"[\n"},
		parts: []string{"  {\n    \"check_name\": \"F401\",\n    \"description\": \"F401: `os.path%[1]d` imported but unused\",\n    \"severity\": \"major\",\n    \"fingerprint\": \"%[1]016x\",\n    \"location\": {\n      \"path\": \"%[4]s.py\",\n      \"positions\": {\n        \"begin\": {\n          \"line\": %[2]d,\n          \"column\": %[3]d\n        },\n        \"end\": {\n          \"line\": %[2]d,\n          \"column\": 90\n        }\n      }\n    }\n  }"},
		join:  ",\n", foot: "\n]", each: 1,
	},
	{
		Tool: "ruff", shape: "rdjson", Argv: []string{"ruff", "check", "--output-format", "rdjson"}, Exit: 1, JSON: true,
		heads: []string{"{\n  \"diagnostics\": [\n"},
		parts: []string{"    {\n      \"code\": {\n        \"url\": \"https://docs.astral.sh/ruff/rules/unused-import\",\n        \"value\": \"F401\"\n      },\n      \"location\": {\n        \"path\": \"/home/dev/shop/%[4]s.py\",\n        \"range\": {\n          \"end\": {\n            \"column\": %[3]d,\n            \"line\": %[2]d\n          },\n          \"start\": {\n            \"column\": %[3]d,\n            \"line\": %[2]d\n          }\n        }\n      },\n      \"message\": \"`os.path%[1]d` imported but unused\"\n    }"},
		join:  ",\n", foot: "\n  ],\n  \"severity\": \"WARNING\",\n  \"source\": {\n    \"name\": \"ruff\",\n    \"url\": \"https://docs.astral.sh/ruff\"\n  }\n}", each: 1,
	},
	{
		Tool: "ruff", shape: "sarif", Argv: []string{"ruff", "check", "--output-format", "sarif"}, Exit: 1, JSON: true,
		heads: []string{"{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"runs\": [\n    {\n      \"results\": [\n"},
		parts: []string{"        {\n          \"level\": \"error\",\n          \"locations\": [\n            {\n              \"physicalLocation\": {\n                \"artifactLocation\": {\n                  \"uri\": \"file:///home/dev/shop/%[4]s.py\"\n                },\n                \"region\": {\n                  \"endColumn\": %[3]d,\n                  \"endLine\": %[2]d,\n                  \"startColumn\": %[3]d,\n                  \"startLine\": %[2]d\n                }\n              }\n            }\n          ],\n          \"message\": {\n            \"text\": \"`os.path%[1]d` imported but unused\"\n          },\n          \"ruleId\": \"F401\"\n        }"},
		join:  ",\n", foot: "\n      ],\n      \"tool\": {\n        \"driver\": {\n          \"informationUri\": \"https://github.com/astral-sh/ruff\",\n          \"name\": \"ruff\",\n          \"rules\": [],\n          \"version\": \"0.15.1\"\n        }\n      }\n    }\n  ],\n  \"version\": \"2.1.0\"\n}", each: 1,
	},
	{
		Tool: "ruff", shape: "github", Argv: []string{"ruff", "check", "--output-format", "github"}, Exit: 1,
		parts: []string{"::error title=ruff (F401),file=/home/dev/shop/%[4]s.py,line=%[2]d,col=%[3]d,endLine=%[2]d,endColumn=90::%[4]s.py:%[2]d:%[3]d: F401 `os.path%[1]d` imported but unused\n"},
		each:  1,
	},
	{
		Tool: "ruff-format", shape: "check", Argv: []string{"ruff", "format", "--check"}, Exit: 1,
		parts: []string{"Would reformat: %[4]s_%[1]d.py\n"},
		foot:  "%[1]d files would be reformatted\n", each: 1,
	},
	{
		Tool: "mypy", shape: "text", Argv: []string{"mypy", "."}, Exit: 1,
		parts: []string{"%[4]s.py:%[2]d: error: Incompatible types in assignment (expression has type \"Cart%[1]d\", variable has type \"int\")  [assignment]\n"},
		foot:  "Found %[1]d errors in 5003 files (checked 5003 source files)\n", each: 1,
	},
	{
		Tool: "mypy", shape: "pretty", Argv: []string{"mypy", "--pretty", "."}, Exit: 1,
		parts: []string{"%[4]s.py:%[2]d: error: Incompatible types in assignment (expression has type\n\"Cart%[1]d\", variable has type \"int\")  [assignment]\n        total: int = Cart%[1]d()\n                     ^~~~~~~~~~\n"},
		foot:  "Found %[1]d errors in 5003 files (checked 5003 source files)\n", each: 1,
	},
	{
		Tool: "mypy", shape: "json", Argv: []string{"mypy", "--output", "json", "."}, Exit: 1, JSON: true,
		parts: []string{"{\"file\": \"%[4]s.py\", \"line\": %[2]d, \"column\": %[3]d, \"message\": \"Incompatible types in assignment (expression has type \\\"Cart%[1]d\\\", variable has type \\\"int\\\")\", \"hint\": null, \"code\": \"assignment\", \"severity\": \"error\"}\n"},
		each:  1,
	},
}
