package place

import "os"

// writable makes and removes a file: with access lists there is no cheaper way.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, ".cairn-*")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}
