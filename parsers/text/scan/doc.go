// Package scan searches texts for many short words at once: words of alarm
// that any tool prints when something went wrong, and words that parsers ask
// for. In the same look at the text it finds line ends and bytes that a terminal
// would not show as they are. There is one search: a single line is looked at as
// a gigabyte is, so that both say the same of a word and where it stands.
//
// # Why there is assembly
//
// Every captured byte is looked at here, so this is what a long log costs. The
// search was measured three ways in one run, on one core, over 8 MiB of log lines
// and of lines that all report errors (MB/s of user CPU, when a glance knew eight
// groups of words; it knows sixteen now, and sift takes most false hits out):
//
//	                        log   errors
//	assembly (AVX2)         775      335
//	the same in plain Go    285      190
//	cloudflare/ahocorasick  330      270
//	petar-dambovaliev/…     140       75
//
// A whole session (BenchmarkScan of package parsers) is 1.5 times as fast with
// the assembly for plain logs, 1.7 times for coloured ones, 1.4 times where a
// format is asked about each line, and the same where each reports an error. The
// libraries find words only: they give neither line ends nor odd bytes, the
// faster one takes no notice of case and tells no places, so that a second pass
// would eat what they gain over plain Go. A log of 1 GB is to cost at most half
// again of what tee takes, and nothing else comes near that. So the assembly
// stays, in a package of its own: glance, a hundred lines that find candidates, and
// its plain Go, which does the same on every machine and which the assembly is fuzzed
// against.
//
// # What a session takes with it
//
// The whole of parsers.Parse over 400 MB of a log that no tool claims and over 200 MB
// of lines that all report an error, best of three in one run of bench/throughput, on
// one busy core (MB/s of CPU time):
//
//	                                       log   errors
//	17 tools in one package                426        –
//	250 tools, two tables of alarm words   579       67
//	250 tools, one search                  606      148
package scan
