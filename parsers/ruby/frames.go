package ruby

import "strings"

// isClass reports whether word looks like a class: "KeyError", "Shelf::NotFound".
func isClass(word string) bool {
	if word == "" || word[0] < 'A' || word[0] > 'Z' {
		return false
	}
	return strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:") == ""
}

// isInstalled reports whether path is in Ruby itself, in a gem, or the short script in /usr/bin that starts a gem.
func isInstalled(path string) bool {
	if strings.HasPrefix(path, "<") || strings.Contains(path, "/gems/") || strings.Contains(path, "/lib/ruby/") {
		return true
	}
	i := strings.LastIndex(path, "/bin/")
	return i >= 0 && path[0] == '/' && !strings.ContainsAny(path[i+len("/bin/"):], "./")
}
