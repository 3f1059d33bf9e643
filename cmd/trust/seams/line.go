package seams

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file defines a command line.

// Option is a flag with its value. The value of a flag without one is "".
type Option struct{ Flag, Value string }

// folderMark is the folder of the files of a line, in arguments and values.
const folderMark = "@/"

// Line is a command line of check with its files.
type Line struct {
	Network string            // the argument
	Files   map[string]string // content by name
	Options []Option
	Kind    []string // what the flags do not show: kind of the network, of the routing, attributes
	Sims    [][]Option
	turns   string  // method of the set of turns, before the file of the set is written
	fabric  *fabric // of a line with dumps of a fabric, else nil
}

// clone returns a copy that shares nothing that the shrinker changes.
func (l *Line) clone() *Line {
	c := *l
	c.Files = maps.Clone(l.Files)
	c.Options = slices.Clone(l.Options)
	c.Sims = slices.Clone(l.Sims)
	return &c
}

// add adds an option.
func (l *Line) add(flag, value string) { l.Options = append(l.Options, Option{flag, value}) }

// value returns the value of a flag, and whether the line has the flag.
func (l *Line) value(flag string) (string, bool) {
	for _, o := range l.Options {
		if o.Flag == flag {
			return o.Value, true
		}
	}
	return "", false
}

// has reports whether the line has a flag.
func (l *Line) has(flag string) bool { _, ok := l.value(flag); return ok }

// words returns a command line. It has the options of the line whose flags the command has, and more options.
func (l *Line) words(command, dir string, takes func(flag string) bool, more []Option) []string {
	list := []string{command, strings.ReplaceAll(l.Network, folderMark, dir+"/")}
	for _, o := range slices.Concat(l.Options, more) {
		if !takes(o.Flag) {
			continue
		}
		if o.Value == "" {
			list = append(list, "--"+o.Flag)
			continue
		}
		list = append(list, "--"+o.Flag+"="+strings.ReplaceAll(o.Value, folderMark, dir+"/"))
	}
	return list
}

// write writes the files of the line into a folder.
func (l *Line) write(dir string) error {
	for name, text := range l.Files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// features returns the sorted features of the line: flags, some of them with their values, and the kinds.
func (l *Line) features() []string {
	list := slices.Clone(l.Kind)
	for _, o := range l.Options {
		switch o.Flag {
		case "routing": // a kind
		case "switching", "waiting", "pauses", "fail":
			list = append(list, o.Flag+" "+o.Value)
		case "flow", "gate":
			word, _, _ := strings.Cut(o.Value, ",")
			list = append(list, o.Flag+" "+word)
		case "classes":
			list = append(list, "classes")
			if strings.Contains(l.Files[strings.TrimPrefix(o.Value, folderMark)], "multicast") {
				list = append(list, "multicast class")
			}
		default:
			list = append(list, o.Flag)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// String returns the files and the command line as text for a report.
func (l *Line) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(l.Files)) {
		fmt.Fprintf(&b, "-- %s --\n%s", name, l.Files[name])
	}
	b.WriteString("$ turnproof " + quoted(l.words("check", ".", func(string) bool { return true }, nil)))
	return b.String()
}

// quoted joins words as a shell reads them.
func quoted(words []string) string {
	list := slices.Clone(words)
	for i, w := range list {
		if strings.ContainsAny(w, " &|;<>()*?\"$") {
			list[i] = "'" + w + "'"
		}
	}
	return strings.Join(list, " ")
}
