package objects_test

import "os"

// thorough asks for every fault at every position, every step at which a process may
// die, every bit, long races and many histories. Without it they are sampled: all of them take minutes, and much longer
// under the race detector, which makes zstd ten times slower. .ci/thorough runs them all.
var thorough = os.Getenv("CAIRN_TEST_THOROUGH") != ""
