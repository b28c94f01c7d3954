package result

import "testing"

// Whether a path names a file whatever the directory, in all forms that tools print.
func TestIsAbsolute(t *testing.T) {
	for path, want := range map[string]bool{
		"/": true, "/usr/lib/x.py": true, "//net/share/x.c": true,
		`C:\src\x.cs`: true, "c:/src/x.cs": true, `d:\`: true, "Z:/": true,
		`\\server\share\x.c`: true, `\\?\C:\src\x.c`: true, `\\?\UNC\server\share\x.c`: true, `\\.\pipe\x`: true, `\src\x.c`: true, "//?/C:/x.c": true,
		"file:///src/x.mjs": true, "file:/src/x.mjs": true, "file:///C:/x.mjs": true, "file://host/x": true,
		"": false, ".": false, "..": false, "x": false, "./x.py": false, "../x.py": false, "src/x.py": false, `src\x.py`: false, "~/x": false,
		"c:x": false, "C:": false, "x:3": false, "x:3:7": false, "ab:/x": false, "1:/x": false, "é:/x": false,
		"file:x": false, "files:/x": false, "https://host/x.js": false, "webpack://app/./x.js": false, "node:fs": false, "jar:file:/x": false,
		"<stdin>": false, "<tmp>/x": false, "-": false,
	} {
		if got := IsAbsolute(path); got != want {
			t.Errorf("%q: %v, want %v", path, got, want)
		}
	}
}
