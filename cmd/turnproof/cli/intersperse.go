package cli

import (
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// A commandLine is the arguments of a call, by what they are.
type commandLine struct {
	app   *urfave.App
	cmd   *urfave.Command // nil before its name
	known []urfave.Flag

	global, flags, rest []string // flags before the command, its flags, its arguments
}

// intersperse reorders args for urfave/cli, which requires flags before arguments: global flags,
// the command, its flags, "--", its arguments. Arguments after "--" are never flags.
func intersperse(app *urfave.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	l := &commandLine{app: app, known: app.Flags}
	for i := 1; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			l.rest = append(l.rest, args[i+1:]...)
			i = len(args)
		case a != "-" && strings.HasPrefix(a, "-"):
			var alone []string
			if i, alone = l.addFlag(args, i); alone != nil {
				return alone
			}
		case l.cmd != nil:
			l.rest = append(l.rest, a)
		default:
			if l.cmd = app.Command(a); l.cmd == nil || l.cmd.Name == completeName {
				return args // Run reports an unknown command; __complete needs its words unchanged
			}
			l.known = append(slices.Clone(l.cmd.Flags), app.Flags...)
		}
	}
	out := append([]string{args[0]}, l.global...)
	if l.cmd == nil {
		return append(out, l.rest...)
	}
	out = append(append(out, l.cmd.Name), l.flags...)
	return append(append(out, "--"), l.rest...)
}

// addFlag adds the flag args[i], with the value behind it if it takes one, and returns the index of the last argument
// added. If the value is missing, addFlag also returns the command line with this flag alone: urfave/cli reports the missing value.
func (l *commandLine) addFlag(args []string, i int) (last int, alone []string) {
	a := args[i]
	name, value, joined := strings.Cut(strings.TrimLeft(a, "-"), "=")
	f := FlagCalled(l.known, name)
	if _, again := plainFlag(f).(*urfave.StringSliceFlag); again && name != f.Names()[0] { // urfave/cli accepts only one name of a repeated flag
		if a = "--" + f.Names()[0]; joined {
			a += "=" + value
		}
	}
	to := &l.flags
	if f != nil && f != urfave.HelpFlag && FlagCalled(l.app.Flags, name) == f {
		to = &l.global
	} else if l.cmd == nil {
		to = &l.global // -v, --version or an unknown flag
	}
	if w, ok := f.(*Words); ok && w.Bare != "" && !joined {
		value = w.Bare
		if i+1 < len(args) && slices.Contains(w.List, args[i+1]) {
			i++
			value = args[i]
		}
		a, joined = "--"+w.Name+"="+value, true
	}
	*to = append(*to, a)
	if f == nil || !takesValue(f) || joined {
		return i, nil
	}
	if i++; i < len(args) {
		*to = append(*to, args[i])
		return i, nil
	}
	if to == &l.global {
		return i, []string{args[0], a}
	}
	return i, []string{args[0], l.cmd.Name, a}
}
