package names

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file spells switches and hosts so that they are found again.

// SwitchName returns the description of a switch with its GUID, or its position if that is not unique. Switch and Node read it
// as this switch.
func (x *Index) SwitchName(u model.SwitchID) string {
	return x.switchSpelling(u, x.net.SwitchName(u))
}

// SwitchLabel returns the shortest name of a switch that Switch and Node read as this switch: its description if that is unique.
func (x *Index) SwitchLabel(u model.SwitchID) string {
	return x.switchSpelling(u, x.net.SwitchLabel(u), x.net.SwitchName(u))
}

func (x *Index) switchSpelling(u model.SwitchID, words ...string) string {
	return spell(words, "", int(u), func(word string) bool {
		at := x.switchOf(word)
		node, h := x.nodeOf(word)
		return at == found[model.SwitchID]{u, 1} && node == at && h.count == 0
	})
}

// HostName returns the shortest name of a host that Host reads as this host, and HostsOf as this host alone: its description if
// that is unique, or else with its GUID, or its position.
func (x *Index) HostName(h model.HostID) string {
	if int(h) >= x.hosts.count {
		return x.net.HostLabel(h) // the endpoint inside a switch
	}
	label := x.net.HostLabel(h)
	return spell([]string{label, withGUID(label, x.net.Host(h).PortGUID)}, "host", int(h), func(word string) bool {
		at, _ := x.hostOf(word)
		u, node := x.nodeOf(word)
		stands := u.count == 1 && x.isOnlyHost(h, u.id)
		return at == found[model.HostID]{h, 1} && (node == at && u.count == 0 || stands && node.count == 0)
	})
}

// spell returns the first word that is right, or a position: prefix, as many # as are needed, and the number.
func spell(words []string, prefix string, id int, isRight func(word string) bool) string {
	for _, word := range words {
		if !isReserved(word) && strings.TrimSpace(word) == word && isRight(word) {
			return word
		}
	}
	for marks := "#"; ; marks += "#" {
		if word := fmt.Sprintf("%s%s%d", prefix, marks, id); isRight(word) {
			return word
		}
	}
}

// isReserved reports whether a word has another meaning in some files: any, none.
func isReserved(word string) bool {
	switch word {
	case "", "*", "-", "all", "nothing", "none":
		return true
	}
	return false
}
