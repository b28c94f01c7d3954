// Package xmltext scans XML (W3C XML 1.0) as tools write it, well-formed or not, in any encoding they use, in
// bounded memory.
package xmltext
