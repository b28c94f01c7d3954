// Package place reads places in files, in every form that tools print them, and
// says which paths lie in the workspace.
package place
