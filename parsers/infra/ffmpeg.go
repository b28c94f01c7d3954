package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
		s.Find(l, result.Finding{Message: text})
		s.Meaning = result.MeansUsage
		return true
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
