package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	urfave "github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/nesting"
	"github.com/turnproof/turnproof/internal/spelling"
)

// This file reads configuration files: a section for each command with its flags, global
// flags outside.
//
//	quiet: true
//	check:
//	  switching: wormhole
//	sweep:
//	  routing: [dor, updown]
//	  seeds: 3

// configFile is a file that was read.
type configFile struct {
	path    string
	project bool                  // it came with a folder: it may not say what is written where
	values  map[[2]string]setting // by command ("" for global flags) and flag
}

// The bounds of a file: its length, and how deep it nests, by an estimate from above. YAML's
// library takes time by the square of what lies within another.
const (
	maxConfig  = 1 << 16
	maxNesting = 50
)

// readConfigFile reads a file and checks its names. The error is os.ErrNotExist where there is none.
func readConfigFile(app *urfave.App, path string, project bool) (*configFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, configError(path, err)
	}
	defer func() { _ = file.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err != nil {
		return nil, configError(path, err)
	}
	if len(text) > maxConfig || !utf8.Valid(text) {
		return nil, fmt.Errorf("%s is no configuration file: up to %d bytes of YAML were expected", path, maxConfig)
	}
	f := &configFile{path: path, project: project, values: map[[2]string]setting{}}
	return f, f.parse(app, text)
}

// configError words an error of reading.
func configError(path string, err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("configuration file %s cannot be read: %w", path, err)
}

// parse reads the text.
func (f *configFile) parse(app *urfave.App, text []byte) (err error) {
	defer func() {
		if r := recover(); r != nil { // of the library, on input it did not foresee
			err = fmt.Errorf("%s is no YAML that can be read", f.path)
		}
	}()
	if nesting.Of(text) > maxNesting {
		return fmt.Errorf("%s is no configuration file: its values nest more than %d deep", f.path, maxNesting)
	}
	tree, err := parser.ParseBytes(text, 0)
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
		return fmt.Errorf("%s is no YAML that can be read: %s", f.path, first)
	}
	for _, doc := range tree.Docs {
		if doc.Body == nil {
			continue // an empty file says nothing
		}
		pairs, ok := pairsOf(doc.Body)
		if !ok {
			return f.fault(doc.Body, "commands with their flags were expected, as \"check: {switching: wormhole}\"")
		}
		for _, kv := range pairs {
			if err := f.top(app, kv); err != nil {
				return err
			}
		}
	}
	return nil
}

// top reads a section, or a global flag.
func (f *configFile) top(app *urfave.App, kv *ast.MappingValueNode) error {
	name := kv.Key.GetToken().Value
	if cmd := app.Command(name); cmd != nil && !cmd.Hidden {
		pairs, ok := pairsOf(kv.Value)
		if _, empty := kv.Value.(*ast.NullNode); empty {
			return nil
		}
		if !ok {
			return f.fault(kv, "%s: flags with their values were expected", name)
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
		return f.fault(kv, "no command and no global flag %q%s", name, spelling.Suggest(name, known))
	}
	return f.flag("", app.Flags, kv)
}

// flag reads a flag with its value.
func (f *configFile) flag(section string, flags []urfave.Flag, kv *ast.MappingValueNode) error {
	name := kv.Key.GetToken().Value
	what := "no flag"
	if section != "" {
		what = section + " has no flag"
	}
	x := FlagCalled(flags, name)
	switch {
	case x == nil:
		return f.fault(kv, "%s %q%s", what, name, spelling.Suggest(name, longNames(flags)))
	case name != x.Names()[0]:
		return f.fault(kv, "%s %q (did you mean %s?)", what, name, x.Names()[0])
	case f.project && IsOutput(x):
		return f.fault(kv, "%s names what is written, which a project's file may not: give --%s on the command line, or in %s", name, name, userConfig())
	case f.project && hasEffect(x):
		return f.fault(kv, "%s starts jobs or writes files, which a project's file may not: give --%s on the command line, or in %s", name, name, userConfig())
	}
	if _, ok := f.values[[2]string{section, name}]; ok {
		return f.fault(kv, "%s is given twice", name)
	}
	nodes := []ast.Node{kv.Value}
	if list, ok := kv.Value.(*ast.SequenceNode); ok {
		if !IsList(x) {
			return f.fault(kv, "%s takes one value, not a list", name)
		}
		nodes = list.Values
	}
	s := setting{from: fmt.Sprintf("%s:%d", f.path, kv.Key.GetToken().Position.Line), file: f}
	for _, node := range nodes {
		switch node.(type) {
		case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
			return f.fault(kv, "%s: anchors, aliases and tags are not read", name)
		}
		scalar, ok := node.(ast.ScalarNode)
		if _, null := node.(*ast.NullNode); !ok || null {
			return f.fault(kv, "%s: %s was expected", name, kindOf(x))
		}
		value := scalar.GetToken().Value
		if text, ok := node.(*ast.StringNode); ok {
			value = text.Value
		}
		s.values = append(s.values, value)
	}
	f.values[[2]string{section, name}] = s
	return nil
}

// pairsOf returns the keys and values of a mapping.
func pairsOf(node ast.Node) ([]*ast.MappingValueNode, bool) {
	switch v := node.(type) {
	case *ast.MappingNode:
		return v.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{v}, true
	}
	return nil, false
}

// longNames are the names of flags as files have them.
func longNames(flags []urfave.Flag) (names []string) {
	for _, f := range flags {
		names = append(names, f.Names()[0])
	}
	return names
}

func (f *configFile) fault(node ast.Node, format string, a ...any) error {
	line := 0
	if t := node.GetToken(); t != nil && t.Position != nil {
		line = t.Position.Line
	}
	if kv, ok := node.(*ast.MappingValueNode); ok {
		line = kv.Key.GetToken().Position.Line
	}
	return fmt.Errorf("%s:%d: %s", f.path, line, fmt.Sprintf(format, a...))
}
