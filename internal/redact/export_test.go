package redact

import "sync"

// resetForTest forgets everything that was built or compiled, as at the start of a process.
func resetForTest() {
	theEngine = sync.OnceValue(newEngine)
	stopMatcher = sync.OnceValue(newStopMatcher)
	allowedSecret, allowedName = lazy{}, lazy{}
}
