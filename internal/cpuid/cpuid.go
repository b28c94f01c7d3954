// Package cpuid stands in the place of github.com/klauspost/cpuid/v2 (go.mod has
// the replace directive) for the one who asks it anything: zeebo/blake3, which wants
// to know two features of the processor. The real one learns everything about the
// processor before main, by some fifty CPUID instructions. In a virtual machine, and
// most agents work in one, each of those is a trap into the hypervisor: 0.3 ms of
// every start of cairn, more than all parsers together.
//
// Into this package goes what a dependency asks of it, under the names of the
// original, answered by golang.org/x/sys/cpu. If a dependency asks for more the
// build fails.
package cpuid

import "golang.org/x/sys/cpu"

// FeatureID is a feature of a processor.
type FeatureID int

// The features that are asked for.
const (
	SSE4 FeatureID = iota // SSE 4.1, as the original has it
	AVX2
)

// CPUInfo answers for a processor.
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
