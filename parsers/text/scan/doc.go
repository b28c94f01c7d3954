// Package scan searches texts for many short words at once: alarm words, which any tool prints when something went
// wrong, and words that parsers ask for. The same pass finds line ends and bytes that a terminal would not show as
// they are. A single line and a gigabyte go through the same search, so that both give the same words at the same
// places.
//
// # Why there is assembly
//
// Every captured byte goes through this search, so it decides what a long log costs. The search was measured three
// ways in one run, on one core, over 8 MiB of log lines and of lines that all report errors (MB/s of user CPU;
// glance then told eight groups of words apart, today sixteen, and sift now removes most false hits):
//
//	                        log   errors
//	assembly (AVX2)         775      335
//	the same in plain Go    285      190
//	cloudflare/ahocorasick  330      270
//	petar-dambovaliev/…     140       75
//
// A whole session (BenchmarkScan of package parsers) is 1.5 times as fast with the assembly for plain logs, 1.7
// times for coloured ones, 1.4 times where a format is asked about each line, and the same where each line reports
// an error. The libraries find words only, neither line ends nor odd bytes; the faster one distinguishes case and
// gives no places, so that a second pass would eat what they gain over plain Go. A log of 1 GB is to cost at most
// half again of what tee takes, and nothing else comes near that. So the assembly stays, in the package glance: a
// hundred lines that find candidates, and the same in plain Go for other machines, against which the assembly is
// fuzzed.
//
// # Throughput of a whole session
//
// All of parsers.Parse over 400 MB of a log that no tool claims and over 200 MB of lines that all report an error,
// best of three in one run of bench/throughput, on one busy core (MB/s of CPU time):
//
//	                                       log   errors
//	17 tools in one package                426        –
//	250 tools, two tables of alarm words   579       67
//	250 tools, one search                  606      148
package scan
