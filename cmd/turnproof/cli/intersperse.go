package cli

import (
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// intersperse reorders args for urfave/cli, which requires flags before arguments: global flags,
// the command, its flags, "--", its arguments. Arguments after "--" are never flags.
func intersperse(app *urfave.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	var global, flags, rest []string
	var cmd *urfave.Command
	known := app.Flags
	for i := 1; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			rest = append(rest, args[i+1:]...)
			i = len(args)
		case a == "-" || !strings.HasPrefix(a, "-"):
			if cmd != nil {
				rest = append(rest, a)
				continue
			}
			if cmd = app.Command(a); cmd == nil || cmd.Name == completeName {
				return args // Run reports an unknown command; __complete needs its words unchanged
			}
			known = append(slices.Clone(cmd.Flags), app.Flags...)
		default:
			name, value, joined := strings.Cut(strings.TrimLeft(a, "-"), "=")
			f := FlagCalled(known, name)
			if _, again := plainFlag(f).(*urfave.StringSliceFlag); again && name != f.Names()[0] { // urfave/cli accepts only one name of a repeated flag
				if a = "--" + f.Names()[0]; joined {
					a += "=" + value
				}
			}
			to := &flags
			if f != nil && f != urfave.HelpFlag && FlagCalled(app.Flags, name) == f {
				to = &global
			} else if cmd == nil {
				to = &global // -v, --version or an unknown flag
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
			if f != nil && takesValue(f) && !joined {
				if i++; i == len(args) { // urfave/cli reports the missing value
					if to == &global {
						return []string{args[0], a}
					}
					return []string{args[0], cmd.Name, a}
				}
				*to = append(*to, args[i])
			}
		}
	}
	out := append([]string{args[0]}, global...)
	if cmd == nil {
		return append(out, rest...)
	}
	out = append(append(out, cmd.Name), flags...)
	return append(append(out, "--"), rest...)
}
