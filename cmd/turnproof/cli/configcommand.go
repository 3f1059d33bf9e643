package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	urfave "github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/spelling"
)

// This file implements the command "config". It prints the values of flags and their sources.

// settingJSON is the value of a flag in the output.
type settingJSON struct {
	Command string `json:"command"` // empty for a global flag
	Flag    string `json:"flag"`
	Value   string `json:"value"`
	From    string `json:"from"` // built-in, command line, TURNPROOF_X or FILE:LINE
}

const builtIn = "built-in"

func configCommand(s *settings) *urfave.Command {
	return &urfave.Command{
		Name:         "config",
		Usage:        "print the defaults of flags from the environment and configuration files",
		ArgsUsage:    "[COMMAND] [--json]",
		BashComplete: completeCommands,
		Description: "With COMMAND: all flags of this command. Without: all flags whose default is changed.\n" +
			"The value of a flag comes from the command line; else from its variable, TURNPROOF_SWITCHING\n" +
			"for --switching (blanks separate the words of a list); else from ./.turnproof.yaml;\n" +
			"else from $XDG_CONFIG_HOME/turnproof/config.yaml or ~/.config/turnproof/config.yaml;\n" +
			"else from turnproof itself. --config FILE replaces both files. The files are YAML, with a\n" +
			"section for each command and global flags outside:\n\n" +
			"  quiet: true\n" +
			"  check:\n" +
			"    switching: wormhole\n" +
			"  sweep:\n" +
			"    seeds: 3\n\n" +
			"Examples:\n" +
			"  turnproof config\n" +
			"  turnproof config check\n" +
			"  turnproof config sweep --json",
		Flags: []urfave.Flag{&urfave.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/config.json)"}},
		Action: func(c *urfave.Context) error {
			list, err := s.effective(c)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				files := []string{}
				for _, f := range s.files {
					files = append(files, f.path)
				}
				return PrintJSON(c.App.Writer, struct {
					Schema   string        `json:"schema"`
					Files    []string      `json:"files"` // configuration files that were read
					Settings []settingJSON `json:"settings"`
				}{"turnproof.config/1", files, append([]settingJSON{}, list...)})
			}
			return s.print(c.App.Writer, list)
		},
	}
}

// effective returns the values of the global flags and of flags of commands. With a COMMAND
// argument it returns all flags of that command, otherwise the flags of all commands that a
// setting changes.
func (s *settings) effective(c *urfave.Context) (list []settingJSON, err error) {
	if c.NArg() > 1 {
		return nil, fmt.Errorf("want one COMMAND, got %q", c.Args().Slice())
	}
	one := c.App.Command(c.Args().First())
	if c.NArg() == 1 && one == nil {
		return nil, fmt.Errorf("no command %q%s; \"turnproof help\" lists them", c.Args().First(), spelling.Suggest(c.Args().First(), CommandNames(c.App)))
	}
	for _, f := range c.App.VisibleFlags() {
		if name := f.Names()[0]; name == "color" || name == "quiet" {
			v := settingJSON{Flag: name, Value: fmt.Sprint(c.Value(name)), From: builtIn}
			if x, ok := s.origin[name]; ok {
				v.From = x.from
			}
			list = append(list, v)
		}
	}
	for _, cmd := range ShownCommands(c.App) {
		if one != nil && cmd != one {
			continue
		}
		for _, f := range cmd.VisibleFlags() {
			v, set := s.find(cmd.Name, f)
			if f.Names()[0] == "help" || one == nil && !set {
				continue
			}
			j := settingJSON{cmd.Name, f.Names()[0], defaultOf(f), builtIn}
			if set {
				j.Value, j.From = strings.Join(v.values, " "), v.from
			}
			list = append(list, j)
		}
	}
	return list, nil
}

// defaultOf returns the built-in default of a flag as text, or "" if there is none.
func defaultOf(f urfave.Flag) string {
	d, ok := f.(urfave.DocGenerationFlag)
	if !ok {
		return ""
	}
	if x, ok := plainFlag(f).(*urfave.BoolFlag); ok {
		return fmt.Sprint(x.Value)
	}
	if text := d.GetDefaultText(); text != "" {
		return strings.ReplaceAll(text, "\"", "")
	}
	return d.GetValue()
}

// print writes the list as a table, and the names of the configuration files.
func (s *settings) print(w io.Writer, list []settingJSON) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "command\tflag\tvalue\tfrom")
	for _, x := range list {
		command, value := x.Command, x.Value
		if command == "" {
			command = "all"
		}
		if value == "" {
			value = "-"
		}
		fmt.Fprintf(t, "%s\t--%s\t%s\t%s\n", command, x.Flag, value, x.From)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(s.files) == 0 {
		_, err := fmt.Fprintf(w, "\nNo file was read. turnproof reads ./%s and %s if they exist.\n", ProjectFile, userConfig())
		return err
	}
	for i, f := range s.files {
		lead := "\nFiles: "
		if i > 0 {
			lead = ", then "
		}
		fmt.Fprint(w, lead+f.path)
	}
	_, err := fmt.Fprintln(w)
	return err
}
