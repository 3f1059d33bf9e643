package lft

import (
	"bytes"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the adaptive forwarding tables that ibdiagnet writes (ibdiagnet2.far):
//
//	File version: 1
//	Switch 0x0000000000200000 ...
//	Groups Definition:
//	Group  Sub Group  WHBF  Ports
//	-----------------------------
//	1      0          0     1,2,3,
//	LFT Definition:
//	PLFT_NUM: 0, top: 0x0040
//	LID     Static Port  Lid State  Group
//	-------------------------------------
//	0x0001  3            Static     0
//	0x0002  1            Free       1
//
// Static: the packet leaves by the static port. Free: it leaves by any port of the group. HBF: a
// hash chooses a port of the group when the packet arrives. The sub groups of a group count
// together. A port without a cable is no choice. An entry whose group has one port is read as a
// static entry with this port. An entry whose group has none drops its packets.

// IsAdaptive recognises the file by its first kilobytes.
func IsAdaptive(head []byte) bool {
	return textfile.HasLine(head, "Groups Definition:") || textfile.HasLine(head, "LFT Definition:")
}

// farSection is a part of a switch's block.
type farSection byte

const (
	farHead farSection = iota
	farGroups
	farEntries
)

// maxGroup is the largest number of a group, which has 16 bits.
const maxGroup = 1<<16 - 1

// adaptiveReader is the state of the reader of adaptive tables.
type adaptiveReader struct {
	*reader
	section farSection
	tables  int                     // number of LFT definitions of the switch so far
	rows    int                     // number of entries of this LFT definition
	ports   map[int][]model.Port    // ports of the switch's groups, by group
	numbers map[groupKey]int32      // index in groups of each group of the switch
	groups  []model.PortGroup       // groups of all switches; the first one has no ports, so it drops all packets
	of      map[uint16][]int32      // by LID and switch: 1 + index in groups, or 0 if the entry has no group
	several map[model.SwitchID]bool // switches with several LFT definitions that differ
	empty   map[model.SwitchID]int  // by switch: number of entries whose group has no port with a cable
	loose   int                     // number of ports in groups that have no cable
	kinds   [len(farStates)]int     // by state: number of entries with several ports
	spent   int                     // number of allocated cells of field of, to bound memory
}

// groupKey identifies a group of a switch, and says whether a hash chooses its port.
type groupKey struct {
	group   int
	commits bool
}

// farStates are the words for the states of a LID in the file.
var farStates = [...]string{"Static", "Free", "HBF"}

// Indices of farStates.
const (
	farStatic = iota
	farFree
	farHashed
)

// readAdaptive reads the tables. The result has a Table if no entry has several ports, else an
// adaptive table.
func readAdaptive(src *textfile.File, n *model.Network, o format.Options) (r format.Routing, notes []string, err error) {
	base, err := newReader(src, n, o)
	if err != nil {
		return r, nil, err
	}
	f := &adaptiveReader{reader: base, groups: make([]model.PortGroup, 1), of: map[uint16][]int32{},
		several: map[model.SwitchID]bool{}, empty: map[model.SwitchID]int{}}
	if err := src.Each(f.line); err != nil {
		return r, nil, err
	}
	if err := f.endSwitch(); err != nil {
		return r, nil, err
	}
	if notes, err = f.finish(o); err != nil {
		return r, nil, err
	}
	f.report()
	if r.Adaptive = f.adaptive(); r.Adaptive == nil {
		r.Table = f.table
	}
	return r, notes, nil
}

// line reads a line of the file.
func (f *adaptiveReader) line(line []byte) error {
	b := textfile.SkipBlanks(line)
	switch {
	case len(b) == 0 || b[0] == '#' || b[0] == '-' || isToolWarning(b):
		return nil
	case bytes.HasPrefix(b, []byte("Switch 0x")):
		return f.beginSwitch(b)
	case bytes.HasPrefix(b, []byte("File version")):
		return nil
	case f.at == model.NoSwitch:
		return f.src.Errorf("%q comes before the first switch: is the beginning of the file missing?", textfile.Clip(b))
	case bytes.HasPrefix(b, []byte("Groups Definition:")):
		f.section = farGroups
		return nil
	case bytes.HasPrefix(b, []byte("LFT Definition:")):
		f.section = farEntries
		return nil
	case f.section == farGroups && !bytes.HasPrefix(b, []byte("Group")):
		return f.groupLine(b)
	case f.section == farEntries && bytes.HasPrefix(b, []byte("PLFT_NUM:")):
		return f.beginTable(b)
	case f.section == farEntries && !bytes.HasPrefix(b, []byte("LID")):
		return f.entryLine(b)
	}
	return nil // column heads, and the first lines of a switch's block
}

// beginSwitch starts the block of a switch.
func (f *adaptiveReader) beginSwitch(b []byte) error {
	if err := f.endSwitch(); err != nil {
		return err
	}
	guid, _, ok := textfile.Hex(b[len("Switch "):])
	if !ok {
		return f.src.Errorf("no GUID in %q", textfile.Clip(b))
	}
	f.section, f.tables, f.ports, f.numbers = farHead, 0, map[int][]model.Port{}, map[groupKey]int32{}
	return f.begin(guid)
}

// endSwitch checks that the block of the current switch has a table.
func (f *adaptiveReader) endSwitch() error {
	if f.at != model.NoSwitch && (f.tables == 0 || f.rows == 0) {
		return f.src.Errorf("switch 0x%016x has no entries below \"LFT Definition:\": is the file truncated?", f.guid)
	}
	return nil
}

// beginTable starts a table of the switch. PLFT_NUM is its number.
func (f *adaptiveReader) beginTable(b []byte) error {
	number, _, ok := textfile.Dec(textfile.SkipBlanks(b[len("PLFT_NUM:"):]))
	if !ok {
		return f.src.Errorf("want PLFT_NUM: <number>, top: 0x<LID>, got %q", textfile.Clip(b))
	}
	if f.tables++; f.tables == 1 && number > 1 {
		f.several[f.at] = true // the tables with smaller numbers are missing
	}
	f.rows = 0
	return nil
}

// groupLine reads the line of a sub group with its ports.
func (f *adaptiveReader) groupLine(b []byte) error {
	var v [3]int
	for i := range v {
		number, rest, ok := textfile.Dec(b)
		if !ok || len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' {
			return f.src.Errorf("want <group> <sub group> <WHBF> <port>,<port>,..., got %q", textfile.Clip(b))
		}
		v[i], b = number, textfile.SkipBlanks(rest)
	}
	if v[0] > maxGroup {
		return f.src.Errorf("group %d, allowed are 0 to %d", v[0], maxGroup)
	}
	list, err := f.portList(b)
	f.ports[v[0]] = append(f.ports[v[0]], list...)
	return err
}

// portList reads "1,2,3,".
func (f *adaptiveReader) portList(b []byte) (list []model.Port, err error) {
	for len(b) > 0 {
		port, rest, ok := textfile.Dec(b)
		rest = textfile.SkipBlanks(rest)
		if !ok || len(rest) > 0 && rest[0] != ',' {
			return nil, f.src.Errorf("want ports as 1,2,3, got %q", textfile.Clip(b))
		}
		if err := f.checkPort(port); err != nil {
			return nil, err
		}
		if list = append(list, model.Port(port)); len(rest) > 0 {
			rest = textfile.SkipBlanks(rest[1:])
		}
		b = rest
	}
	return list, nil
}

// checkPort fails if the switch has no such port.
func (f *adaptiveReader) checkPort(port int) error {
	most := f.ix.Net.Switch(f.at).Ports
	if port > int(model.MaxPort) || most > 0 && port > most {
		return f.src.Errorf("port %d of switch %s, which has ports 0 to %d in %s: do the files belong together?", port, f.ix.Net.SwitchName(f.at),
			most, f.found.Topology())
	}
	return nil
}

// entryLine reads the entry of a LID.
func (f *adaptiveReader) entryLine(b []byte) error {
	lid, rest, ok := textfile.Hex(b)
	port, rest, ok2 := textfile.Dec(textfile.SkipBlanks(rest))
	state, rest := farWord(textfile.SkipBlanks(rest))
	group, rest, ok3 := textfile.Dec(textfile.SkipBlanks(rest))
	if state == farStatic && !ok3 {
		ok3 = len(rest) == 0
	}
	if !ok || !ok2 || !ok3 || state < 0 || len(textfile.SkipBlanks(rest)) > 0 {
		return f.src.Errorf("want 0x<LID> <port> Static|Free|HBF <group>, got %q", textfile.Clip(b))
	}
	if f.tables == 0 {
		f.tables = 1 // the file has no "PLFT_NUM:" line
	}
	f.rows++
	if err := f.checkLID(lid); err != nil || lid == 0 {
		return err
	}
	if f.tables > 1 {
		f.compare(uint16(lid), port, state, group)
		return nil
	}
	if state == farStatic {
		return f.entry(lid, port)
	}
	return f.groupEntry(uint16(lid), group, state)
}

// farWord reads a state and returns its index in farStates, or -1.
func farWord(b []byte) (state int, rest []byte) {
	for i, word := range farStates {
		if bytes.HasPrefix(b, []byte(word)) {
			return i, b[len(word):]
		}
	}
	return -1, b
}

// groupEntry records that the current switch forwards lid by a group.
func (f *adaptiveReader) groupEntry(lid uint16, group, state int) error {
	g := f.groupOf(groupKey{group, state == farHashed})
	if g == 0 {
		f.empty[f.at]++
		return f.setGroup(lid, 0)
	}
	out := f.groups[g].Out
	if err := f.entry(uint64(lid), int(f.ix.Net.TailPort(out[0]))); err != nil || len(out) == 1 {
		return err
	}
	f.kinds[state]++
	return f.setGroup(lid, g)
}

// setGroup records group index g for lid at the current switch.
func (f *adaptiveReader) setGroup(lid uint16, g int32) error {
	row := f.of[lid]
	if row == nil {
		switches := f.ix.Net.NumSwitches()
		if f.spent += switches; f.spent > infiniband.MaxCells {
			return f.src.Errorf("entries of %d LIDs at %d switches, allowed are %d cells", len(f.of)+1, switches, infiniband.MaxCells)
		}
		row = make([]int32, switches)
		f.of[lid] = row
	}
	row[f.at] = g + 1
	return nil
}

func init() {
	format.RegisterRouting(format.RoutingFormat{Rank: 40, Is: IsAdaptive, Read: readAdaptive})
}
