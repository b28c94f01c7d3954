package main

import "cairn/bench/packages"

var immer = project{
	name: "immer", version: "10.1.1", license: "MIT",
	needs: []string{"node", "npm"},
	fetch: packages.NPM("immer", "10.1.1", "sha512-s2MPrmjovJcoMaHtx6K11Ra7oD05NT97w1IC5zpMkT6Atjr7H8LjaDd81iIxUYpMKSRRNMJE703M1Fhr/TctHw=="),
	files: map[string]string{
		"tsconfig.json":       immerTsconfig,
		"eslint.config.mjs":   immerEslint,
		"src/types/node.d.ts": "declare const process: {env: Record<string, string>}\n",
	},
	tools: map[string][]string{
		"tsc":        {"tsc", "-p", "."},
		"tsc-pretty": {"tsc", "-p", ".", "--pretty"},
		"eslint":     {"eslint", "src"},
	},
	breaks: []brk{
		{"mismatched types", "tsc", []edit{{commonTs, "return !!value && !!value[DRAFT_STATE]", "return value ? 1 : 0"}}, 2,
			want{"TS2322", commonTs, "return value ? 1 : 0"}},
		{"mismatched types, pretty", "tsc-pretty", []edit{{commonTs, "return !!value && !!value[DRAFT_STATE]", "return value ? 1 : 0"}}, 2,
			want{"TS2322", commonTs, "return value ? 1 : 0"}},
		{"syntax error", "tsc", []edit{{scopeTs, "if (scope === currentScope) {", "if (scope === currentScope {"}}, 2,
			want{"TS1005", scopeTs, "if (scope === currentScope {"}},
		{"missing module", "tsc", []edit{{scopeTs, "\tgetPlugin\n} from \"../internal\"", "\tgetPlugin\n} from \"../internals\""}}, 2,
			want{"TS2307", scopeTs, `from "../internals"`}},
		{"undefined name", "tsc", []edit{{scopeTs, "return currentScope!", "return currentScopes!"}}, 2,
			want{"TS2552", scopeTs, "return currentScopes!"}},
		{"deleted function", "tsc", []edit{{scopeTs, "export function leaveScope(", "function leaveScopeOld("}}, 2,
			want{"TS2305", "src/core/immerClass.ts", "leaveScope,"}},
		{"unused variable", "tsc", []edit{{scopeTs, "return currentScope!", "const unused = 1\n\treturn currentScope!"}}, 2,
			want{"TS6133", scopeTs, "const unused = 1"}},
		{"wrong argument", "tsc", []edit{{scopeTs, `getPlugin("Patches")`, `getPlugin("Patchez")`}}, 2,
			want{"TS2345", scopeTs, `getPlugin("Patchez")`}},
		{"missing property", "tsc-pretty", []edit{{scopeTs, "scope.drafts_.forEach(", "scope.drafts.forEach("}}, 2,
			want{"TS2551", scopeTs, "scope.drafts.forEach("}},
		{"parse error", "eslint", []edit{{scopeTs, "if (scope === currentScope) {", "if (scope === currentScope {"}}, 1,
			want{"", scopeTs, "if (scope === currentScope {"}},
		{"unused variable", "eslint", []edit{{scopeTs, "return currentScope!", "const unused = 1\n\treturn currentScope!"}}, 1,
			want{"@typescript-eslint/no-unused-vars", scopeTs, "const unused = 1"}},
		{"debugger left", "eslint", []edit{{scopeTs, "return currentScope!", "debugger\n\treturn currentScope!"}}, 1,
			want{"no-debugger", scopeTs, "debugger"}},
		{"unreachable", "eslint", []edit{{scopeTs, "return currentScope!", "return currentScope!\n\trevokeDraft(null!)"}}, 1,
			want{"no-unreachable", scopeTs, "revokeDraft(null!)"}},
		{"broken settings", "eslint", []edit{{"eslint.config.mjs", `"no-debugger": "error"`, `"no-debugger": "fatal"`}}, 2,
			want{"", "", ""}},
	},
}

const (
	commonTs = "src/utils/common.ts"
	scopeTs  = "src/core/scope.ts"
)

// The archive has sources and no settings: these are similar to the authors' settings, without those that fail for the
// sources as published.
const immerTsconfig = `{
  "compilerOptions": {
    "target": "es2020", "module": "esnext", "moduleResolution": "bundler", "lib": ["es2021", "dom"],
    "strict": true, "noEmit": true, "noUnusedLocals": true, "types": []
  },
  "include": ["src"]
}
`

const immerEslint = `import tseslint from "typescript-eslint"

export default tseslint.config({
  files: ["src/**/*.ts"],
  extends: [tseslint.configs.base],
  rules: {
    "no-debugger": "error",
    "no-unreachable": "error",
    "no-dupe-keys": "error",
    "@typescript-eslint/no-unused-vars": ["error", {args: "none"}],
  },
})
`
