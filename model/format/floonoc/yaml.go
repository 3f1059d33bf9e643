package floonoc

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/yamldoc"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the mappings of a floogen file: their keys, numbers and words, with lines.

// configKeys are the keys of each mapping that is read in full.
var configKeys = map[string][]string{
	"the file":     {"name", "description", "network_type", "protocols", "endpoints", "routers", "connections", "routing", "params"},
	"an endpoint":  {"name", "description", "array", "num", "addr_range", "xy_id_offset", "mgr_port_protocol", "sbr_port_protocol"},
	"a router":     {"name", "description", "array", "tree", "xy_id_offset", "auto_connect", "degree"},
	"xy_id_offset": {"id", "x", "y", "port_id"},
	"a connection": {"description", "src", "dst", "src_range", "dst_range", "src_idx", "dst_idx", "src_lvl", "dst_lvl", "dst_dir", "src_dir",
		"allow_multi", "bidirectional"},
	"a protocol": {"name", "description", "protocol", "type", "direction", "svdirection", "data_width", "addr_width", "id_width", "user_width",
		"type_prefix", "params"},
	"an address range": {"start", "end", "size", "base", "arr_idx", "arr_dim", "rdl_name", "rdl_as_mem", "rdl_addrmap_grp", "rdl_params", "desc",
		"en_collective", "en_multicast"},
	"collective": collectives,
}

// collectives are the operations of collective: those with a flag, and those with settings of their own.
var collectives = []string{"en_narrow_multicast", "en_wide_multicast", "en_barrier", "en_narrow_reduction", "en_wide_reduction"}

// object is a mapping of the file.
type object struct {
	src  *textfile.File
	what string
	line int
	at   map[string]yamldoc.Pair
}

// mapOf reads a mapping. If flooKeys has what, other keys are errors.
func mapOf(src *textfile.File, what string, v yamldoc.Value, line int) (*object, error) {
	pairs, ok := v.Pairs()
	if !ok {
		return nil, src.ErrorAt(line, "%s is no mapping", what)
	}
	m := &object{src: src, what: what, line: line, at: map[string]yamldoc.Pair{}}
	known := configKeys[what]
	for i, p := range pairs {
		if i == 0 && p.Line > 0 {
			m.line = p.Line
		}
		if known != nil && !slices.Contains(known, p.Key) {
			return nil, src.ErrorAt(p.Line, "%s has an unknown key %q, known are %s", what, textfile.Clip(p.Key), strings.Join(known, ", "))
		}
		m.at[p.Key] = p
	}
	return m, nil
}

// has reports whether a key has a value.
func (m *object) has(key string) bool {
	p, ok := m.at[key]
	return ok && !p.Value.Null()
}

// fault returns an error about the value of a key.
func (m *object) fault(key, format string, a ...any) error {
	line := m.line
	if p, ok := m.at[key]; ok {
		line = p.Line
	}
	return m.src.ErrorAt(line, "%s: %s", key, fmt.Sprintf(format, a...))
}

// word returns the text of a key.
func (m *object) word(key string) (string, error) {
	if !m.has(key) {
		return "", m.src.ErrorAt(m.line, "%s has no %s", m.what, key)
	}
	text, ok := m.at[key].Value.Scalar()
	if !ok || text == "" {
		return "", m.fault(key, "want a word")
	}
	if strings.Contains(text, "${") {
		return "", m.fault(key, "%s is a parameter, and parameters are not read: write its value", textfile.Clip(text))
	}
	return text, nil
}

// number reads a whole number.
func (m *object) number(key string, v yamldoc.Value, low, high int) (int, error) {
	text, _ := v.Scalar()
	if strings.Contains(text, "${") {
		return 0, m.fault(key, "%s is a parameter, and parameters are not read: write its value", textfile.Clip(text))
	}
	k, err := strconv.ParseInt(text, 0, 32)
	if err != nil || int(k) < low || int(k) > high {
		return 0, m.fault(key, "%s, want a whole number from %d to %d", textfile.Clip(text), low, high)
	}
	return int(k), nil
}

// numberOf returns the number of a key.
func (m *object) numberOf(key string, low, high int) (int, error) {
	return m.number(key, m.at[key].Value, low, high)
}

// numbers returns one number or a list of them, or nil if the key has no value.
func (m *object) numbers(key string, low, high int) (list []int, err error) {
	if !m.has(key) {
		return nil, nil
	}
	values, ok := m.at[key].Value.List()
	if !ok {
		values = []yamldoc.Value{m.at[key].Value}
	}
	for _, v := range values {
		k, err := m.number(key, v, low, high)
		if err != nil {
			return nil, err
		}
		list = append(list, k)
	}
	if len(list) == 0 {
		return nil, m.fault(key, "the list is empty")
	}
	return list, nil
}

// flag returns the truth value of a key, or preset if the key has no value.
func (m *object) flag(key string, preset bool) (bool, error) {
	if !m.has(key) {
		return preset, nil
	}
	text, _ := m.at[key].Value.Scalar()
	switch strings.ToLower(text) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, m.fault(key, "%q, want true or false", textfile.Clip(text))
}

// list calls f for each mapping in the list of a key. what names one of them.
func (m *object) list(key, what string, f func(*object) error) error {
	if !m.has(key) {
		return nil
	}
	values, ok := m.at[key].Value.List()
	if !ok {
		return m.fault(key, "want a list")
	}
	for _, v := range values {
		x, err := mapOf(m.src, what, v, m.at[key].Line)
		if err != nil {
			return err
		}
		if err := f(x); err != nil {
			return err
		}
	}
	return nil
}

// directions are the names of the ports 0 to 4 of a router.
var directions = []string{"North", "East", "South", "West", "Eject"}

// noDirection is the port of an end of a cable that names none.
const noDirection = -1

// direction returns the port that a key names, or noDirection.
func (m *object) direction(key string) (int, error) {
	if !m.has(key) {
		return noDirection, nil
	}
	text, _ := m.at[key].Value.Scalar()
	for i, name := range directions {
		if strings.EqualFold(name, text) {
			return i, nil
		}
	}
	if k, err := m.numberOf(key, 0, maxPorts-1); err == nil {
		return k, nil
	}
	return 0, m.fault(key, "%q, want a port number or %s", textfile.Clip(text), strings.Join(directions, ", "))
}

// offset returns the coordinates of xy_id_offset.
func (m *object) offset() (x, y int, err error) {
	if !m.has("xy_id_offset") {
		return 0, 0, nil
	}
	at := m.at["xy_id_offset"]
	o, err := mapOf(m.src, "xy_id_offset", at.Value, at.Line)
	if err != nil {
		return 0, 0, err
	}
	for key, to := range map[string]*int{"x": &x, "y": &y} {
		if o.has(key) {
			if *to, err = o.numberOf(key, -1<<16, 1<<16); err != nil {
				return 0, 0, err
			}
		}
	}
	if o.has("id") || o.has("port_id") {
		return 0, 0, m.fault("xy_id_offset", "want x and y")
	}
	return x, y, nil
}

// parse returns the top mapping of a text.
func parse(src *textfile.File, text []byte) (*object, error) {
	docs, err := yamldoc.Parse(text)
	var e *yamldoc.Error
	if errors.As(err, &e) {
		return nil, &textfile.Error{File: src.Name, Line: e.Line, Msg: e.Msg, Err: err}
	}
	if err != nil {
		return nil, src.FileError("%s", err)
	}
	if len(docs) != 1 {
		return nil, src.FileError("%d YAML documents, want one", len(docs))
	}
	return mapOf(src, "the file", docs[0], 1)
}
