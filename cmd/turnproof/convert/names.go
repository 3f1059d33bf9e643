package convert

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file says which names a format does not keep.

// namesGone returns notes about the names of switches and hosts that a file in a format does not keep, and about GUIDs. It writes the
// network and reads it again. If that fails, it returns no note about names.
func namesGone(n *model.Network, name string) (notes []string) {
	f, err := format.FindNetworkFormat(name)
	if err == nil && n.IsInfiniBand() && !f.KeepsGUIDs {
		notes = append(notes, f.Name+" does not keep GUIDs, LIDs and the LMC: the file is no InfiniBand fabric")
	}
	if err != nil || !f.LosesNames {
		return notes
	}
	var text bytes.Buffer
	if f.Write(&text, n) != nil {
		return notes
	}
	src, err := textfile.New("", &text, nil)
	if err != nil {
		return notes
	}
	again, _, err := f.Read(src, format.Options{})
	if err != nil {
		return notes
	}
	add := func(what, plural string, gone []string) {
		if len(gone) == 1 {
			plural = ""
		}
		if len(gone) > 0 {
			notes = append(notes, fmt.Sprintf("%s does not keep the names of %d %s%s, such as %q", f.Name, len(gone), what, plural, textfile.Clip(gone[0])))
		}
	}
	add("switch", "es", missing(labels(n.NumSwitches(), n.SwitchLabel), labels(again.NumSwitches(), again.SwitchLabel), func(i int) bool {
		return n.Switch(model.SwitchID(i)).Name != ""
	}))
	add("host", "s", missing(labels(n.NumHosts(), n.HostLabel), labels(again.NumHosts(), again.HostLabel), func(i int) bool {
		name := n.Host(model.HostID(i)).Name
		return name != "" && name != "h"+strconv.Itoa(i) // the name of a host without one
	}))
	return notes
}

// labels returns the printed names of count switches or hosts.
func labels[ID ~int32](count int, label func(ID) string) (list []string) {
	for id := range ID(count) {
		list = append(list, label(id))
	}
	return list
}

// missing returns the names of a list that another list does not have at the same places. Only places with a name of their own
// count. A list of the same names in another order misses none.
func missing(list, other []string, isOwn func(i int) bool) (gone []string) {
	if slices.Equal(slices.Sorted(slices.Values(list)), slices.Sorted(slices.Values(other))) {
		return nil
	}
	for i, name := range list {
		if isOwn(i) && (i >= len(other) || other[i] != name) {
			gone = append(gone, name)
		}
	}
	return gone
}
