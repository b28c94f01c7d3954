// Package stage
package stage
