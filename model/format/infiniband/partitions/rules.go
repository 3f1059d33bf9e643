package partitions

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the rules in order, line by line, as osm_prtn_config.c of OpenSM does. The last word on a port in a partition holds.
// The head of a rule, up to the colon, is in one line. A member ends with its line, with or without a comma.
//
// A rule with a P_Key, of which 15 bits count, is of the partition with that P_Key; the first rule names it. A rule with a name only is of the
// partition of that name. If there is none, OpenSM generates the least P_Key that no rule above has, from 1. A later rule can meet it.

// Kinds of membership. A port that is both is in the table of full members.
const (
	limited = 1 + iota
	full
)

var memberships = map[string]int{"limited": limited, "full": full, "both": full}

const (
	defaultKey = 0x7fff
	longName   = 32   // bytes of a name with which OpenSM finds no partition
	longLine   = 4095 // bytes of a line that OpenSM splits
	blanks     = " \t"
)

// partition is a partition with its members.
type partition struct {
	key     uint64
	name    string // empty if OpenSM forms it of the key
	members map[model.HostID]int
}

// reader is the state of the reader.
type reader struct {
	src     *textfile.File
	ix      *infiniband.Index
	list    []*partition   // the first is the partition 0x7fff
	named   map[string]int // names of rules without a P_Key: the line of the last
	rules   int
	last    uint64     // the last P_Key that was generated
	at      *partition // of the current rule, or nil between rules
	usual   int        // membership of members that state none
	self    uint64     // the GUID of the port of OpenSM, or 0
	hasSelf bool       // whether a rule has SELF
	// isElsewhere says that the network has no port with the GUID of that of OpenSM.
	isElsewhere bool
	// isStated says that the file states the membership of all hosts in the partition 0x7fff.
	isStated bool
}

// newReader returns a reader with the members that OpenSM makes before it reads. Its own port has the GUID self, if that is not 0.
func newReader(src *textfile.File, ix *infiniband.Index, self uint64) (*reader, error) {
	r := &reader{src: src, ix: ix, named: map[string]int{}, self: self}
	r.at = r.add(defaultKey, "Default")
	r.all(limited)
	if self != 0 && r.join(fmt.Sprintf("0x%016x", self), full) != nil {
		r.self, r.isElsewhere = 0, true
	}
	r.at = nil
	return r, nil
}

func (r *reader) add(key uint64, name string) *partition {
	p := &partition{key, name, map[model.HostID]int{}}
	r.list = append(r.list, p)
	return p
}

func (r *reader) all(membership int) {
	for h := range model.HostID(r.ix.Net.NumHosts()) {
		r.at.members[h] = membership
	}
}

// read reads all rules.
func (r *reader) read(text string) error {
	r.src.Line = 0
	for line := range strings.Lines(text) {
		r.src.Line++
		if !strings.HasSuffix(line, "\n") {
			return r.src.Errorf("the last line does not end (%q): is the file truncated?", textfile.Clip(line))
		}
		if err := r.line(strings.TrimSuffix(line, "\n")); err != nil {
			return err
		}
	}
	switch {
	case r.at != nil:
		return r.src.FileError("the last rule has no semicolon: is the file truncated?")
	case r.rules == 0:
		return r.src.FileError("no rule in it")
	}
	for _, name := range slices.Sorted(maps.Keys(r.named)) {
		same := func(p *partition) bool { return p.name == name }
		if i := slices.IndexFunc(r.list, same); slices.ContainsFunc(r.list[i+1:], same) {
			return r.src.ErrorAt(r.named[name], "several partitions have the name %q, and this rule has no P_Key: write it", textfile.Clip(name))
		}
	}
	return nil
}

// line reads a line.
func (r *reader) line(line string) error {
	if len(line) >= longLine {
		return r.src.Errorf("a line of %d bytes, which OpenSM splits; want less than %d", len(line), longLine)
	}
	line, _, _ = strings.Cut(line, "#")
	if i := strings.IndexFunc(line, func(c rune) bool { return c < ' ' && c != '\t' }); i >= 0 {
		return r.src.Errorf("the character %q, which OpenSM takes for a part of a word; want lines that end with LF, and blanks", line[i])
	}
	for line = strings.TrimLeft(line, blanks); line != ""; line = strings.TrimLeft(line, blanks) {
		piece, rest, ends := strings.Cut(line, ";")
		if piece == "" {
			return r.src.Errorf("a semicolon without a word before it in its line: OpenSM misreads what follows; write it behind a member")
		}
		if err := r.piece(piece); err != nil {
			return err
		}
		if line = rest; ends {
			r.at = nil
		}
	}
	return nil
}

// piece reads what a line has of a rule.
func (r *reader) piece(text string) error {
	if r.at == nil {
		head, body, ok := strings.Cut(text, ":")
		if !ok {
			return r.src.Errorf("a rule without a colon in its first line: want NAME=P_KEY : MEMBERS ;")
		}
		if err := r.begin(strings.Split(head, ",")); err != nil {
			return err
		}
		text = body
	}
	for word := range strings.SplitSeq(text, ",") {
		if err := r.member(word); err != nil {
			return err
		}
	}
	return nil
}

// begin reads the head of a rule.
func (r *reader) begin(words []string) error {
	name, number, hasKey := cut(words[0])
	if !hasKey && name != "" && '0' <= name[0] && name[0] <= '9' {
		name, number, hasKey = "", name, true
	}
	var same func(*partition) bool
	var key uint64
	switch {
	case hasKey:
		var err error
		if key, err = number15(number); err != nil {
			return r.src.Errorf("%q is no P_Key; want 1 to 0xffff", textfile.Clip(number))
		}
		same = func(p *partition) bool { return p.key == key }
	case name == "":
		return r.src.Errorf("a rule without a name and P_Key")
	case len(name) >= longName:
		return r.src.Errorf("a rule without a P_Key has a name of %d bytes; want less than %d", len(name), longName)
	default:
		same = func(p *partition) bool { return p.name == name }
		r.named[name] = r.src.Line
	}
	r.rules++
	if i := slices.IndexFunc(r.list, same); i >= 0 {
		r.at = r.list[i]
	} else {
		if !hasKey {
			if key = r.generate(); key == defaultKey {
				return r.src.Errorf("no P_Key is left for a rule without one")
			}
		}
		r.at = r.add(key, name)
	}
	r.usual = limited
	for _, w := range words[1:] {
		if err := r.flag(w); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the next P_Key that no partition has. There is none if it is that of the default partition.
func (r *reader) generate() uint64 {
	for r.last++; r.last < defaultKey; r.last++ {
		if !slices.ContainsFunc(r.list, func(p *partition) bool { return p.key == r.last }) {
			break
		}
	}
	return min(r.last, defaultKey)
}

// number15 reads a P_Key as strtoul of C does, and returns 15 bits of it. Those must not be 0.
func number15(text string) (uint64, error) {
	base, digits := 10, text
	switch {
	case strings.HasPrefix(text, "0x"), strings.HasPrefix(text, "0X"):
		base, digits = 16, text[2:]
	case strings.HasPrefix(text, "0"):
		base = 8
	}
	k, err := strconv.ParseUint(digits, base, 16)
	if err == nil && k&defaultKey == 0 {
		err = strconv.ErrRange
	}
	return k & defaultKey, err
}

// cut splits NAME=VALUE.
func cut(word string) (name, value string, hasValue bool) {
	name, value, hasValue = strings.Cut(word, "=")
	return strings.Trim(name, blanks), strings.Trim(value, blanks), hasValue
}

// flag reads a property of a rule.
func (r *reader) flag(word string) error {
	switch name, value, _ := cut(word); name {
	case "defmember":
		if r.usual = memberships[value]; r.usual == 0 {
			return r.src.Errorf("defmember=%s: want full, limited or both", textfile.Clip(value))
		}
	case "sl":
		if value != "0" {
			return r.src.Errorf("sl=%s: the paths of this partition have another service level, which is not read", textfile.Clip(value))
		}
	case "mgid":
		return r.src.Errorf("multicast groups of partitions are not read")
	case "ipoib", "indx0", "rate", "mtu", "scope", "Q_Key", "TClass", "FlowLabel":
	default:
		return r.src.Errorf("unknown flag %q", textfile.Clip(name))
	}
	return nil
}

// member reads a member, or nothing between two commas.
func (r *reader) member(word string) error {
	name, value, isStated := cut(word)
	m := r.usual
	switch {
	case name == "mgid":
		return r.src.Errorf("multicast groups of partitions are not read")
	case strings.Contains(word, ":"):
		return r.src.Errorf("a second colon in a rule: want members, then a semicolon")
	case isStated && name == "":
		return r.src.Errorf("=%s without a port before it in its line", textfile.Clip(value))
	case isStated:
		if m = memberships[value]; m == 0 {
			return r.src.Errorf("%s=%s: want full, limited or both", textfile.Clip(name), textfile.Clip(value))
		}
	case name == "":
		return nil
	}
	switch name {
	case "ALL", "ALL_CAS":
		r.all(m)
		r.isStated = r.isStated || r.at == r.list[0]
		return nil
	case "ALL_SWITCHES", "ALL_ROUTERS", "NONE": // no hosts
		return nil
	case "SELF":
		if r.isElsewhere {
			return r.src.Errorf("SELF is the port of OpenSM, and the network has no port with its GUID: write that of another port")
		}
		if r.self == 0 {
			return r.src.Errorf("SELF is the port of OpenSM, which this file of the network does not name: write its GUID, or add opensm-subnet.lst")
		}
		name, r.hasSelf = fmt.Sprintf("0x%016x", r.self), true
	}
	if err := r.join(name, m); err != nil {
		return r.src.Errorf("%s", err)
	}
	return nil
}

// join makes the host with a port a member. The ports of switches are none.
func (r *reader) join(port string, membership int) error {
	h, err := r.port(port)
	if err == nil && h != model.NoHost {
		r.at.members[h] = membership
	}
	return err
}

// port returns the host with the port of a GUID, or NoHost for a switch.
func (r *reader) port(name string) (model.HostID, error) {
	digits, isHex := strings.CutPrefix(name, "0x")
	guid, err := strconv.ParseUint(digits, 16, 64)
	if err != nil || !isHex || guid == 0 {
		return 0, fmt.Errorf("%q is no member; want ALL, ALL_CAS, ALL_SWITCHES, ALL_ROUTERS or the GUID of a port", textfile.Clip(name))
	}
	if h, ok := r.ix.Ports[guid]; ok {
		return h, nil
	}
	if _, ok := r.ix.Switches[guid]; ok {
		return model.NoHost, nil
	}
	if hosts := r.ix.Nodes[guid]; hosts != nil {
		return 0, fmt.Errorf("%s is the GUID of an adapter; want that of its port, 0x%016x", name, infiniband.PortGUIDOf(r.ix.Net, hosts[0]))
	}
	return 0, fmt.Errorf("no port of the network has the GUID %s", name)
}
