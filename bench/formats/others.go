package formats

// others has a compiler's, JUnit documents, and output without a parser: a log, a log of only errors, and one with colours.
var others = []Format{
	{
		Tool: "gcc", shape: "text", Argv: []string{"gcc", "-c", "all.c"}, Exit: 1,
		parts: []string{"%[4]s.c:%[2]d:%[3]d: error: implicit declaration of function 'cart%[1]d' [-Wimplicit-function-declaration]\n"},
		each:  1,
	},
	{
		Tool: "gcc", shape: "source", Argv: []string{"g++", "-c", "all.cc"}, Exit: 1,
		parts: []string{"%[4]s.cc: In function 'int f%[1]d()':\n%[4]s.cc:%[2]d:12: error: 'cart%[1]d' was not declared in this scope\n %4[2]d |     return cart%[1]d(x);\n      |            ^~~~~~~\n"},
		each:  1,
	},
	{
		Tool: "junit", shape: "junit", kind: "flood", Argv: []string{"cat", "report.xml"}, Exit: 1,
		heads: []string{"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"jest tests\" tests=\"%[1]d\" failures=\"%[1]d\" errors=\"0\" time=\"2.559\">\n  <testsuite name=\"Cart\" errors=\"0\" failures=\"%[1]d\" skipped=\"0\" timestamp=\"2026-11-21T04:07:47\" time=\"1.314\" tests=\"%[1]d\">\n"},
		parts: []string{"    <testcase classname=\"Cart adds %[1]d\" name=\"Cart adds %[1]d\" time=\"0.015\">\n      <failure>Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: %[1]d\nReceived: %[3]d\n    at Object.toBe (/home/dev/shop/%[4]s.test.js:%[2]d:%[3]d)\n    at new Promise (&lt;anonymous&gt;)\n    at _callCircusTest (/home/dev/shop/node_modules/jest-circus/build/jestAdapterInit.js:1167:40)</failure>\n    </testcase>\n"},
		foot:  "  </testsuite>\n</testsuites>\n", each: 1,
	},
	{
		Tool: "junit", shape: "junit", kind: "quiet", Argv: []string{"cat", "report.xml"}, Exit: 1,
		heads: []string{"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"jest tests\" tests=\"%[5]d\" failures=\"1\" errors=\"0\" time=\"2.559\">\n  <testsuite name=\"Cart\" errors=\"0\" failures=\"1\" skipped=\"0\" timestamp=\"2026-11-21T04:07:47\" time=\"1.314\" tests=\"%[5]d\">\n"},
		parts: []string{"    <testcase classname=\"Cart adds %[1]d\" name=\"Cart adds %[1]d\" time=\"0.015\">\n    </testcase>\n"},
		foot:  "    <testcase classname=\"Cart ends\" name=\"Cart ends\" time=\"0.015\">\n      <failure>Error: expect(received).toBe(expected)\n    at Object.toBe (/home/dev/shop/src/last.test.js:7:7)</failure>\n    </testcase>\n  </testsuite>\n</testsuites>\n", extra: 1,
	},
	{
		Tool: "generic", shape: "log", Argv: []string{"./job"}, Exit: 1,
		parts: []string{"2026-11-20T12:00:%[3]dZ INFO worker-%[3]d processed item %[1]d after %[2]d.5ms status=ok\n"},
	},
	{
		Tool: "generic", shape: "colour", Argv: []string{"./job"}, Exit: 1,
		parts: []string{"\x1b[2m12:00:%[3]d\x1b[0m \x1b[32mINFO\x1b[0m worker-%[3]d processed item %[1]d after %[2]d.5ms\n"},
	},
	{
		Tool: "generic", shape: "places", Argv: []string{"./job", "--places"}, Exit: 1,
		parts: []string{"%[4]s.x:%[2]d:%[3]d: error: nothing is called 'cart%[1]d'\n"},
		each:  1,
	},
	{
		Tool: "generic", shape: "errors", Argv: []string{"./job"}, Exit: 1,
		parts: []string{"2026-11-20T12:00:%[3]dZ ERROR worker-%[3]d failed on item %[1]d after %[2]d.5ms: cannot connect\n"},
		each:  1,
	},
}
