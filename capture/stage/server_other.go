//go:build !unix

package stage

import "errors"

// Server is not available on this system.
type Server struct{}

type tap struct {
	left, cut bool
	in, out   int
}

// Listen fails, since there is no Bourne shell here.
func Listen(Options) (*Server, error) {
	return nil, errors.New("stages of a line are not tapped on this system")
}

// Line is the line unchanged.
func (s *Server) Line(line string) string { return line }

// Finish returns no commands.
func (s *Server) Finish() []*Run { return nil }

// Unsaid is nil.
func (s *Server) Unsaid() []byte { return nil }

func runs(string) bool { return false }

func headOf(string) []byte { return nil }
