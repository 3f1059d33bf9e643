package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	urfave "github.com/urfave/cli/v2"
)

// This file declares the types of flags. The type of a flag controls completion, whether a project
// file may set the flag, and the use of standard input and output. The help text has no influence.

// Input is a flag with a file or folder that the command reads.
type Input struct {
	StringFlag
	Words []string // accepted in place of a file; completion offers them
}

// Inputs is an Input that may be repeated.
type Inputs struct {
	StringSliceFlag
	Words []string // accepted in place of a file; completion offers them
}

// Output is a flag with a file or folder that the command writes. A project file cannot set it.
type Output struct {
	StringFlag
	Result bool // the file holds the whole result of the command; "-" is standard output
	Stored bool // a folder, or a file that later runs read: it cannot be standard output
}

// Words is a flag whose value is one of a list of words.
type Words struct {
	StringFlag
	List []string
	Open bool   // the command accepts other values too, such as a word with keys or a list
	Bare string // value of the flag given without a value; if empty, a value is required
}

// Text is a flag with a value that the command parses. The value does not name a file.
type Text struct{ StringFlag }

// Texts is a Text that may be repeated.
type Texts struct{ StringSliceFlag }

// Effect is a boolean flag that starts jobs or lets the command write files. A project file cannot
// set it.
type Effect struct{ BoolFlag }

// EffectInt is an Effect with an integer value.
type EffectInt struct{ IntFlag }

// EffectText is an Effect with a string value.
type EffectText struct{ StringFlag }

// EffectTexts is an EffectText that may be repeated.
type EffectTexts struct{ StringSliceFlag }

// RunAction returns an error with a suggestion if the value looks like a misspelt word of the
// list. The command itself checks all other values.
func (f *Words) RunAction(c *Context) error {
	word := c.String(f.Name)
	if near := spelling.Suggest(word, f.List); near != "" && !f.Open && !slices.Contains(f.List, word) {
		return fmt.Errorf("--%s %s%s, known are %s", f.Name, word, near, strings.Join(f.List, ", "))
	}
	return f.StringFlag.RunAction(c)
}

// plainFlag returns the urfave/cli flag inside f, or f itself if it has none.
func plainFlag(f Flag) Flag {
	switch x := f.(type) {
	case *Input:
		return &x.StringFlag
	case *Inputs:
		return &x.StringSliceFlag
	case *Output:
		return &x.StringFlag
	case *Words:
		return &x.StringFlag
	case *Text:
		return &x.StringFlag
	case *Texts:
		return &x.StringSliceFlag
	case *Seconds:
		return &x.StringFlag
	case *Memory:
		return &x.StringFlag
	case *Effect:
		return &x.BoolFlag
	case *EffectInt:
		return &x.IntFlag
	case *EffectText:
		return &x.StringFlag
	case *EffectTexts:
		return &x.StringSliceFlag
	}
	return f
}

// IsOutput reports whether f names a file or folder that the command writes.
func IsOutput(f Flag) bool {
	_, ok := f.(*Output)
	return ok
}

// hasEffect reports whether f starts jobs or lets the command write files.
func hasEffect(f Flag) bool {
	switch f.(type) {
	case *Effect, *EffectInt, *EffectText, *EffectTexts:
		return true
	}
	return false
}

// CheckType returns an error if f has a string type of urfave/cli instead of one of this package.
func CheckType(f Flag) error {
	const advice = "use cli.Input or cli.Inputs for a file that is read, cli.Output for a file that is written, cli.Words for one of known " +
		"words, cli.Seconds, cli.Memory, cli.Effect for what starts jobs or writes, else cli.Text or cli.Texts"
	if plainFlag(f) != f {
		return nil
	}
	switch f.(type) {
	case *BoolFlag, *IntFlag, *Int64Flag, *UintFlag, *Uint64Flag, *Float64Flag, *IntSliceFlag:
		return nil
	}
	return fmt.Errorf("--%s is a %T, which does not say what its word is: %s", f.Names()[0], f, advice)
}

// takesValue reports whether f needs a value.
func takesValue(f Flag) bool {
	_, isBool := plainFlag(f).(*BoolFlag)
	return !isBool
}

// valueWords returns the completions of the value of f.
func valueWords(f Flag) []string {
	switch x := f.(type) {
	case *Input:
		return append(slices.Clone(x.Words), filesToo)
	case *Inputs:
		return append(slices.Clone(x.Words), filesToo)
	case *Words:
		return x.List
	case *Output:
		return []string{filesToo}
	}
	return nil
}

// In sets the category of f and returns f. It is for flags that several commands share.
func In(category string, f Flag) Flag {
	switch x := plainFlag(f).(type) {
	case *StringFlag:
		x.Category = category
	case *StringSliceFlag:
		x.Category = category
	case *BoolFlag:
		x.Category = category
	}
	return f
}

// kindOf describes the value that f takes, for error messages.
func kindOf(f urfave.Flag) string {
	switch plainFlag(f).(type) {
	case *urfave.BoolFlag:
		return "true or false"
	case *urfave.IntFlag, *urfave.Int64Flag, *urfave.IntSliceFlag:
		return "a whole number"
	case *urfave.UintFlag, *urfave.Uint64Flag:
		return "a whole number from 0 on"
	case *urfave.Float64Flag:
		return "a number"
	}
	return "a word"
}
