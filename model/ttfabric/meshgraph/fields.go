package meshgraph

import (
	"slices"

	"github.com/turnproof/turnproof/model/format/textproto"
)

// This file reads single fields.

// known remembers the fields of a message that are none of the names.
func (r *reader) known(path string, m *textproto.Message, names ...string) {
	for _, f := range m.Fields {
		if at := path + f.Name; !slices.Contains(names, f.Name) {
			if _, ok := r.unknown[at]; !ok {
				r.unknown[at] = f.Line
			}
		}
	}
}

// only returns the one field of a name that is a message. Without it, it returns nil, or an error if the field is needed.
func (r *reader) only(m *textproto.Message, name string, needed bool) (*textproto.Field, error) {
	list := m.Named(name)
	switch {
	case len(list) == 0 && needed:
		return nil, r.fault(m.Line, "%s is missing", name)
	case len(list) == 0:
		return nil, nil
	case len(list) > 1:
		return nil, r.fault(list[1].Line, "a second %s; the first is at line %d", name, list[0].Line)
	case list[0].Message == nil:
		return nil, r.fault(list[0].Line, "%s has the value %s; want a message, %s { ... }", name, list[0].Text, name)
	}
	return &list[0], nil
}

// scalar returns the one field of a name that is no message, or nil.
func (r *reader) scalar(m *textproto.Message, name string, needed bool) (*textproto.Field, error) {
	list := m.Named(name)
	switch {
	case len(list) == 0 && needed:
		return nil, r.fault(m.Line, "%s is missing", name)
	case len(list) == 0:
		return nil, nil
	case len(list) > 1:
		return nil, r.fault(list[1].Line, "a second %s; the first is at line %d", name, list[0].Line)
	case list[0].Message != nil:
		return nil, r.fault(list[0].Line, "%s is a message; want a value, %s: ...", name, name)
	}
	return &list[0], nil
}

// text returns a string, or "".
func (r *reader) text(m *textproto.Message, name string, needed bool) (string, error) {
	f, err := r.scalar(m, name, needed)
	if f == nil {
		return "", err
	}
	if !f.IsString {
		return "", r.fault(f.Line, "%s has the value %s; want a string in quotes", name, f.Text)
	}
	return f.Text, nil
}

// name returns the name of a descriptor, which must not be empty.
func (r *reader) name(f textproto.Field) (string, error) {
	if f.Message == nil {
		return "", r.fault(f.Line, "%s has the value %s; want a message, %s { ... }", f.Name, f.Text, f.Name)
	}
	name, err := r.text(f.Message, "name", true)
	if err == nil && name == "" {
		err = r.fault(f.Line, "%s has no name", f.Name)
	}
	return name, err
}

// number returns an integer in a range, or other without the field.
func (r *reader) number(m *textproto.Message, name string, least, most, other int) (int, error) {
	f, err := r.scalar(m, name, other < least)
	if f == nil {
		return other, err
	}
	return r.inRange(f, least, most)
}

func (r *reader) inRange(f *textproto.Field, least, most int) (int, error) {
	v, ok := f.Int()
	if !ok || v < least || v > most {
		return 0, r.fault(f.Line, "%s is %s; want %d to %d", f.Name, f.Text, least, most)
	}
	return v, nil
}

// isSet returns a boolean, false without the field.
func (r *reader) isSet(m *textproto.Message, name string) (bool, error) {
	f, err := r.scalar(m, name, false)
	switch {
	case f == nil:
		return false, err
	case slices.Contains([]string{"true", "True", "t", "1"}, f.Text) && !f.IsString:
		return true, nil
	case slices.Contains([]string{"false", "False", "f", "0"}, f.Text) && !f.IsString:
		return false, nil
	}
	return false, r.fault(f.Line, "%s is %s; want true or false", name, f.Text)
}

// word returns the number of an enum's value in names, counted from 0. Numbers of the schema begin at first.
func (r *reader) word(f *textproto.Field, first int, names ...string) (int, error) {
	if i := slices.Index(names, f.Text); i >= 0 && !f.IsString && f.Message == nil {
		return i, nil
	}
	if v, ok := f.Int(); ok && v >= first && v < first+len(names) {
		return v - first, nil
	}
	return 0, r.fault(f.Line, "%s is %s; want one of %v", f.Name, f.Text, names)
}

// two returns the two numbers of a list, or other without the list.
func (r *reader) two(m *textproto.Message, name string, other [2]int) (v [2]int, err error) {
	list := m.Named(name)
	switch {
	case len(list) == 0 && other[0] > 0:
		return other, nil
	case len(list) != 2:
		return v, r.fault(m.Line, "%s has %d numbers; want 2, rows and columns", name, len(list))
	}
	for i := range list {
		if v[i], err = r.inRange(&list[i], 1, maxExtent); err != nil {
			return v, err
		}
	}
	return v, nil
}
