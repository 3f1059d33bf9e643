package names

import (
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file reads words.

// none is the result for a word that names nothing.
const none = -1

// tiers are the rules by which a word is read, in their order.
var tiers = []tier{printed, raw, guid, adapter, lid}

type tier int

const (
	printed tier = iota
	raw
	guid
	adapter
	lid
)

// find returns what a word names by one rule.
func (t *table[ID]) find(by tier, word string) found[ID] {
	switch by {
	case printed:
		if at := t.printed[word]; at.count > 0 {
			return at
		}
		if label, guid, ok := guidSuffix(word); ok { // the GUID may have fewer digits
			return t.printed[withGUID(label, guid)]
		}
	case raw:
		return t.raw[word]
	case guid, adapter:
		if number, ok := hexNumber(word); ok && by == guid {
			return t.guids[number]
		} else if ok {
			return t.nodes[number]
		}
	case lid:
		number := uint64(max(number(word), 0))
		if hex, ok := hexNumber(word); ok {
			number = hex
		}
		if number < 1<<16 {
			return t.lids[uint16(number)]
		}
	}
	return found[ID]{}
}

// read returns what a word names by the first rule that applies. Positions are no part of it.
func (t *table[ID]) read(word string) found[ID] {
	for _, by := range tiers {
		if at := t.find(by, word); at.count > 0 {
			return at
		}
	}
	return found[ID]{}
}

// hexNumber returns the value of a number such as 0x2c90000000001, if it is one other than 0.
func hexNumber(word string) (uint64, bool) {
	if len(word) < 3 || word[0] != '0' || word[1] != 'x' && word[1] != 'X' {
		return 0, false
	}
	v, err := strconv.ParseUint(word[2:], 16, 64)
	return v, err == nil && v != 0
}

// guidSuffix cuts NAME(0xGUID).
func guidSuffix(word string) (label string, guid uint64, ok bool) {
	i := strings.LastIndex(word, "(0x")
	if i < 0 || word[len(word)-1] != ')' {
		return "", 0, false
	}
	guid, ok = hexNumber(word[i+1 : len(word)-1])
	return word[:i], guid, ok
}

// position returns the number in #3 or, with a prefix, in host#3. It returns none if the word has another form, or if the number
// is not below count. Several # are as good as one: there is a position for which no switch and no host is called.
func position(word, prefix string, count int) int {
	rest, ok := strings.CutPrefix(word, prefix)
	digits := strings.TrimLeft(rest, "#")
	if k := number(digits); ok && digits != rest && k < count {
		return k
	}
	return none
}

// plainPosition returns the position that a number means, or none.
func (x *Index) plainPosition(word string, count int) int {
	if k := number(word); x.HasPositions() && k < count {
		return k
	}
	return none
}

// HasPositions reports whether a number alone is the position of a switch or host.
func (x *Index) HasPositions() bool { return !x.numerals && !x.hasLIDs }

// spellings returns a word, and the word without blanks around it if it has such.
func spellings(word string) []string {
	if trimmed := strings.TrimSpace(word); trimmed != word {
		return []string{word, trimmed}
	}
	return []string{word}
}

// switchOf returns the switches that a word names.
func (x *Index) switchOf(word string) found[model.SwitchID] {
	for _, word := range spellings(word) {
		if at := x.switches.read(word); at.count > 0 {
			return at
		}
		if u := max(position(word, "", x.switches.count), x.plainPosition(word, x.switches.count)); u != none {
			return found[model.SwitchID]{model.SwitchID(u), 1}
		}
	}
	return found[model.SwitchID]{}
}

// nodeOf returns the switches and hosts that a word names. A host that is the only one of the switch is left out.
func (x *Index) nodeOf(word string) (u found[model.SwitchID], h found[model.HostID]) {
	for _, word := range spellings(word) {
		for _, by := range tiers {
			if u, h = x.switches.find(by, word), x.hosts.find(by, word); u.count == 1 && h.count == 1 && x.isOnlyHost(h.id, u.id) {
				h.count = 0
			}
			if u.count+h.count > 0 {
				return u, h
			}
		}
		if k := max(position(word, "", x.switches.count), x.plainPosition(word, x.switches.count)); k != none {
			return found[model.SwitchID]{model.SwitchID(k), 1}, h
		}
		if k := position(word, "host", x.hosts.count); k != none {
			return u, found[model.HostID]{model.HostID(k), 1}
		}
	}
	return u, h
}

// hostOf returns the hosts that a word names where only hosts are meant, or the switches that stand for their hosts.
func (x *Index) hostOf(word string) (h found[model.HostID], u found[model.SwitchID]) {
	for _, word := range spellings(word) {
		if h = x.hosts.read(word); h.count > 0 {
			return h, u
		}
		k := max(position(word, "", x.hosts.count), position(word, "host", x.hosts.count), x.plainPosition(word, x.hosts.count))
		if k != none {
			return found[model.HostID]{model.HostID(k), 1}, u
		}
		if u = x.switches.read(word); u.count > 0 && !(x.HasPositions() && isNumeral(word)) {
			return h, u
		}
	}
	return h, found[model.SwitchID]{}
}

func (x *Index) isOnlyHost(h model.HostID, u model.SwitchID) bool {
	return len(x.at[u]) == 1 && x.at[u][0] == h
}

// Switch returns the switch that a word names.
func (x *Index) Switch(word string) (model.SwitchID, error) {
	switch at := x.switchOf(word); at.count {
	case 0:
		return model.NoSwitch, x.unknown("switch", word)
	case 1:
		return at.id, nil
	default:
		return model.NoSwitch, x.sharedSwitch(word, at)
	}
}

// Node returns the switch or the host that a word names. The other one is model.NoSwitch or model.NoHost. A number that is a
// position is a switch. A word that names a switch and its only host is the switch.
func (x *Index) Node(word string) (model.SwitchID, model.HostID, error) {
	u, h := x.nodeOf(word)
	switch {
	case u.count+h.count == 0:
		return model.NoSwitch, model.NoHost, x.unknown("node", word)
	case u.count+h.count > 1:
		return model.NoSwitch, model.NoHost, x.sharedNode(word, u, h)
	case u.count == 1:
		return u.id, model.NoHost, nil
	}
	return model.NoSwitch, h.id, nil
}

// HostsOf returns the host that a word names as Node does, or the hosts of the switch. It fails if the switch has none.
func (x *Index) HostsOf(word string) ([]model.HostID, error) {
	u, h, err := x.Node(word)
	switch {
	case err != nil:
		return nil, err
	case h != model.NoHost:
		return []model.HostID{h}, nil
	}
	return x.hostsAt(u, word)
}

// Has reports whether a word names one switch or host as in Node.
func (x *Index) Has(word string) bool {
	u, h := x.nodeOf(word)
	return u.count+h.count == 1
}

// At returns the hosts of a switch. The caller must not change the slice.
func (x *Index) At(u model.SwitchID) []model.HostID { return x.at[u] }

// Host returns the host that a word names, or the only host of the switch that it names. A number that is a position is a host,
// and a name of a host goes before that of a switch.
func (x *Index) Host(word string) (model.HostID, error) {
	list, err := x.hostsOfWord(word)
	switch {
	case err != nil:
		return model.NoHost, err
	case len(list) > 1:
		return model.NoHost, x.severalAt(word, list)
	}
	return list[0], nil
}

// hostsOfWord returns the host that a word names as Host does, or the hosts of a switch.
func (x *Index) hostsOfWord(word string) ([]model.HostID, error) {
	h, u := x.hostOf(word)
	switch {
	case h.count == 1:
		return []model.HostID{h.id}, nil
	case u.count == 1:
		return x.hostsAt(u.id, word)
	case h.count > 1:
		return nil, x.sharedHost(word, h)
	case u.count > 1:
		return nil, x.sharedSwitch(word, u)
	}
	return nil, x.unknown("host", word)
}

// Endpoint returns the host that a word names as Host does, or the endpoint inside a switch by its printed name, GUID or LID.
func (x *Index) Endpoint(word string) (model.HostID, error) {
	if h, _ := x.hostOf(word); h.count == 1 {
		return h.id, nil
	}
	guid, _ := hexNumber(word)
	for h := model.HostID(x.hosts.count); int(h) < x.net.NumEndpoints(); h++ {
		e := x.net.Host(h)
		if word == x.net.HostLabel(h) || guid != 0 && guid == e.PortGUID || e.LID != 0 && number(word) == int(e.LID) {
			return h, nil
		}
	}
	return x.Host(word)
}
