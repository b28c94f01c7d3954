package place

import "os"

// writable makes and removes a file: access lists have no cheaper answer.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, ".cairn-*")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}
