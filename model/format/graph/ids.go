package graph

import (
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file has what writers of networks share: the words that name nodes, the error about what a format cannot hold, and a
// printer.

// ids chooses the ids that the nodes of a network have in DOT and GraphML.
type ids struct {
	n            *model.Network
	numbers, own bool // whether switches are named by number; whether nodes keep their names as ids
}

// newIDs returns the wording of a network. Names are ids if they are unique and are not all numbers.
func newIDs(n *model.Network) ids {
	w := ids{n: n, numbers: true, own: true}
	seen := map[string]bool{}
	digits := true
	for u := range model.SwitchID(n.NumSwitches()) {
		name := n.Switch(u).Name
		w.numbers = w.numbers && name == ""
		w.own = w.own && ownID(name) && !seen[name]
		digits = digits && textfile.Decimal(name) >= 0
		seen[name] = true
	}
	for h := range model.HostID(n.NumHosts()) {
		name := n.Host(h).Name
		w.own = w.own && ownID(name) && !seen[name]
		seen[name] = true
	}
	w.own = w.own && !digits
	return w
}

// ownID reports whether a name can be an id. DOT cannot represent every backslash in an id.
func ownID(name string) bool { return name != "" && !strings.Contains(name, `\`) }

// switchID returns the id of a switch, and whether the file must state its name in addition.
func (w ids) switchID(u model.SwitchID) (id string, named bool) {
	switch {
	case w.own:
		return w.n.Switch(u).Name, false
	case w.numbers:
		return strconv.Itoa(int(u)), false
	}
	return "s" + strconv.Itoa(int(u)), true
}

// hostID returns the id of a host, and whether the file must state its name in addition.
func (w ids) hostID(h model.HostID) (id string, named bool) {
	if w.own {
		return w.n.Host(h).Name, false
	}
	id = "h" + strconv.Itoa(int(h))
	return id, id != w.n.Host(h).Name
}
