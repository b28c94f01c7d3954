package c

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cmake | cmake3 ccmake cpack", func(p *tool.Parser) {
	p.Is("cmake", result.Build, 2, "cmake 3.10 to 4.2: errors and warnings of configuring; what it builds is its tools'")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"CMake Error", "CMake Warning", "CMake Deprecation Warning"}, Named: true,
		Parse: func(in *tool.Input) *tool.Report {
			c := &cmaker{source: cmakeSource(in)}
			return read.Text{Line: c.line, End: c.endMessage}.Parse(in)
		}})
})

// cmaker reads a message of cmake: a head with the place, wrapped text indented by two, and the calls that led there.
//
//	CMake Error at cmake/deps.cmake:5 (find_package):
//	  By not providing "FindFoo.cmake" …
//	Call Stack (most recent call first):
//	  CMakeLists.txt:9 (include)
type cmaker struct {
	open  bool     // below a head
	text  []string // lines of the message
	calls bool
	on    tool.Stream // the stream of the message
	usage bool        // cmake's usage follows

	source string // directory of the project, to which paths are relative
}

// cmakeSource returns the directory of the project that is configured, as the command line names it:
// "cmake -S app -B b", "cd b && cmake ..". Another path may be that of an existing build, whose cache knows the source,
// and is not used.
func cmakeSource(in *tool.Input) string {
	run := in.Command()
	for _, c := range append(slices.Clone(run.Listed), run) {
		if len(c.Argv) == 0 || !lex.IsOneOf(c.Argv[0], "cmake cmake3") {
			continue
		}
		for i, a := range c.Argv[1:] {
			switch {
			case lex.IsOneOf(a, "--build --install -E -P"):
				return ""
			case a == "-S" && i+2 < len(c.Argv):
				return c.Argv[i+2]
			case strings.HasPrefix(a, "-S"):
				return a[2:]
			case a == "..", strings.HasPrefix(a, "../"), strings.HasPrefix(a, "/") && !lex.IsOneOf(c.Argv[i], "-B -G -C -D --toolchain --install-prefix"):
				return a
			}
		}
	}
	return ""
}

// placed returns a place relative to the directory where cmake runs.
func (c *cmaker) placed(at *result.Location) *result.Location {
	if c.source != "" && at != nil && !strings.HasPrefix(at.Path, "/") && !strings.Contains(at.Path, ":") {
		at.Path = path.Join(c.source, at.Path)
	}
	return at
}

func (c *cmaker) line(s *read.Sink, l tool.Line) bool {
	if rest, severity, ok := cutCMake(l.Text); ok {
		c.endMessage(s)
		c.head(s, l, rest, severity)
		return true
	}
	if c.open && l.Stream != c.on {
		return strings.HasPrefix(l.Text, "-- ")
	}
	switch {
	case c.open && strings.HasPrefix(l.Text, "  "):
		c.below(s, l)
	case c.open && l.Text == "Call Stack (most recent call first):":
		c.calls = true
		s.More(l)
	case c.open && l.Text == "":
		c.text = append(c.text, "")
	case lex.HasAnyPrefix(l.Text, "-- Configuring incomplete", "-- Generating done", "CMake Generate step failed"):
		c.endMessage(s)
		s.Close(l)
	case lex.HasAnyPrefix(l.Text, "-- ", "This warning is for project developers.", "to suppress it."):
		c.endMessage(s)
	case strings.HasPrefix(l.Text, "Error: "), strings.HasPrefix(l.Text, "CMake Error"):
		c.endMessage(s)
		s.Find(l, result.Finding{Kind: result.BuildError, Message: strings.TrimPrefix(l.Text, "Error: ")})
		s.Break()
	default:
		c.endMessage(s)
		return c.usage && l.Text != ""
	}
	return true
}

// cutCMake removes "CMake Error" or a similar head from a line.
func cutCMake(text string) (rest string, severity result.Severity, ok bool) {
	for _, head := range [...]string{"CMake Error", "CMake Internal Error", "CMake Warning", "CMake Deprecation Warning", "CMake Deprecation Error"} {
		if rest, ok = strings.CutPrefix(text, head); !ok {
			continue
		}
		if severity = result.SevError; strings.HasSuffix(head, "Warning") {
			severity = result.SevWarning
		}
		if strings.HasPrefix(rest, " (") { // dev, author, deprecated
			_, rest, _ = strings.Cut(rest, ")")
		}
		if lex.HasAnyPrefix(rest, ":", " at ", " in ") {
			return rest, severity, true
		}
	}
	return "", "", false
}

// head reads " at CMakeLists.txt:5 (message):", " in CMakeLists.txt:" or ": text".
func (c *cmaker) head(s *read.Sink, l tool.Line, rest string, severity result.Severity) {
	f := result.Finding{Kind: read.KindOf(severity), Severity: severity}
	if text, ok := strings.CutPrefix(rest, ": "); ok {
		if f.Message = text; strings.HasPrefix(text, "Run 'c") && strings.Contains(text, " --help'") {
			return
		}
		if strings.HasPrefix(text, "Error in cmake code at") {
			f.Message = ""
		}
		if lex.HasAnyPrefix(text, "Unknown argument", "Could not create named generator", "The source directory") {
			s.Meaning, c.usage = result.MeansUsage, true
		}
	} else if where := strings.TrimSuffix(rest[min(4, len(rest)):], ":"); where != "" {
		f.At = c.placed(cmakePlace(where))
	}
	s.Find(l, f)
	c.open, c.text, c.calls, c.on = true, nil, false, l.Stream
}

// cmakePlace reads "CMakeLists.txt:5 (message)".
func cmakePlace(where string) *result.Location {
	where, command, _ := strings.Cut(where, " (")
	if path, line, ok := place.CutLineNumber(where); ok {
		return &result.Location{Path: path, Line: line, Function: strings.TrimSuffix(command, ")")}
	}
	return &result.Location{Path: where}
}

func (c *cmaker) below(s *read.Sink, l tool.Line) {
	s.More(l)
	text := strings.TrimSpace(l.Text)
	f := s.Last()
	if f == nil {
		return
	}
	if !c.calls {
		c.text = append(c.text, text)
		if file, line, ok := place.CutLineNumber(strings.TrimSuffix(text, ":")); ok && f.At == nil && !strings.Contains(file, " ") {
			f.At = c.placed(&result.Location{Path: file, Line: line})
			c.text = c.text[:len(c.text)-1]
		}
		return
	}
	if at := c.placed(cmakePlace(text)); at.Line > 0 && len(f.Frames) < result.MaxFrames {
		f.Frames = append(f.Frames, *at)
	}
}

// shortMessage is the length, in bytes, up to which a message also gets its next paragraph.
const shortMessage = 80

// endMessage makes a message one line: its first paragraph, and the next ones while it is short or ends with ":".
func (c *cmaker) endMessage(s *read.Sink) {
	if f := s.Last(); c.open && f != nil && f.Message == "" {
		text := strings.Join(c.text, "\n")
		for para := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
			f.Message = strings.TrimSpace(f.Message + " " + strings.Join(strings.Fields(para), " "))
			if len(f.Message) > shortMessage && (!strings.HasSuffix(f.Message, ":") || lex.LeadingBlanks(para) > 0) {
				break
			}
		}
		f.Message = cmp.Or(f.Message, "error")
	}
	if f := s.Last(); c.open && f != nil && f.At != nil && read.Own(s.In, []result.Location{*f.At}) == nil {
		if own := read.Own(s.In, f.Frames); own != nil { // a module of cmake's own raised it
			at := *own
			f.At = &at
		}
	}
	c.open = false
	s.Break()
}
