package multicast

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// Compare fails if the multicast tables in the file path differ from m, which come from another file of the same fabric. Port 0 does not count.
// Cost: the same as reading the file.
func Compare(path string, m *model.Multicast, n *model.Network, file string, o format.Options) error {
	other, _, err := Read(path, n, o)
	switch {
	case errors.Is(err, ErrNoTables):
		other = &model.Multicast{}
	case err != nil:
		return err
	}
	a, b := entriesOf(m, n), entriesOf(other, n)
	var places textfile.NameList
	keys := slices.Concat(slices.Collect(maps.Keys(a)), slices.Collect(maps.Keys(b)))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		if a[key] != b[key] {
			places.Add("%s", key)
		}
	}
	if places.Total == 0 {
		return nil
	}
	return &textfile.Error{File: path, Msg: fmt.Sprintf("contradicts %s in %s (%s): the groups changed between the two; remove the older file, or "+
		"name the right one with --multicast", textfile.Base(file), textfile.Counted(places.Total, "place"), places)}
}

// entriesOf returns the ports of all entries, by group and switch.
func entriesOf(m *model.Multicast, n *model.Network) map[string]string {
	list := map[string]string{}
	for _, g := range m.Groups {
		for _, e := range g.Entries {
			ports := slices.DeleteFunc(slices.Clone(e.Ports), func(p model.Port) bool { return p == 0 })
			if len(ports) > 0 {
				list[fmt.Sprintf("group 0x%04x at %s", g.MLID, n.SwitchLabel(e.Switch))] = fmt.Sprint(ports)
			}
		}
	}
	return list
}
