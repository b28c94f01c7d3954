// Package sarif reads results of SARIF 2.1.0 (OASIS standard, 2020-03-27) out of
// documents of any size.
package sarif
