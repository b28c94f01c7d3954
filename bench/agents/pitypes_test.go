package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPiTypes checks the TypeScript of the package against the types that each version
// of pi publishes. The compiler is the one that was installed beside pi.
func TestPiTypes(t *testing.T) {
	for _, of := range installedPis(t) {
		t.Run(of.version, func(t *testing.T) {
			tsc := filepath.Join(of.folder, "node_modules/typescript/bin/tsc")
			if _, err := os.Stat(tsc); err != nil {
				if os.Getenv("CAIRN_TEST_TOOLS") == "required" {
					t.Fatal(err)
				}
				t.Skip("no typescript is installed beside pi")
			}
			source, err := filepath.Abs("../../agents/hosts/pi/extensions/index.ts")
			if err != nil {
				t.Fatal(err)
			}
			wrong := filepath.Join(t.TempDir(), "wrong.ts")
			text := "import type { ExtensionAPI } from \"@earendil-works/pi-coding-agent\";\nexport default (pi: ExtensionAPI) => pi.on(\"context\", (event) => event.mesages);\n"
			if err := os.WriteFile(wrong, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			out := of.check(t, tsc, source, wrong)
			if n := strings.Count(out, "error TS"); n != 1 || !strings.Contains(out, "'mesages' does not exist") {
				t.Errorf("%d errors, where one is expected, that of what is wrong:\n%s", n, out)
			}
		})
	}
}

// check is what the compiler says of files and what they import.
func (of installedPi) check(t *testing.T, tsc string, files ...string) string {
	t.Helper()
	project, err := json.Marshal(map[string]any{
		"compilerOptions": map[string]any{
			"strict": true, "noUnusedLocals": true, "noUnusedParameters": true, "noEmit": true, "skipLibCheck": true, "allowImportingTsExtensions": true,
			"module": "nodenext", "moduleResolution": "nodenext", "target": "es2024", "lib": []string{"es2024"},
			"types": []string{"node"}, "typeRoots": []string{filepath.Join(of.folder, "node_modules/@types")},
			"paths": map[string]any{"@earendil-works/pi-coding-agent": []string{filepath.Join(of.folder, piPackage, "dist/index.d.ts")}},
		},
		"files": files,
	})
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "tsconfig.json")
	if err := os.WriteFile(config, project, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), of.node, tsc, "-p", config).CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	return string(out)
}
