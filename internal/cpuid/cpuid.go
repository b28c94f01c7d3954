// Package cpuid replaces github.com/klauspost/cpuid/v2 (go.mod has the replace
// directive) for its only user, zeebo/blake3, which asks for two features of the
// processor. The original reads everything about the processor before main, with some
// fifty CPUID instructions. In a virtual machine, where most agents work, each of those
// is a trap into the hypervisor: 0.3 ms of every start of cairn, more than all parsers
// together.
//
// Into this package go the names of the original that a dependency uses, answered by
// golang.org/x/sys/cpu. If a dependency uses another name, the build fails.
package cpuid

import "golang.org/x/sys/cpu"

// FeatureID is a feature of a processor.
type FeatureID int

// The features that blake3 asks for.
const (
	SSE4 FeatureID = iota // SSE 4.1, as in the original
	AVX2
)

// CPUInfo describes a processor.
type CPUInfo struct{}

// CPU is the processor that this runs on.
var CPU CPUInfo

// Has says whether the processor has a feature. It has none on other architectures.
func (CPUInfo) Has(id FeatureID) bool {
	switch id {
	case SSE4:
		return cpu.X86.HasSSE41
	case AVX2:
		return cpu.X86.HasAVX2
	}
	return false
}
