package formats

// javascript has the formats of TypeScript 5 and ESLint 9.
var javascript = []Format{
	{
		Tool: "tsc", shape: "plain", Argv: []string{"tsc", "--noEmit"}, Exit: 2,
		parts: []string{"%[4]s.ts(%[2]d,%[3]d): error TS2322: Type 'Cart%[1]d' is not assignable to type 'string'.\n"},
		each:  1,
	},
	{
		Tool: "tsc", shape: "chained", Argv: []string{"tsc", "--noEmit"}, Exit: 2,
		parts: []string{"%[4]s.ts(%[2]d,%[3]d): error TS2322: Type '{ id: Cart%[1]d; }' is not assignable to type 'Order'.\n  Types of property 'id' are incompatible.\n    Type 'Cart%[1]d' is not assignable to type 'string'.\n"},
		each:  1,
	},
	{
		Tool: "tsc", shape: "pretty", Argv: []string{"tsc", "--pretty"}, Exit: 2,
		parts: []string{"\x1b[96m%[4]s.ts\x1b[0m:\x1b[93m%[2]d\x1b[0m:\x1b[93m%[3]d\x1b[0m - \x1b[91merror\x1b[0m\x1b[90m TS2322: \x1b[0mType 'Cart%[1]d' is not assignable to type 'string'.\n\n\x1b[7m%[2]d\x1b[0m export const total: string = makeCart(%[1]d);\n\x1b[7m \x1b[0m \x1b[91m             ~~~~~\x1b[0m\n\n"},
		foot:  "\nFound %[1]d errors in 5003 files.\n\n", each: 1,
	},
	{
		Tool: "eslint", shape: "stylish", Argv: []string{"eslint", "src"}, Exit: 1,
		parts: []string{"\n/home/dev/shop/%[4]s_%[1]d.js\n  %[2]d:%[3]d  error    'cart%[1]d' is assigned a value but never used  no-unused-vars\n"},
		foot:  "\n✖ %[1]d problems (%[1]d errors, 0 warnings)\n\n", each: 1,
	},
	{
		Tool: "eslint", shape: "json", Argv: []string{"eslint", "-f", "json", "src"}, Exit: 1, JSON: true,
		heads: []string{"["},
		parts: []string{"{\"filePath\":\"/home/dev/shop/%[4]s_%[1]d.js\",\"messages\":[{\"ruleId\":\"no-unused-vars\",\"severity\":2,\"message\":\"'cart%[1]d' is assigned a value but never used.\",\"line\":%[2]d,\"column\":%[3]d,\"messageId\":\"unusedVar\",\"endLine\":%[2]d,\"endColumn\":99,\"suggestions\":[{\"messageId\":\"removeVar\",\"data\":{\"varName\":\"cart%[1]d\"},\"fix\":{\"range\":[10,20],\"text\":\"\"},\"desc\":\"Remove unused variable 'cart%[1]d'.\"}]}],\"suppressedMessages\":[],\"errorCount\":1,\"fatalErrorCount\":0,\"warningCount\":0,\"fixableErrorCount\":0,\"fixableWarningCount\":0,\"source\":\"var cart%[1]d = make(%[3]d);\\nexport default 1;\\n\",\"usedDeprecatedRules\":[]}"},
		join:  ",", foot: "]\n", each: 1,
	},
	{
		Tool: "eslint", shape: "unix", Argv: []string{"eslint", "-f", "unix", "src"}, Exit: 1,
		parts: []string{"/home/dev/shop/%[4]s.js:%[2]d:%[3]d: 'cart%[1]d' is assigned a value but never used. [Error/no-unused-vars]\n"},
		foot:  "\n%[1]d problems\n", each: 1,
	},
	{
		Tool: "eslint", shape: "compact", Argv: []string{"eslint", "-f", "compact", "src"}, Exit: 1,
		parts: []string{"/home/dev/shop/%[4]s.js: line %[2]d, col %[3]d, Error - 'cart%[1]d' is assigned a value but never used. (no-unused-vars)\n"},
		foot:  "\n%[1]d problems\n", each: 1,
	},
	{
		Tool: "eslint", shape: "checkstyle", Argv: []string{"eslint", "-f", "checkstyle", "src"}, Exit: 1,
		heads: []string{`<?xml version="1.0" encoding="utf-8"?><checkstyle version="4.3">`},
		parts: []string{`<file name="/home/dev/shop/%[4]s_%[1]d.js"><error line="%[2]d" column="%[3]d" severity="error" message="&apos;cart%[1]d&apos; is assigned a value but never used. (no-unused-vars)" source="eslint.rules.no-unused-vars" /></file>`},
		foot:  "</checkstyle>\n", each: 1,
	},
	{
		Tool: "eslint", shape: "junit", Argv: []string{"eslint", "-f", "junit", "src"}, Exit: 1,
		heads: []string{"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites>\n"},
		parts: []string{"<testsuite package=\"org.eslint\" time=\"0\" tests=\"1\" errors=\"1\" name=\"/home/dev/shop/%[4]s_%[1]d.js\">\n<testcase time=\"0\" name=\"org.eslint.no-unused-vars\" classname=\"/home/dev/shop/%[4]s_%[1]d\"><failure message=\"&apos;cart%[1]d&apos; is assigned a value but never used.\"><![CDATA[line %[2]d, col %[3]d, Error - &apos;cart%[1]d&apos; is assigned a value but never used. (no-unused-vars)]]></failure></testcase>\n</testsuite>\n"},
		foot:  "</testsuites>\n", each: 1,
	},
	{
		Tool: "eslint", shape: "tap", Argv: []string{"eslint", "-f", "tap", "src"}, Exit: 1,
		heads: []string{"TAP version 13\n1..%[1]d\n\n"},
		parts: []string{"not ok %[5]d - /home/dev/shop/%[4]s_%[1]d.js\n  ---\n  message: \"'cart%[1]d' is assigned a value but never used.\"\n  severity: error\n  data:\n    line: %[2]d\n    column: %[3]d\n    ruleId: no-unused-vars\n  ...\n"},
		foot:  "\n", each: 1,
	},
	{
		Tool: "eslint", shape: "sarif", Argv: []string{"eslint", "-f", "@microsoft/eslint-formatter-sarif", "src"}, Exit: 1, JSON: true,
		heads: []string{"{\n  \"version\": \"2.1.0\",\n  \"$schema\": \"http://json.schemastore.org/sarif-2.1.0-rtm.5\",\n  \"runs\": [\n    {\n      \"tool\": {\n        \"driver\": {\n          \"name\": \"ESLint\",\n          \"informationUri\": \"https://eslint.org\",\n          \"rules\": []\n        }\n      },\n      \"results\": [\n"},
		parts: []string{"        {\n          \"level\": \"error\",\n          \"message\": {\n            \"text\": \"'cart%[1]d' is assigned a value but never used.\"\n          },\n          \"locations\": [\n            {\n              \"physicalLocation\": {\n                \"artifactLocation\": {\n                  \"uri\": \"file:///home/dev/shop/%[4]s.js\",\n                  \"index\": 2\n                },\n                \"region\": {\n                  \"startLine\": %[2]d,\n                  \"startColumn\": %[3]d\n                }\n              }\n            }\n          ],\n          \"ruleId\": \"no-unused-vars\",\n          \"ruleIndex\": 0\n        }"},
		join:  ",\n", foot: "\n      ]\n    }\n  ]\n}\n", each: 1,
	},
}
