package rss

import "os"

// Max returns 0, since this system does not count it.
func Max(*os.ProcessState) int64 { return 0 }
