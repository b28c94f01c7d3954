package ruby

import "strings"

// isClass: "KeyError", "Shelf::NotFound".
func isClass(word string) bool {
	if word == "" || word[0] < 'A' || word[0] > 'Z' {
		return false
	}
	return strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:") == ""
}

// isInstalled: of Ruby itself, of a gem, or the few lines that start a gem's program.
func isInstalled(path string) bool {
	if strings.HasPrefix(path, "<") || strings.Contains(path, "/gems/") || strings.Contains(path, "/lib/ruby/") {
		return true
	}
	i := strings.LastIndex(path, "/bin/")
	return i >= 0 && path[0] == '/' && !strings.ContainsAny(path[i+len("/bin/"):], "./")
}
