package cli

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/spelling"
)

// This file prints manual pages in roff (man(7)) from the same parts as help.

func manCommand() *urfave.Command {
	return &urfave.Command{
		Name:         "man",
		Usage:        "print the manual page of turnproof, or of one command, in roff",
		ArgsUsage:    "[COMMAND]",
		BashComplete: completeCommands,
		Description: "Examples:\n" +
			"  turnproof man | man -l -\n" +
			"  turnproof man check | man -l -\n" +
			"  turnproof man > ~/.local/share/man/man1/turnproof.1",
		Action: func(c *urfave.Context) error {
			if c.NArg() == 0 {
				manual(c.App.Writer, c.App)
				return nil
			}
			word, err := OneArgument(c, "COMMAND")
			if err != nil {
				return err
			}
			cmd := c.App.Command(word)
			if cmd == nil || cmd.Hidden {
				return fmt.Errorf("no command %q%s; \"turnproof help\" lists them", word, spelling.Suggest(word, CommandNames(c.App)))
			}
			manualOf(c.App.Writer, c.App, cmd)
			return nil
		},
	}
}

// manual prints one page about the program and all commands.
func manual(w io.Writer, app *urfave.App) {
	title(w, "turnproof", app.Version)
	fmt.Fprintf(w, ".SH NAME\nturnproof \\- %s\n.SH SYNOPSIS\n\\fBturnproof\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR] [\\fIFLAGS\\fR]\n", roff(app.Usage))
	fmt.Fprint(w, ".SH GLOBAL OPTIONS\nBefore or after the command.\n")
	manFlags(w, app.VisibleFlags())
	fmt.Fprint(w, ".SH COMMANDS\n")
	for _, c := range ShownCommands(app) {
		fmt.Fprintf(w, ".SS turnproof %s\n", roff(c.Name))
		manText(w, strings.TrimSpace(c.ArgsUsage+" - "+c.Usage)+".")
		if c.Description != "" {
			fmt.Fprint(w, ".PP\n")
			manBody(w, c)
		}
		if flags := c.VisibleFlags(); len(flags) > 1 {
			manFlags(w, flags)
		}
	}
	manEnd(w)
}

// manualOf prints the page of one command.
func manualOf(w io.Writer, app *urfave.App, c *urfave.Command) {
	title(w, "turnproof "+c.Name, app.Version)
	fmt.Fprint(w, ".SH NAME\n")
	manText(w, "turnproof "+c.Name+" - "+c.Usage)
	fmt.Fprintf(w, ".SH SYNOPSIS\n\\fBturnproof %s\\fR\n", roff(c.Name))
	manText(w, c.ArgsUsage)
	if c.Description != "" {
		fmt.Fprint(w, ".SH DESCRIPTION\n")
		manBody(w, c)
	}
	fmt.Fprint(w, ".SH OPTIONS\n")
	for _, g := range Groups(c) {
		if g.title != "Options" {
			fmt.Fprintf(w, ".SS %s\n", roff(g.title))
		}
		manFlags(w, g.Flags)
	}
	manEnd(w)
}

// title prints the header of a page. The date is that of the commit, so that builds are
// reproducible.
func title(w io.Writer, name, version string) {
	date := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.time" && len(s.Value) >= len("2006-01-02") {
				date = s.Value[:len("2006-01-02")]
			}
		}
	}
	if date == "" {
		date = "1970-01-01" // not built from a repository
	}
	fmt.Fprintf(w, ".TH \"%s\" 1 \"%s\" \"turnproof %s\" \"turnproof\"\n.ad l\n", strings.ToUpper(name), date, roff(version))
}

// manBody prints the description of a command without filling lines.
func manBody(w io.Writer, c *urfave.Command) {
	fmt.Fprint(w, ".nf\n")
	for _, line := range strings.Split(wrapText(indented(c.Description), manWidth), "\n") {
		fmt.Fprintln(w, roff(strings.TrimPrefix(line, "   ")))
	}
	fmt.Fprint(w, ".fi\n")
}

// manWidth is the width of text in a page of 80 columns, in columns.
const manWidth = 74

// manFlags prints flags and their descriptions.
func manFlags(w io.Writer, flags []urfave.Flag) {
	for _, r := range flagRows(flags) {
		fmt.Fprintf(w, ".TP\n\\fB%s\\fR\n", roff(r[0]))
		manText(w, r[1])
	}
}

// manText prints text that man may fill. It breaks the escaped text, because escapes are longer
// than the characters and mandoc wants lines of at most 80 bytes.
func manText(w io.Writer, text string) {
	for line := range strings.Lines(fill("", "", roffEscapes.Replace(text), "", manWidth)) {
		fmt.Fprintln(w, guardDot(strings.TrimSuffix(line, "\n")))
	}
}

// manEnd prints the sections at the end of all pages.
func manEnd(w io.Writer) {
	fmt.Fprint(w, ".SH EXIT STATUS\n")
	for _, s := range ExitStatuses() {
		fmt.Fprintf(w, ".TP\n%d\n%s\n", s.Code, roff(s.About))
	}
	fmt.Fprint(w, ".SH ENVIRONMENT\n.TP\nTURNPROOF_\\fIFLAG\\fR\ndefault of a flag, such as TURNPROOF_SWITCHING for "+
		"\\-\\-switching\n.TP\nNO_COLOR\nif not empty, no colour\n")
	fmt.Fprintf(w, ".SH FILES\n.TP\n%s, $XDG_CONFIG_HOME/turnproof/config.yaml\ndefaults of flags, a section for each command;\nsee "+
		"\"turnproof config \\-\\-help\"\n", roff("./"+ProjectFile))
	fmt.Fprint(w, ".SH SEE ALSO\nturnproof\\-check \\-\\-help\n")
}

// roffEscapes replaces characters that are special in roff.
var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "\"", `\(dq`)

// roff escapes a line of text.
func roff(line string) string { return guardDot(roffEscapes.Replace(line)) }

// guardDot protects a dot at the start of a line, where it would begin a roff request.
func guardDot(line string) string {
	if strings.HasPrefix(line, ".") {
		return `\&` + line
	}
	return line
}
