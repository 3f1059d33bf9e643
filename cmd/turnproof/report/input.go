package report

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file reads the routings of a report, each as if it were the only one, and writes
// the command lines that do so.

// routingContext is the command line as that of a command with one routing. Flags that
// belong to the tables of a file are passed on where they can: service levels to the
// first routing only, since other tables have others.
func routingContext(c *cli.Context, word string, first bool) (*cli.Context, error) {
	set := flag.NewFlagSet(c.Command.Name, flag.ContinueOnError)
	cmd := *c.Command
	cmd.Flags = input.RoutingFlags()
	for _, f := range cmd.Flags {
		if err := f.Apply(set); err != nil {
			return nil, err
		}
	}
	pass := map[string]string{}
	file := word == "" || !resolve.IsRoutingName(word) && !program.Is(word)
	if file {
		word, pass = levelsOf(word)
	}
	if word != "" {
		pass["routing"] = word
	}
	for name, wanted := range map[string]bool{"sl": first, "sl2vl": first, "paths": true, "hosts": true, "management": first || file, "lmc": first || file} {
		if wanted && c.IsSet(name) && pass[name] != "" {
			return nil, fmt.Errorf("--%s and %s=: the service levels of %s are given twice", name, name, word)
		}
		if wanted && c.IsSet(name) {
			pass[name] = fmt.Sprint(c.Value(name))
		}
	}
	for name, value := range pass {
		if err := set.Set(name, value); err != nil {
			return nil, err
		}
	}
	sub := cli.NewContext(c.App, set, c)
	sub.Command = &cmd
	return sub, nil
}

// levelsOf takes the service levels off a file of tables: FILE,sl=FILE,sl2vl=FILE.
func levelsOf(word string) (file string, levels map[string]string) {
	parts := strings.Split(word, ",")
	levels = map[string]string{}
	for k := len(parts) - 1; k > 0; k-- {
		name, value, _ := strings.Cut(parts[k], "=")
		if name != "sl" && name != "sl2vl" || value == "" || levels[name] != "" {
			break // a comma within the name of a file
		}
		levels[name], parts = value, parts[:k]
	}
	return strings.Join(parts, ","), levels
}

// nameRoutings finds short names, no two alike.
func (r *report) nameRoutings() {
	for i, x := range r.routings {
		x.name = x.in.Routing
		if x.name == "" {
			x.name = "the routing that the network names"
		}
		if resolve.IsRoutingName(x.in.Routing) {
			continue
		}
		short := picture.Subject(x.in.Routing)
		if !slices.ContainsFunc(r.routings, func(other *reported) bool {
			return other != r.routings[i] && picture.Subject(other.in.Routing) == short
		}) {
			x.name = short
		}
	}
}

// turnSet is the set that a method's routing keeps to, nil where no method made one.
// That of plain up*/down* is made anew: its relation needs none.
func turnSet(in *input.Input, ctx context.Context) (*synth.Result, error) {
	if name, _, _ := strings.Cut(in.Routing, ","); in.Made != nil || !resolve.IsMethod(name) || in.Net.NumSwitches() > compareSome {
		return in.Made, nil
	}
	name, o, _, err := resolve.ParseMethod(in.Routing)
	if err != nil {
		return nil, err
	}
	made, err := synth.New(ctx, name, in.Net, o)
	if unconnected(err) {
		return nil, nil
	}
	return made, err
}

// line is the command line of a command, with its own words, on this routing alone.
func (x *reported) line(command, path string, more ...string) string {
	words := append(append([]string{"turnproof"}, strings.Fields(command)...), path)
	if x.in.Routing != "" {
		words = append(words, "-r", x.in.Routing)
	}
	for _, name := range []string{"sl", "sl2vl", "paths", "lmc"} {
		if x.c.IsSet(name) {
			words = append(words, "--"+name, fmt.Sprint(x.c.Value(name)))
		}
	}
	if word := x.c.String(input.ManagementFlagName); word != "" {
		words = append(words, "--"+input.ManagementFlagName+"="+word)
	}
	return shellLine(append(words, more...)...)
}

// shellLine writes words as a shell takes them.
func shellLine(words ...string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if w == "" || strings.ContainsFunc(w, func(c rune) bool {
			return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./:=,+@%", c))
		}) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		b.WriteString(w)
	}
	return b.String()
}
