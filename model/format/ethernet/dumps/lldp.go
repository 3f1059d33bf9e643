package dumps

import (
	"bytes"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the neighbours that lldpd knows, as "lldpcli show neighbors -f json0" and "-f json" print them, and Cumulus Linux as
// "net show lldp json". The form json0 has a list wherever several values are possible. The form json replaces a list of one by its
// element, and names interfaces and chassis by keys.
//
// Source: lldpd 1.0.16, src/client/json_writer.c.

// isLLDP reports whether a file is an object whose first key is lldp.
func isLLDP(head []byte) bool { return bytes.HasPrefix(compact(head), []byte(`{"lldp":`)) }

func readLLDP(src *textfile.File, to *Switch) error {
	if to.LLDP != "" {
		return src.FileError("a second list of neighbours; the first is %s", to.LLDP)
	}
	to.LLDP = src.Name
	s := newScanner(src)
	return s.values(func() error {
		var doc map[string]any
		if err := s.value(&doc); err != nil {
			return err
		}
		for _, l := range listOf(doc["lldp"]) {
			for _, i := range named(member(l, "interface")) {
				if n, ok := neighborOf(i); ok {
					to.Neighbors = append(to.Neighbors, n)
				}
			}
		}
		return nil
	})
}

// entry is an object with its name.
type entry struct {
	name string
	of   any
}

// neighborOf returns the neighbour at an interface. It returns false if the neighbour has no name, as hosts without a system name.
func neighborOf(i entry) (n Neighbor, ok bool) {
	chassis := named(member(i.of, "chassis"))
	if len(chassis) == 0 {
		return n, false
	}
	c := chassis[0]
	if c.name == "" {
		return n, false
	}
	n = Neighbor{Port: i.name, Switch: c.name}
	if id := first(member(c.of, "id")); id != nil {
		n.Chassis = text(member(id, "type")) + " " + strings.ToLower(text(member(id, "value")))
	}
	port := first(member(i.of, "port"))
	if id := first(member(port, "id")); id != nil {
		n.IDType, n.ID = text(member(id, "type")), text(member(id, "value"))
	}
	n.Description = text(member(port, "descr"))
	capabilities := listOf(member(c.of, "capability"))
	for _, k := range capabilities {
		on := member(k, "enabled")
		if (on == true || on == "on") && slices.Contains([]string{"Bridge", "Router"}, text(member(k, "type"))) {
			n.Forwards = true
		}
	}
	n.IsHost = len(capabilities) > 0 && !n.Forwards
	return n, true
}

// listOf returns the elements of a list, or the value as a list of one. nil is an empty list.
func listOf(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

func first(v any) any {
	if list := listOf(v); len(list) > 0 {
		return list[0]
	}
	return nil
}

// member returns a member of an object, or of the first object of a list, or nil.
func member(v any, key string) any {
	m, _ := first(v).(map[string]any)
	return m[key]
}

// text returns a string, or the value of an object with one.
func text(v any) string {
	switch v := first(v).(type) {
	case string:
		return v
	case map[string]any:
		return text(v["value"])
	}
	return ""
}

// named returns objects with their names: the member name of each, or the key that it is the value of.
func named(v any) (list []entry) {
	for _, x := range listOf(v) {
		m, ok := x.(map[string]any)
		switch {
		case !ok:
		case m["name"] != nil:
			list = append(list, entry{text(m["name"]), m})
		case text(member(m["id"], "type")) != "": // a chassis without a name
			list = append(list, entry{"", m})
		default:
			for _, key := range sortedKeys(m) {
				list = append(list, entry{key, m[key]})
			}
		}
	}
	return list
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
