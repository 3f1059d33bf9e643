package cli

import (
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// This file is what the completion scripts ask: which words may come next? They are printed
// one a line, with their meaning after a tab; the line ":files" says that files may, too.

// completeName is the hidden command that answers.
const completeName = "__complete"

// filesToo is the answer that shells take for their own files.
const filesToo = ":files"

func completeCommand() *urfave.Command {
	return &urfave.Command{
		Name: completeName, Hidden: true, Usage: "words that may come next", SkipFlagParsing: true,
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

// completions returns what the last word may become, after those before it.
func completions(app *urfave.App, typed []string) []string {
	if len(typed) == 0 {
		typed = []string{""}
	}
	before, word := typed[:len(typed)-1], typed[len(typed)-1]
	cmd, arguments, pending := parsed(app, before)
	command := ""
	flags := app.VisibleFlags()
	if cmd != nil {
		command, flags = cmd.Name, append(cmd.VisibleFlags(), flags...)
	}
	name, value, joined := strings.Cut(word, "=")
	isFlag := strings.HasPrefix(word, "-") && !slices.Contains(before, "--")
	switch {
	case pending != nil:
		return withPrefix(word, valueWords(app, command, pending))
	case joined && isFlag:
		f := FlagCalled(flags, strings.TrimLeft(name, "-"))
		if f == nil {
			return nil
		}
		var list []string
		for _, w := range withPrefix(value, valueWords(app, command, f)) {
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

// parsed finds the command in words, counts its arguments, and returns the flag that
// still waits for its word.
func parsed(app *urfave.App, words []string) (cmd *urfave.Command, arguments int, pending urfave.Flag) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return cmd, arguments + len(words) - i - 1, nil
		case w == "-" || !strings.HasPrefix(w, "-"):
			if cmd == nil {
				if cmd = app.Command(w); cmd != nil {
					continue
				}
			}
			arguments++
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

func FlagCalled(flags []urfave.Flag, name string) urfave.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// flagWords are flags as they are typed, with what they mean.
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

// valueWords are the words that a flag takes.
func valueWords(app *urfave.App, command string, f urfave.Flag) []string {
	l, ok := wordsFor(command, f.Names()[0])
	list := slices.Clone(l.Words)
	if takesFile(f) || ok && l.Open {
		list = append(list, filesToo)
	}
	return list
}

// argumentWords are those for an argument, of which some stand before it.
func argumentWords(app *urfave.App, cmd *urfave.Command, before int) []string {
	switch cmd.Name {
	case "help", "man", "config":
		if before > 0 {
			return nil
		}
		return CommandNames(app)
	case "draw":
		if before == 1 {
			return append(NetworkTable(), filesToo)
		}
	}
	l, ok := wordsFor(cmd.Name, "")
	if !ok || before > 0 && !l.Open {
		return []string{filesToo}
	}
	if before > 0 {
		return []string{filesToo}
	}
	list := slices.Clone(l.Words)
	if l.Open {
		list = append(list, filesToo)
	}
	return list
}

// withPrefix keeps what begins with a word.
func withPrefix(word string, list []string) (kept []string) {
	for _, w := range list {
		if w == filesToo || strings.HasPrefix(w, word) {
			kept = append(kept, w)
		}
	}
	return kept
}
