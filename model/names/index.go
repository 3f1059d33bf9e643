package names

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file collects the words for the switches and hosts of a network.

// Index finds the switches and hosts of a network. It does not change, so several goroutines can use it.
type Index struct {
	net      *model.Network
	switches table[model.SwitchID]
	hosts    table[model.HostID]
	numerals bool // whether the name of a switch or host is a numeral
	hasLIDs  bool
	longest  int              // bytes of the longest word
	at       [][]model.HostID // by switch: its hosts
}

// table has the words for switches, or for hosts.
type table[ID ~int32] struct {
	count   int
	printed map[string]found[ID] // names as the tool prints them
	raw     map[string]found[ID] // names as the file has them, and coordinates
	guids   map[uint64]found[ID]
	nodes   map[uint64]found[ID] // by GUID of the adapter
	lids    map[uint16]found[ID]
}

// found is the first switch or host of a word, and how many have this word.
type found[ID ~int32] struct {
	id    ID
	count int
}

func newTable[ID ~int32](count int) table[ID] {
	return table[ID]{count: count, printed: make(map[string]found[ID], count), raw: map[string]found[ID]{}, guids: map[uint64]found[ID]{},
		nodes: map[uint64]found[ID]{}, lids: map[uint16]found[ID]{}}
}

// add adds a word for id. The caller adds a word once for each id.
func add[ID ~int32, K comparable](to map[K]found[ID], word K, id ID) {
	at, ok := to[word]
	if !ok {
		at.id = id
	}
	at.count++
	to[word] = at
}

// New returns the index of a network. Cost: O(switches + hosts).
func New(n *model.Network) *Index {
	x := &Index{net: n, longest: len("host#0123456789"), switches: newTable[model.SwitchID](n.NumSwitches()), hosts: newTable[model.HostID](n.NumHosts()),
		at: make([][]model.HostID, n.NumSwitches())}
	for u := range model.SwitchID(n.NumSwitches()) {
		x.addSwitch(u)
	}
	for h := range model.HostID(n.NumHosts()) {
		x.addHost(h)
	}
	return x
}

func (x *Index) addSwitch(u model.SwitchID) {
	s, t := x.net.Switch(u), &x.switches
	label := x.net.SwitchLabel(u)
	addPrinted(x, t, u, label, x.net.SwitchName(u))
	short := dotted(label)
	if s.Name != "" && s.Name != label {
		add(t.raw, s.Name, u)
	}
	if short != "" && short != s.Name {
		add(t.raw, short, u)
	}
	if s.GUID != 0 {
		add(t.guids, s.GUID, u)
	}
	if s.LID != 0 {
		add(t.lids, s.LID, u)
		x.hasLIDs = true
	}
	x.numerals = x.numerals || s.Name != "" && (isNumeral(s.Name) || isNumeral(short))
}

func (x *Index) addHost(h model.HostID) {
	e, t := x.net.Host(h), &x.hosts
	label := x.net.HostLabel(h)
	addPrinted(x, t, h, label, withGUID(label, e.PortGUID))
	if e.Name != "" && e.Name != label {
		add(t.raw, e.Name, h)
	}
	if e.PortGUID != 0 {
		add(t.guids, e.PortGUID, h)
	}
	if e.NodeGUID != 0 {
		add(t.nodes, e.NodeGUID, h)
	}
	for k := range 1 << min(e.LMC, 7) {
		if lid := int(e.LID) + k; e.LID != 0 && lid < 1<<16 {
			add(t.lids, uint16(lid), h)
			x.hasLIDs = true
		}
	}
	x.numerals = x.numerals || isNumeral(e.Name)
	x.at[e.Switch] = append(x.at[e.Switch], h)
}

// AddLID adds a further LID of a host, which the network does not contain.
func (x *Index) AddLID(lid uint16, h model.HostID) { add(x.hosts.lids, lid, h) }

// addPrinted adds the names of id as the tool prints them.
func addPrinted[ID ~int32](x *Index, t *table[ID], id ID, short, long string) {
	if add(t.printed, short, id); long != short {
		add(t.printed, long, id)
	}
	x.longest = max(x.longest, len(short), len(long))
}

// withGUID returns the spelling of a name that is not unique.
func withGUID(label string, guid uint64) string {
	if guid == 0 {
		return label
	}
	return fmt.Sprintf("%s(0x%016x)", label, guid)
}

// dotted returns 1.0 for (1,0), and "" for a name that is no list of coordinates.
func dotted(label string) string {
	inner, ok := strings.CutPrefix(label, "(")
	if inner, closed := strings.CutSuffix(inner, ")"); ok && closed {
		for part := range strings.SplitSeq(inner, ",") {
			if !isNumeral(part) {
				return ""
			}
		}
		return strings.ReplaceAll(inner, ",", ".")
	}
	return ""
}

// isNumeral reports whether a word has digits only.
func isNumeral(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

// number returns the value of a decimal number without leading zeros, or -1.
func number(word string) int {
	if !isNumeral(word) || len(word) > 1 && word[0] == '0' {
		return -1
	}
	k, err := strconv.ParseInt(word, 10, 32)
	if err != nil {
		return -1
	}
	return int(k)
}
