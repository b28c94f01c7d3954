package frame

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// JavaScript reads "at find (src/cart.js:2:84)", "at async src/a.js:1:2" and "❯ find src/cart.js:2:84". A frame
// without a file, "at <anonymous>", gets no path.
func JavaScript(text string) (at result.Location, ok bool) {
	rest, plain := strings.CutPrefix(text, "at ")
	if !plain {
		if rest, ok = strings.CutPrefix(text, "❯ "); !ok {
			return at, false
		}
	}
	function, spot := "", strings.TrimSuffix(rest, " {")
	if i := strings.LastIndex(spot, " ("); i >= 0 && strings.HasSuffix(spot, ")") {
		function, spot = spot[:i], spot[i+2:len(spot)-1]
	} else if i := strings.LastIndexByte(spot, ' '); i >= 0 && !strings.Contains(spot[:i], "/") && spot[0] != '[' { // "[worker eval]:1:56"
		function, spot = spot[:i], spot[i+1:]
	}
	if at, ok = cutPosition(spot); !ok || at.Column == 0 && isNameless(at.Path) {
		bare := strings.HasSuffix(spot, "<anonymous>") || strings.HasSuffix(spot, "native")
		return result.Location{External: true}, plain && bare
	}
	at.Path = bundled(at.Path)
	at.External = IsLibrary(at.Path)
	if function = strings.TrimPrefix(function, "async "); function != "async" {
		at.Function = function
	}
	return at, true
}

// bundled is the path of a source file in a bundler's name for it: "webpack://shop/./src/a.js" gives "src/a.js".
// The text before "./" is the name of the bundle.
func bundled(path string) string {
	rest, ok := strings.CutPrefix(path, "webpack://")
	if !ok {
		return path
	}
	if _, source, named := strings.Cut(rest, "/./"); named {
		return source
	}
	return path
}

// DotNet reads "at N.C.M(Int32 a) in C:\src\c.cs:line 7". ok is false for a frame without a source.
func DotNet(text string) (at result.Location, ok bool) {
	rest, ok := strings.CutPrefix(text, "at ")
	i := strings.LastIndex(rest, ") in ")
	if !ok || i < 0 {
		return at, false
	}
	file, line, found := strings.Cut(rest[i+len(") in "):], ":line ")
	at = result.Location{Path: file, Line: lex.LeadingNumber(line), Function: rest[:i+1]}
	return at, found && at.Line > 0
}

// Python reads `File "app.py", line 3, in main`. A syntax error has no function; faulthandler writes " in" without
// a comma.
func Python(text string) (at result.Location, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " "), `File "`)
	i := strings.Index(rest, `", line `)
	if !ok || i < 0 {
		return at, false
	}
	at.Path, rest = rest[:i], rest[i+len(`", line `):]
	number := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	if len(number) > 9 {
		return at, false
	}
	at.Line = lex.Atoi(number)
	if name, found := lex.CutAnyPrefix(rest[len(number):], ", in ", " in "); found {
		at.Function = name
	}
	return at, at.Line > 0
}

// Ruby reads "lib/shelf.rb:5:in `find'" or, since 3.4, with plain quotes and the class; "from " may precede it.
func Ruby(text string) (at result.Location, ok bool) {
	at, rest, ok := place.CutPlace(strings.TrimPrefix(text, "from "))
	if !ok || rest != "" && !strings.HasPrefix(rest, "in ") {
		return at, false
	}
	at.Function = strings.Trim(strings.TrimPrefix(rest, "in "), "`'")
	return at, true
}

// Crystal reads "from src/a.cr:3:5 in 'f'".
func Crystal(text string) (at result.Location, ok bool) {
	rest, ok := strings.CutPrefix(text, "from ")
	at, rest, placed := place.Cut(rest)
	at.Function = strings.Trim(strings.TrimPrefix(rest, "in "), "'")
	at.External = strings.Contains(at.Path, "/crystal/")
	return at, ok && placed
}

// PHP reads "#0 /src/run.php(12): f()".
func PHP(text string) (at result.Location, ok bool) {
	number, rest, _ := strings.Cut(strings.TrimPrefix(text, "#"), " ")
	path, rest, ok := strings.Cut(rest, "(")
	line, function, _ := strings.Cut(rest, "): ")
	at = result.Location{Path: path, Line: lex.LeadingNumber(line), Function: function}
	return at, ok && lex.IsDigits(number) && at.Line > 0 && !strings.HasPrefix(path, "[") // "[internal function]: g(1)"
}

// Perl reads "at t/basic.t line 3.".
func Perl(text string) (at result.Location, ok bool) {
	rest, ok := strings.CutPrefix(text, "at ")
	path, line, found := strings.Cut(rest, " line ")
	at = result.Location{Path: path, Line: lex.LeadingNumber(line)}
	return at, ok && found && at.Line > 0
}

// Shell reads "(in test file test/a.bats, line 5)" and "(from function `f' in file
// test/helper.bash, line 3,".
func Shell(text string) (at result.Location, ok bool) {
	if !strings.HasPrefix(text, "(") && !strings.HasPrefix(text, "in ") && !strings.HasPrefix(text, "from ") {
		return at, false
	}
	_, rest, ok := strings.Cut(text, "file ")
	file, line, found := strings.Cut(rest, ", line ")
	at = result.Location{Path: file, Line: lex.LeadingNumber(line)}
	return at, ok && found && at.Line > 0
}

// Elixir reads "(app 0.1.0) lib/ledger.ex:3: Ledger.find/2". Paths in Elixir's own applications look like the
// project's; only the application's name distinguishes them.
func Elixir(text string) (at result.Location, ok bool) {
	app := ""
	if rest, has := strings.CutPrefix(text, "("); has {
		app, text, _ = strings.Cut(rest, ") ")
	}
	name, _, _ := strings.Cut(app, " ")
	at, at.Function, ok = place.CutPlace(text)
	at.External = name != "" && lex.IsOneOf(name, "elixir ex_unit stdlib mix kernel logger eex iex")
	return at, ok
}

// Erlang reads "in function teller:withdraw/2 (/src/teller.erl, line 10)".
func Erlang(text string) (at result.Location, ok bool) {
	function, spot, ok := strings.Cut(text, " (")
	path, line, has := strings.Cut(strings.TrimRight(spot, "),"), ", line ")
	at = result.Location{Path: path, Line: lex.LeadingNumber(line), Function: strings.TrimPrefix(strings.TrimPrefix(function, "in "), "function ")}
	at.External = !strings.Contains(path, "/") || strings.Contains(path, "/lib/erlang/")
	return at, ok && has && at.Line > 0
}
