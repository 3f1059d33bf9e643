package meshgraph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/format/textproto"
)

// Limits that bound what a hostile file can ask for.
const (
	MaxChips    = 1 << 14 // of all meshes together
	maxExtent   = 1 << 10
	maxChannels = 1 << 10
)

// reader reads one file. Its methods return errors with the line.
type reader struct {
	d       *Descriptor
	shapes  map[string]*Shape
	used    map[string]bool
	unknown map[string]int // by path of the field: the first line
	index   map[int]int    // by mesh ID
}

// Parse reads a descriptor. name is that of the file, for errors.
func Parse(name string, text []byte) (*Descriptor, error) {
	root, err := textproto.Parse(name, text)
	if err != nil {
		return nil, err
	}
	r := &reader{d: &Descriptor{File: name}, shapes: map[string]*Shape{}, used: map[string]bool{}, unknown: map[string]int{}, index: map[int]int{}}
	if err := r.root(root); err != nil {
		return nil, err
	}
	r.note()
	return r.d, nil
}

func (r *reader) fault(line int, format string, a ...any) error {
	return &textfile.Error{File: r.d.File, Line: line, Msg: fmt.Sprintf(format, a...)}
}

func (r *reader) root(root *textproto.Message) error {
	r.known("", root, "mesh_descriptors", "switch_descriptors", "graph_descriptors", "top_level_instance", "pinnings", "physical_grouping_pinnings")
	for _, name := range []string{"mesh_descriptors", "switch_descriptors"} {
		for _, f := range root.Named(name) {
			s, err := r.shape(f, name == "switch_descriptors")
			if err != nil {
				return err
			}
			if other := r.shapes[s.Name]; other != nil {
				return r.fault(f.Line, "a second descriptor %q; the first is at line %d", s.Name, other.Line)
			}
			r.shapes[s.Name] = s
		}
	}
	if len(r.shapes) == 0 {
		return r.fault(0, "no mesh_descriptors: not a mesh graph descriptor of version 2.0")
	}
	graphs := map[string]*textproto.Message{}
	for _, f := range root.Named("graph_descriptors") {
		name, err := r.name(f)
		if err != nil {
			return err
		}
		if graphs[name] != nil {
			return r.fault(f.Line, "a second graph %q; the first is at line %d", name, graphs[name].Line)
		}
		graphs[name] = f.Message
	}
	top, err := r.only(root, "top_level_instance", true)
	if err != nil {
		return err
	}
	return r.top(top, graphs)
}

// top reads the instance that the fabric is.
func (r *reader) top(top *textproto.Field, graphs map[string]*textproto.Message) error {
	if len(top.Message.Named("mesh"))+len(top.Message.Named("switch")) > 0 {
		return r.instance(*top)
	}
	ref, err := r.only(top.Message, "graph", true)
	if err != nil {
		return err
	}
	name, err := r.text(ref.Message, "graph_descriptor", true)
	if err != nil {
		return err
	}
	g := graphs[name]
	if g == nil {
		return r.fault(ref.Line, "no graph_descriptors named %q%s", name, hint(name, graphs))
	}
	return r.graph(g)
}

// note adds the notes.
func (r *reader) note() {
	fields := make([]string, 0, len(r.unknown))
	for f := range r.unknown {
		fields = append(fields, f)
	}
	slices.SortFunc(fields, func(a, b string) int { return cmp.Or(r.unknown[a]-r.unknown[b], strings.Compare(a, b)) })
	for _, f := range fields {
		r.d.Notes = append(r.d.Notes, fmt.Sprintf("line %d: field %s is unknown and has no effect here", r.unknown[f], f))
	}
	names := make([]string, 0, len(r.shapes))
	for name := range r.shapes {
		if !r.used[name] {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return r.shapes[a].Line - r.shapes[b].Line })
	for _, name := range names {
		r.d.Notes = append(r.d.Notes, fmt.Sprintf("line %d: no instance uses mesh descriptor %q", r.shapes[name].Line, name))
	}
}

// hint names the nearest name of a map.
func hint[T any](name string, among map[string]T) string {
	names := make([]string, 0, len(among))
	for n := range among {
		names = append(names, n)
	}
	slices.Sort(names)
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Sprintf("; want %s?", near)
	}
	return "; known are " + strings.Join(names, ", ")
}
