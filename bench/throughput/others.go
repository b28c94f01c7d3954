package main

// others has JUnit documents, and output without a parser: a log, a log of only errors, and one with colours.
var others = []format{
	{
		tool: "junit", shape: "junit", kind: "flood", argv: []string{"cat", "report.xml"}, exit: 1,
		heads: []string{"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"jest tests\" tests=\"%[1]d\" failures=\"%[1]d\" errors=\"0\" time=\"2.559\">\n  <testsuite name=\"Cart\" errors=\"0\" failures=\"%[1]d\" skipped=\"0\" timestamp=\"2026-11-21T04:07:47\" time=\"1.314\" tests=\"%[1]d\">\n"},
		parts: []string{"    <testcase classname=\"Cart adds %[1]d\" name=\"Cart adds %[1]d\" time=\"0.015\">\n      <failure>Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: %[1]d\nReceived: %[3]d\n    at Object.toBe (/home/dev/shop/%[4]s.test.js:%[2]d:%[3]d)\n    at new Promise (&lt;anonymous&gt;)\n    at _callCircusTest (/home/dev/shop/node_modules/jest-circus/build/jestAdapterInit.js:1167:40)</failure>\n    </testcase>\n"},
		foot:  "  </testsuite>\n</testsuites>\n", each: 1,
	},
	{
		tool: "junit", shape: "junit", kind: "quiet", argv: []string{"cat", "report.xml"}, exit: 1,
		heads: []string{"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"jest tests\" tests=\"%[5]d\" failures=\"1\" errors=\"0\" time=\"2.559\">\n  <testsuite name=\"Cart\" errors=\"0\" failures=\"1\" skipped=\"0\" timestamp=\"2026-11-21T04:07:47\" time=\"1.314\" tests=\"%[5]d\">\n"},
		parts: []string{"    <testcase classname=\"Cart adds %[1]d\" name=\"Cart adds %[1]d\" time=\"0.015\">\n    </testcase>\n"},
		foot:  "    <testcase classname=\"Cart ends\" name=\"Cart ends\" time=\"0.015\">\n      <failure>Error: expect(received).toBe(expected)\n    at Object.toBe (/home/dev/shop/src/last.test.js:7:7)</failure>\n    </testcase>\n  </testsuite>\n</testsuites>\n", extra: 1,
	},
	{
		tool: "generic", shape: "log", argv: []string{"./job"}, exit: 1,
		parts: []string{"2026-11-20T12:00:%[3]dZ INFO worker-%[3]d processed item %[1]d after %[2]d.5ms status=ok\n"},
	},
	{
		tool: "generic", shape: "colour", argv: []string{"./job"}, exit: 1,
		parts: []string{"\x1b[2m12:00:%[3]d\x1b[0m \x1b[32mINFO\x1b[0m worker-%[3]d processed item %[1]d after %[2]d.5ms\n"},
	},
	{
		tool: "generic", shape: "errors", argv: []string{"./job"}, exit: 1,
		parts: []string{"2026-11-20T12:00:%[3]dZ ERROR worker-%[3]d failed on item %[1]d after %[2]d.5ms: cannot connect\n"},
		each:  1,
	},
}
