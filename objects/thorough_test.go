package objects_test

import "os"

// thorough asks for every fault position, every step at which a process may die and
// every bit. Without it they are sampled: all of them take minutes, and much longer
// under the race detector, which makes zstd ten times slower. CI runs them all.
var thorough = os.Getenv("CAIRN_TEST_THOROUGH") != ""
