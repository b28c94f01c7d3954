package parsers

// CommandTool is the tool that a command names, whatever it printed: the
// parser's whose tool it runs, else the program. It goes into the command key,
// which must be the same for a run that printed nothing.
func CommandTool(tool string, argv []string, shell string) string {
	if tool != "" {
		return tool
	}
	c := unwrap(argv, shell)
	for _, p := range registry {
		if p.Matches != nil && len(c.argv) > 0 && p.Matches(c.argv) {
			return p.Tool
		}
	}
	return c.program()
}
