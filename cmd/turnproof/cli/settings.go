package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// This file finds what flags are where the command line does not say: the environment,
// the project's file, the user's file. configfile.go reads files. What a flag becomes by
// them is set on the command line's own flags, so that all else is as if it were typed.

// projectFile is read in the folder that turnproof is started in.
const ProjectFile = ".turnproof.yaml"

// environmentName is the variable of a flag.
func EnvironmentName(flag string) string {
	return "TURNPROOF_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// setting is a flag's value and where it comes from.
type setting struct {
	values []string // more than one: of a list
	from   string   // TURNPROOF_X or FILE:LINE
	file   *configFile
}

// settings are those of one run.
type settings struct {
	files  []*configFile      // the project's before the user's
	origin map[string]setting // by flag, what was taken from where
	strict bool               // --config "": built-in defaults only
}

// globalFlags stand before or after the command.
func globalFlags() []urfave.Flag {
	return []urfave.Flag{
		&Words{StringFlag: StringFlag{Name: "color", Value: colourAuto,
			Usage: "colour verdicts, `WHEN`: auto (on a terminal, unless NO_COLOR is set), always or never"}, List: colourWords},
		&urfave.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print no progress and no notes on standard error; warnings remain"},
		&Input{StringFlag: StringFlag{Name: "config",
			Usage: "read defaults of flags from `FILE` instead of " + ProjectFile + " and the user's config.yaml; \"\" reads no file and no " +
				"environment variable"}},
	}
}

// global applies what the files and the environment say of global flags. It reads the files.
func (s *settings) global(c *urfave.Context) error {
	s.origin = map[string]setting{}
	if err := s.read(c); err != nil {
		return err
	}
	if err := s.apply(c, c.App.Flags, ""); err != nil {
		return err
	}
	if c.Bool("quiet") {
		c.App.ErrWriter = quietWriter{c.App.ErrWriter}
	}
	return colourFlag(c)
}

// quietWriter discards what is written. It keeps standard error for warnings.
type quietWriter struct{ stderr io.Writer }

// Write implements io.Writer.
func (quietWriter) Write(text []byte) (int, error) { return len(text), nil }

// warningWriter returns where warnings go: standard error, also with --quiet.
func Warnings(c *urfave.Context) io.Writer {
	if w, ok := c.App.ErrWriter.(quietWriter); ok {
		return w.stderr
	}
	return c.App.ErrWriter
}

// command applies what they say of a command's flags, and tells which files that were.
func (s *settings) command(c *urfave.Context) error {
	if err := s.apply(c, c.Command.Flags, c.Command.Name); err != nil {
		return err
	}
	if note := s.note(c.Command); note != "" {
		fmt.Fprintln(c.App.ErrWriter, "note:", note)
	}
	return nil
}

// read reads the files.
func (s *settings) read(c *urfave.Context) error {
	given, set := c.String("config"), c.IsSet("config")
	if s.strict = set && given == ""; s.strict {
		return nil
	}
	word, fromEnvironment := os.LookupEnv(EnvironmentName("config"))
	if !set && fromEnvironment {
		given = word
	}
	if set || fromEnvironment {
		if given == "" {
			return nil
		}
		f, err := readConfigFile(c.App, given, false)
		s.files = []*configFile{f}
		return err
	}
	for i, path := range []string{ProjectFile, userConfig()} {
		if path == "" {
			continue
		}
		f, err := readConfigFile(c.App, path, i == 0)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		s.files = append(s.files, f)
	}
	return nil
}

// userConfig is where the user's file may be, "" if there is no such place.
func userConfig() string {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // as the XDG base directory specification has it
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "turnproof", "config.yaml")
}

// find returns the value of a flag that is not on the command line.
func (s *settings) find(section string, f urfave.Flag) (setting, bool) {
	name := f.Names()[0]
	if s.strict || name == "help" || name == "version" || name == "config" {
		return setting{}, false
	}
	if word := os.Getenv(EnvironmentName(name)); word != "" {
		values := []string{word}
		if IsList(f) {
			values = strings.Fields(word)
		}
		return setting{values: values, from: EnvironmentName(name)}, true
	}
	for _, file := range s.files {
		if v, ok := file.values[[2]string{section, name}]; ok {
			return v, true
		}
	}
	return setting{}, false
}

// apply sets the flags that the command line leaves open.
func (s *settings) apply(c *urfave.Context, flags []urfave.Flag, section string) error {
	for _, f := range flags {
		name := f.Names()[0]
		if slices.ContainsFunc(f.Names(), c.IsSet) {
			s.origin[name] = setting{from: "command line"}
			continue
		}
		v, ok := s.find(section, f)
		if !ok {
			continue
		}
		for _, value := range v.values {
			if err := c.Set(name, value); err != nil {
				return fmt.Errorf("%s: %q is no value for --%s: want %s", v.from, value, name, kindOf(f))
			}
		}
		s.origin[name] = v
	}
	return nil
}

// note names the files that flags of the command come from, "" if there are none.
func (s *settings) note(cmd *urfave.Command) string {
	var parts []string
	for _, file := range s.files {
		var flags []string
		for _, f := range cmd.Flags {
			if v := s.origin[f.Names()[0]]; v.file == file {
				flags = append(flags, "--"+f.Names()[0])
			}
		}
		if flags != nil {
			parts = append(parts, file.path+" sets "+strings.Join(flags, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// blame adds to an error where the flags that it names come from, if not from the command line.
func (s *settings) blame(err error) error {
	var parts []string
	text := err.Error()
	for name, v := range s.origin {
		if v.from != "command line" && !strings.Contains(text, v.from) && mentions(text, "--"+name) {
			parts = append(parts, "--"+name+" is set by "+v.from)
		}
	}
	if parts == nil {
		return err
	}
	slices.Sort(parts)
	return fmt.Errorf("%w (%s)", err, strings.Join(parts, ", "))
}

// mentions reports whether a flag stands in a text as a whole word.
func mentions(text, flag string) bool {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,:;()\"=", r) }) {
		if word == flag {
			return true
		}
	}
	return false
}

// IsList reports whether f may be repeated.
func IsList(f urfave.Flag) bool {
	switch plainFlag(f).(type) {
	case *urfave.StringSliceFlag, *urfave.IntSliceFlag:
		return true
	}
	return false
}

// kindOf is what a flag takes, in words.
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
