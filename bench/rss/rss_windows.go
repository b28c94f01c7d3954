package rss

import "os"

// Max is not known on this system.
func Max(*os.ProcessState) int64 { return 0 }
