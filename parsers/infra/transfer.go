package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("curl", func(p *tool.Parser) {
	p.Is("curl", result.Generic, 1, "curl 7 and 8: what it says of a transfer that failed")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"curl: ("}, Parse: curlText.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(curlText.Parse)})
})

var curlText = read.Said{
	Errors: []string{"curl: ("}, Warnings: []string{"Warning: "}, Usage: []string{"curl: option ", "curl: no URL specified"},
	Notes: []string{"curl: try "}, Fill: fillCurl, Other: curlMeter,
}

// fillCurl makes the number in "(6) Could not resolve host" the rule.
func fillCurl(f *result.Finding) {
	if code, rest, ok := strings.Cut(f.Message, ") "); ok && lex.IsDigits(code) {
		f.Rule, f.Message = code, rest
	}
	f.Message = strings.TrimPrefix(f.Message, "curl: ")
}

// curlMeter reads an error behind the progress meter, which curl does not end with a newline.
func curlMeter(s *read.Sink, l tool.Line) bool {
	_, why, ok := strings.Cut(l.Text, "--:--:--     0curl: (")
	if ok {
		f := result.Finding{Kind: result.GenericFinding, Message: why}
		fillCurl(&f)
		s.Find(l, f)
	}
	return ok || strings.HasPrefix(l.Text, "curl: try ")
}

var _ = Room.Add("wget", func(p *tool.Parser) {
	p.Is("wget", result.Generic, 1, "GNU wget 1.x: what it says of a transfer that failed")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Said{Errors: []string{"wget: ", "ERROR: "}, Other: wgetLine}.Parse})
})

// wgetLine reads "2026-11-22 10:00:00 ERROR 404: Not Found." and failed connections.
func wgetLine(s *read.Sink, l tool.Line) bool {
	if _, what, ok := strings.Cut(l.Text, " ERROR "); ok && strings.HasPrefix(l.Text, "20") {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: "ERROR " + what})
	}
	if strings.Contains(l.Text, "... failed: ") || strings.HasSuffix(l.Text, ": Name or service not known") {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
	}
	return false
}

var _ = Room.Add("rsync", func(p *tool.Parser) {
	p.Is("rsync", result.Generic, 1, "rsync 3.x: errors and the line that ends a failed run")
	p.Exits = map[int]result.Meaning{1: result.MeansUsage, 2: result.MeansUsage, 20: result.MeansInterrupted}
	p.Reads(tool.Format{Name: "text", Starts: []string{"rsync error: "}, Named: true, Parse: read.Said{
		Kind: result.Diagnostic, Errors: []string{"rsync: ", "rsync error: ", "ssh: ", "@ERROR: "}, Warnings: []string{"rsync warning: "}, Fill: fillRsync,
	}.Parse})
})

// fillRsync makes the exit code in "some files were not transferred (code 23) at main.c(1394) [sender=3.5.0]" the
// rule, and drops the place in rsync's own source.
func fillRsync(f *result.Finding) {
	what, behind, ok := strings.Cut(f.Message, " (code ")
	if code, at, found := strings.Cut(behind, ") at "); ok && found && lex.IsDigits(code) && strings.Contains(at, ".c(") {
		f.Rule, f.Message = code, what
	}
}

var _ = Room.Add("tar | bsdtar gtar", func(p *tool.Parser) {
	p.Is("tar", result.Generic, 1, "GNU tar and bsdtar, with what the program that unpacks says")
	p.Reads(tool.Format{Name: "text", Starts: []string{"tar: Exiting with failure status", "tar: Error is not recoverable"}, Named: true, Parse: tarText.Parse})
})

var tarText = read.Said{Kind: result.Diagnostic, Errors: []string{"gzip: ", "bzip2: ", "xz: ", "zstd: "}, Other: tarLine}

// tarLine reads tar's errors. Lines such as "Exiting with failure status due to previous errors" are no findings.
func tarLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(strings.Replace(l.Text, "tar (child): ", "tar: ", 1), "tar: ")
	switch {
	case !ok:
		return false
	case lex.HasAnyPrefix(message, "Exiting with failure status", "Error is not recoverable", "Error exit delayed", "Child returned status"):
		s.Sign(l)
	case strings.HasPrefix(message, "Removing leading "), strings.Contains(message, "file changed as we read it"):
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: message})
	default:
		s.Find(l, result.Finding{Message: message})
	}
	return true
}

var _ = Room.Add("ffmpeg ffprobe | ffplay", func(p *tool.Parser) {
	p.Is("ffmpeg", result.Generic, 1, "ffmpeg, ffprobe and ffplay 4 to 8: what goes wrong, without the banner")
	p.Reads(tool.Format{Name: "text", Starts: []string{"ffmpeg version …Copyright", "ffprobe version …Copyright"}, Named: true, Parse: read.Text{Line: ffmpegLine}.Parse})
})

// ffmpegWords occur in lines that report an error.
var ffmpegWords = []string{
	"No such file or directory", "Invalid data found", "Invalid argument", "Permission denied", "Unknown encoder", "Unknown decoder", "Unrecognized option", "matches no streams",
	"already exists. Exiting", "No such filter", "Error ", "Failed to ", "failed", "Conversion failed", "not found", "Unable to ", "Could not ", "Cannot ", "Invalid ", "does not contain any stream",
	"At least one output file must be specified", "moov atom not found", "Connection refused", "Server returned", "Protocol not found", "No space left",
}

// ffmpegLine takes the version from the banner, and makes findings of lines with one of ffmpegWords, which may begin
// with a component: "[mp4 @ 0x5] text".
func ffmpegLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	switch {
	case strings.Contains(text, " version ") && strings.HasPrefix(text, "ff") && strings.Contains(text, " Copyright (c)"):
		_, rest, _ := strings.Cut(text, " version ")
		s.Version, _, _ = strings.Cut(rest, " ")
		return s.Sign(l)
	case lex.HasAnyPrefix(text, "usage: ff", "Unrecognized option ", "At least one output file must be specified"):
		return s.Refuse(l, result.Finding{Message: text})
	case text == "", text[0] == ' ', strings.HasPrefix(text, "Input #"), strings.HasPrefix(text, "Output #"), strings.HasPrefix(text, "Stream mapping:"), strings.HasPrefix(text, "Press [q]"),
		strings.HasPrefix(text, "frame="), strings.HasPrefix(text, "size="), strings.HasPrefix(text, "video:"), strings.HasPrefix(text, "Guessed Channel Layout"):
		return s.Signed
	}
	rule := ""
	if rest, ok := strings.CutPrefix(text, "["); ok {
		if part, message, ok := strings.Cut(rest, "] "); ok && strings.Contains(part, " @ 0x") {
			rule, _, _ = strings.Cut(part, " @ ")
			text = message
		}
	}
	for _, word := range ffmpegWords {
		if strings.Contains(text, word) {
			return s.Find(l, result.Finding{Rule: rule, Message: text})
		}
	}
	return false
}
