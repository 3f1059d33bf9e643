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

// This file finds the values of flags that are not on the command line: in the environment, the
// project file, or the user file (see configfile.go). It sets these values in the parsed command
// line, so commands cannot distinguish them from typed flags.

// ProjectFile is the name of the project file. It is read from the current folder.
const ProjectFile = ".turnproof.yaml"

// EnvironmentName returns the name of the environment variable of a flag.
func EnvironmentName(flag string) string {
	return "TURNPROOF_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// setting is the value of a flag and its source.
type setting struct {
	values []string // a repeated flag may have several
	from   string   // TURNPROOF_X, FILE:LINE or "command line"
	file   *configFile
}

// settings are the settings of one run.
type settings struct {
	files  []*configFile      // the project file before the user file
	origin map[string]setting // by flag: the value used
	strict bool               // --config "": use built-in defaults only
}

// globalFlags returns the flags that apply to all commands.
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

// global reads the configuration files and applies the settings of global flags.
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

// quietWriter discards notes and progress. It keeps standard error for warnings.
type quietWriter struct{ stderr io.Writer }

func (quietWriter) Write(text []byte) (int, error) { return len(text), nil }

// Warnings returns the writer for warnings: standard error, also with --quiet.
func Warnings(c *urfave.Context) io.Writer {
	if w, ok := c.App.ErrWriter.(quietWriter); ok {
		return w.stderr
	}
	return c.App.ErrWriter
}

// command applies the settings of the flags of a command. It prints a note
// that names the configuration files that set flags.
func (s *settings) command(c *urfave.Context) error {
	if err := s.apply(c, c.Command.Flags, c.Command.Name); err != nil {
		return err
	}
	if note := s.note(c.Command); note != "" {
		fmt.Fprintln(c.App.ErrWriter, "note:", note)
	}
	return nil
}

// read reads the file of --config if set, otherwise the project file and the user file if they
// exist.
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

// userConfig returns the path of the user file, or "" if there is no home folder.
func userConfig() string {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // XDG ignores relative paths
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "turnproof", "config.yaml")
}

// find returns the value of a flag from the environment or a configuration file.
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

// apply sets the flags that are not on the command line and records the source of each flag.
func (s *settings) apply(c *urfave.Context, flags []urfave.Flag, section string) error {
	given := c.FlagNames() // asking IsSet for each flag takes quadratic time
	for _, f := range flags {
		names := f.Names()
		name := names[0]
		if slices.ContainsFunc(names, func(n string) bool { return slices.Contains(given, n) }) {
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

// note says which flags of the command each configuration file sets, or "" if none does.
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

// blame adds to an error the sources of the flags that it names, apart from the command line.
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

// mentions reports whether text contains flag as a whole word.
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
