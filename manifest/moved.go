package manifest

// Moved is a copy of a record that was read, to be appended to another
// manifest: the same capture, found in another place.
func (r *Record) Moved() *Record {
	c := *r
	c.line, c.elsewhere = nil, false
	return &c
}
