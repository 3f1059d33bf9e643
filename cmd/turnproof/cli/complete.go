package cli

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// This file implements completion. A completion script calls "turnproof __complete -- WORDS". The
// answer has one possible next word on each line, with its description after a tab. The line
// ":files" means that a file name is also possible.

// completeName is the name of the hidden command that completion scripts call.
const completeName = "__complete"

// filesToo is the answer for which the shell completes file names.
const filesToo = ":files"

func completeCommand() *urfave.Command {
	return &urfave.Command{
		Name: completeName, Hidden: true, Usage: "print the words that may come next", SkipFlagParsing: true,
		Action: func(c *urfave.Context) error {
			typed := c.Args().Slice()
			if len(typed) > 0 && typed[0] == "--" {
				typed = typed[1:]
			}
			for _, word := range completions(c.App, typed) {
				fmt.Fprintln(c.App.Writer, word)
			}
			return nil
		},
	}
}

// completions returns the possible completions of the last word of typed.
func completions(app *urfave.App, typed []string) []string {
	if len(typed) == 0 {
		typed = []string{""}
	}
	before, word := typed[:len(typed)-1], typed[len(typed)-1]
	cmd, arguments, pending := parsed(app, before)
	flags := app.VisibleFlags()
	if cmd != nil {
		flags = append(cmd.VisibleFlags(), flags...)
	}
	name, value, joined := strings.Cut(word, "=")
	isFlag := strings.HasPrefix(word, "-") && !slices.Contains(before, "--")
	switch {
	case pending != nil:
		return withPrefix(word, valueWords(pending))
	case joined && isFlag:
		f := FlagCalled(flags, strings.TrimLeft(name, "-"))
		if f == nil {
			return nil
		}
		var list []string
		for _, w := range withPrefix(value, valueWords(f)) {
			if w != filesToo {
				w = name + "=" + w
			}
			list = append(list, w)
		}
		return list
	case isFlag:
		return withPrefix(word, flagWords(flags))
	case cmd == nil:
		var list []string
		for _, c := range ShownCommands(app) {
			list = append(list, c.Name+"\t"+c.Usage)
		}
		return withPrefix(word, list)
	}
	return withPrefix(word, argumentWords(app, cmd, arguments))
}

// parsed returns the command in words and its arguments. If the last word is a flag that takes a
// value, pending is this flag, otherwise nil.
func parsed(app *urfave.App, words []string) (cmd *urfave.Command, arguments []string, pending urfave.Flag) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return cmd, append(arguments, words[i+1:]...), nil
		case w == "-" || !strings.HasPrefix(w, "-"):
			if cmd == nil {
				if cmd = app.Command(w); cmd != nil {
					continue
				}
			}
			arguments = append(arguments, w)
		case !strings.Contains(w, "="):
			flags := app.VisibleFlags()
			if cmd != nil {
				flags = append(slices.Clone(cmd.Flags), flags...)
			}
			if f := FlagCalled(flags, strings.TrimLeft(w, "-")); f != nil && takesValue(f) {
				if i++; i == len(words) {
					return cmd, arguments, f
				}
			}
		}
	}
	return cmd, arguments, nil
}

// flagWords returns the flags as typed, each with its description after a tab.
func flagWords(flags []urfave.Flag) (list []string) {
	for _, f := range flags {
		about := ""
		if d, ok := f.(urfave.DocGenerationFlag); ok {
			about = strings.ReplaceAll(d.GetUsage(), "`", "")
		}
		for _, name := range f.Names() {
			dashes := "--"
			if len(name) == 1 {
				dashes = "-"
			}
			list = append(list, dashes+name+"\t"+about)
		}
	}
	return list
}

// Argument lists the completions of one argument of a command.
type Argument struct {
	Words []string
	Files bool // a file or folder is possible, too
}

// Complete returns the BashComplete function of a command. The function prints the completions of
// the next argument. After the arguments listed, it offers files.
func Complete(arguments ...Argument) func(*Context) {
	return func(c *Context) {
		a := Argument{Files: true}
		if c.NArg() < len(arguments) {
			a = arguments[c.NArg()]
		}
		for _, word := range a.Words {
			fmt.Fprintln(c.App.Writer, word)
		}
		if a.Files {
			fmt.Fprintln(c.App.Writer, filesToo)
		}
	}
}

// completeFiles is the BashComplete function of a command without its own.
func completeFiles(c *Context) { fmt.Fprintln(c.App.Writer, filesToo) }

// completeCommands is the BashComplete function of a command whose argument is a command name.
func completeCommands(c *Context) {
	Complete(Argument{Words: CommandNames(c.App)}, Argument{})(c)
}

// argumentWords returns the completions of the argument after those in before.
func argumentWords(app *App, cmd *Command, before []string) []string {
	typed := flag.NewFlagSet(cmd.Name, flag.ContinueOnError)
	if err := typed.Parse(append([]string{"--"}, before...)); err != nil {
		return nil
	}
	var out strings.Builder
	quiet := *app
	quiet.Writer = &out
	cmd.BashComplete(NewContext(&quiet, typed, nil))
	return strings.FieldsFunc(out.String(), func(r rune) bool { return r == '\n' })
}

// withPrefix returns the words of list that begin with word, and filesToo if list has it.
func withPrefix(word string, list []string) (kept []string) {
	for _, w := range list {
		if w == filesToo || strings.HasPrefix(w, word) {
			kept = append(kept, w)
		}
	}
	return kept
}
