package cli

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/spelling"
)

// This file prints the help of the program and of each command. No line is longer than helpWidth.
// man.go prints manual pages from the same parts.

// helpWidth is the largest width of help in columns.
const helpWidth = 98

func init() {
	urfave.HelpPrinter = func(w io.Writer, _ string, data any) {
		switch x := data.(type) {
		case *urfave.App:
			appHelp(w, x)
		case *urfave.Command:
			commandHelp(w, x)
		}
	}
}

// appHelp prints the help of the program: commands, global flags and examples.
func appHelp(w io.Writer, app *urfave.App) {
	fmt.Fprintf(w, "NAME:\n   %s - %s\n\nUSAGE:\n   %s\n\nVERSION:\n   %s\n\nCOMMANDS:\n", app.Name, app.Usage, app.UsageText, app.Version)
	var rows [][2]string
	for _, c := range ShownCommands(app) {
		rows = append(rows, [2]string{c.Name, c.Usage})
	}
	helpRows(w, rows)
	fmt.Fprint(w, "\nGLOBAL OPTIONS, before or after the command:\n")
	helpRows(w, flagRows(app.VisibleFlags()))
	fmt.Fprintf(w, "\nEXAMPLES:\n%s\n", wrapText(indented(strings.Join(AppExamples(), "\n")), helpWidth))
	fmt.Fprint(w, "\n\"turnproof COMMAND --help\" describes a command; docs/command-line.md describes the command line.\n")
}

// AppExamples returns the examples in the help of the program.
func AppExamples() []string {
	return []string{
		"turnproof check mesh:8x8 --routing west-first",
		"turnproof check torus:8x8 --routing dor",
		"turnproof draw cycle torus:8x8 --routing dor -o loop.svg",
	}
}

// commandHelp prints the help of a command.
func commandHelp(w io.Writer, c *urfave.Command) {
	usage := "turnproof " + c.Name
	if c.ArgsUsage != "" {
		usage += " " + c.ArgsUsage
	} else if len(c.VisibleFlags()) > 0 {
		usage += " [flags]"
	}
	fmt.Fprintf(w, "NAME:\n%s\n\nUSAGE:\n%s\n", wrapText("   turnproof "+c.Name+" - "+c.Usage, helpWidth), wrapText("   "+usage, helpWidth))
	if c.Description != "" {
		fmt.Fprintf(w, "\nDESCRIPTION:\n%s\n", wrapText(indented(c.Description), helpWidth))
	}
	for _, g := range Groups(c) {
		fmt.Fprintf(w, "\n%s:\n", strings.ToUpper(g.title))
		helpRows(w, flagRows(g.Flags))
	}
}

// Group is a group of flags under one heading.
type Group struct {
	title string
	Flags []urfave.Flag
}

// groupedFrom is the number of flags from which help groups them by category.
const groupedFrom = 10

// Groups returns the flags of a command in the order of help. Fewer than groupedFrom flags form
// one group.
func Groups(c *urfave.Command) (groups []Group) {
	flags := c.VisibleFlags()
	if len(flags) < groupedFrom {
		return []Group{{"Options", flags}}
	}
	under := map[string][]urfave.Flag{}
	order := slices.Clone(categories)
	for _, f := range flags {
		title := categoryOf(f)
		if under[title] = append(under[title], f); !slices.Contains(order, title) && !slices.Contains(lastCategories, title) {
			order = append(order, title)
		}
	}
	for _, title := range append(order, lastCategories...) {
		if under[title] != nil {
			groups = append(groups, Group{title, under[title]})
		}
	}
	return groups
}

func categoryOf(f urfave.Flag) string {
	if f == urfave.HelpFlag {
		return categoryHelp
	}
	if x, ok := f.(urfave.CategorizableFlag); ok && x.GetCategory() != "" {
		return x.GetCategory()
	}
	return categoryOther
}

// flagRows returns the name and description of each flag.
func flagRows(flags []urfave.Flag) (rows [][2]string) {
	for _, f := range flags {
		name, about, _ := strings.Cut(f.String(), "\t")
		rows = append(rows, [2]string{strings.TrimSpace(name), oneDefault(strings.Join(strings.Fields(about), " "))})
	}
	return rows
}

// oneDefault removes the "(default: ...)" that urfave/cli appends, if it is "false" or if the text
// already has one.
func oneDefault(about string) string {
	i := strings.LastIndex(about, "(default: ")
	if i > 0 && (strings.Contains(about[:i], "(default: ") || about[i:] == "(default: false)") {
		return strings.TrimRight(about[:i], " ")
	}
	return about
}

// nameColumn is the largest width of a name that has its description on the same line.
const nameColumn = 30

// helpRows prints names and descriptions in two columns.
func helpRows(w io.Writer, rows [][2]string) {
	column := 0
	for _, r := range rows {
		if len(r[0]) <= nameColumn {
			column = max(column, len(r[0]))
		}
	}
	for _, r := range rows {
		lead := fmt.Sprintf("   %-*s  ", column, r[0])
		if len(r[0]) > column {
			fmt.Fprintf(w, "   %s\n", r[0])
			lead = strings.Repeat(" ", column+5)
		}
		fmt.Fprintln(w, strings.TrimRight(fill(lead, strings.Repeat(" ", column+5), r[1], "", helpWidth), " "))
	}
}

// indented indents each line by three columns.
func indented(text string) string { return "   " + strings.ReplaceAll(text, "\n", "\n   ") }

var (
	twoColumns = regexp.MustCompile(`^ *\S+( \S+)*  +`) // "  name   meaning"
	example    = regexp.MustCompile(`^ *(turnproof|source|parallel) `)
)

// wrapText breaks lines that are longer than width. The second column of a two-column line
// continues in its column. A command line continues after a backslash. Other text continues in the
// next line.
func wrapText(text string, width int) string {
	var out []string
	carry := ""
	for _, line := range strings.Split(text, "\n") {
		blanks := line[:len(line)-len(strings.TrimLeft(line, " "))]
		if carry != "" && len(blanks) == 3 && line != blanks {
			line = blanks + carry + " " + strings.TrimLeft(line, " ")
		} else if carry != "" {
			out = append(out, "   "+carry)
		}
		carry = ""
		name := twoColumns.FindString(line)
		switch {
		case len(line) <= width:
		case example.MatchString(line):
			line = fill(blanks, blanks+"    ", strings.TrimLeft(line, " "), " \\", width)
		case name != "" && len(name) < width/2:
			line = fill(name, strings.Repeat(" ", len(name)), line[len(name):], "", width)
		case len(blanks) == 3:
			line = fill(blanks, blanks, strings.TrimLeft(line, " "), "", width)
			if first, rest, ok := strings.Cut(line, "\n"); ok {
				line, carry = first, strings.Join(strings.Fields(rest), " ")
			}
		default:
			line = fill(blanks, blanks+"  ", strings.TrimLeft(line, " "), "", width)
		}
		out = append(out, strings.TrimRight(line, " "))
	}
	if carry != "" {
		out = append(out, fill("   ", "   ", carry, "", width))
	}
	return strings.Join(out, "\n")
}

// fill breaks text at width. The first line starts with lead, the others with indent. Each line
// except the last ends with mark.
func fill(lead, indent, text, mark string, width int) string {
	out, line, empty := "", lead, true
	for _, word := range strings.Fields(text) {
		if !empty && len(line)+1+len(word)+len(mark) > width {
			out, line, empty = out+line+mark+"\n", indent, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	return out + line
}

// Examples returns the lines below "Examples:" in the description of a command.
func Examples(description string) (lines []string) {
	_, list, ok := strings.Cut(description, "Examples:\n")
	if !ok {
		return nil
	}
	for _, line := range strings.Split(list, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// helpCommand returns the command "help". It prints the help of the program or of one command.
func helpCommand() *urfave.Command {
	return &urfave.Command{
		Name:         "help",
		Aliases:      []string{"h"},
		Usage:        "list the commands, or describe one",
		ArgsUsage:    "[COMMAND]",
		BashComplete: completeCommands,
		Description:  "Examples:\n  turnproof help\n  turnproof help check",
		Action: func(c *urfave.Context) error {
			if c.NArg() == 0 {
				appHelp(c.App.Writer, c.App)
				return nil
			}
			word, err := OneArgument(c, "COMMAND")
			if err != nil {
				return err
			}
			cmd := c.App.Command(word)
			if cmd == nil {
				return fmt.Errorf("no command %q%s; \"turnproof help\" lists them", word, spelling.Suggest(word, CommandNames(c.App)))
			}
			commandHelp(c.App.Writer, cmd)
			return nil
		},
	}
}
