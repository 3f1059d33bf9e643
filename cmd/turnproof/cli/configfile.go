package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	urfave "github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/internal/yamldoc"
)

// This file reads configuration files. A file has a section with flags for each command. Global
// flags are outside the sections.
//
//	quiet: true
//	check:
//	  switching: wormhole
//	sweep:
//	  routing: [dor, updown]
//	  seeds: 3

// configFile is a configuration file that was read.
type configFile struct {
	path    string
	project bool                  // project file: it may be untrusted and cannot set outputs or start jobs
	values  map[[2]string]setting // by command ("" for global flags) and flag
}

// maxConfig is the largest size of a configuration file in bytes.
const maxConfig = 1 << 16

// readConfigFile reads a file and checks the names of commands and flags. If the file does not
// exist, the error wraps os.ErrNotExist.
func readConfigFile(app *urfave.App, path string, project bool) (*configFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, configError(path, err)
	}
	defer func() { _ = file.Close() }() // a read-only file has no data to lose
	text, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err != nil {
		return nil, configError(path, err)
	}
	if len(text) > maxConfig {
		return nil, fmt.Errorf("cannot read configuration file %s: want at most %d bytes of YAML", path, maxConfig)
	}
	f := &configFile{path: path, project: project, values: map[[2]string]setting{}}
	return f, f.parse(app, text)
}

// configError adds the file name to a read error.
func configError(path string, err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("cannot read configuration file %s: %w", path, err)
}

// parse reads the YAML text into f.values.
func (f *configFile) parse(app *urfave.App, text []byte) error {
	docs, err := yamldoc.Parse(text)
	var e *yamldoc.Error
	switch {
	case errors.As(err, &e) && e.Line > 0:
		return f.fault(e.Line, "%s", e.Msg)
	case err != nil:
		return fmt.Errorf("%s is no configuration file: %w", f.path, err)
	}
	for _, doc := range docs {
		pairs, ok := doc.Pairs()
		if !ok {
			return f.fault(doc.Line(), "want commands with their flags, such as \"check: {switching: wormhole}\"")
		}
		for _, kv := range pairs {
			if err := f.top(app, kv); err != nil {
				return err
			}
		}
	}
	return nil
}

// top reads a top-level key: the section of a command, or a global flag.
func (f *configFile) top(app *urfave.App, kv yamldoc.Pair) error {
	name := kv.Key
	if cmd := app.Command(name); cmd != nil && !cmd.Hidden {
		pairs, ok := kv.Value.Pairs()
		if kv.Value.Null() {
			return nil
		}
		if !ok {
			return f.fault(kv.Line, "%s: want flags with their values", name)
		}
		for _, x := range pairs {
			if err := f.flag(cmd.Name, cmd.Flags, x); err != nil {
				return err
			}
		}
		return nil
	}
	if FlagCalled(app.Flags, name) == nil {
		known := append(CommandNames(app), longNames(app.Flags)...)
		return f.fault(kv.Line, "no command and no global flag %q%s", name, spelling.Suggest(name, known))
	}
	return f.flag("", app.Flags, kv)
}

// flag stores the value of a flag. It returns an error if the flag is unknown, given twice, or not
// permitted in a project file.
func (f *configFile) flag(section string, flags []urfave.Flag, kv yamldoc.Pair) error {
	name := kv.Key
	what := "no flag"
	if section != "" {
		what = section + " has no flag"
	}
	x := FlagCalled(flags, name)
	switch {
	case x == nil:
		return f.fault(kv.Line, "%s %q%s", what, name, spelling.Suggest(name, longNames(flags)))
	case name != x.Names()[0]:
		return f.fault(kv.Line, "%s %q (did you mean %s?)", what, name, x.Names()[0])
	case f.project && IsOutput(x):
		return f.fault(kv.Line, "%s names an output, which the file of a project may not set; give --%s on the command line, or in %s", name, name,
			userConfig())
	case f.project && hasEffect(x):
		return f.fault(kv.Line, "%s starts jobs or writes files, which the file of a project may not set; give --%s on the command line, or in %s",
			name, name, userConfig())
	}
	if _, ok := f.values[[2]string{section, name}]; ok {
		return f.fault(kv.Line, "%s is given twice", name)
	}
	values := []yamldoc.Value{kv.Value}
	if list, ok := kv.Value.List(); ok {
		if !IsList(x) {
			return f.fault(kv.Line, "%s takes one value, not a list", name)
		}
		values = list
	}
	s := setting{from: fmt.Sprintf("%s:%d", f.path, kv.Line), file: f}
	for _, v := range values {
		text, ok := v.Scalar()
		if !ok {
			return f.fault(kv.Line, "%s: want %s", name, kindOf(x))
		}
		s.values = append(s.values, text)
	}
	f.values[[2]string{section, name}] = s
	return nil
}

// longNames returns the names of flags as used in configuration files, without dashes.
func longNames(flags []urfave.Flag) (names []string) {
	for _, f := range flags {
		names = append(names, f.Names()[0])
	}
	return names
}

func (f *configFile) fault(line int, format string, a ...any) error {
	return fmt.Errorf("%s:%d: %s", f.path, line, fmt.Sprintf(format, a...))
}
