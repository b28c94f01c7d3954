package php

import "cairn/parsers/read"

// unseen is why PHPStan, Psalm and PHP CS Fixer, which could not be run when their
// parsers were written, are never believed in full.
const unseen = "its form is known from documentation only"

func doubtful(s *read.Sink) {
	if len(s.Findings) > 0 {
		s.Doubt = unseen
	}
}
