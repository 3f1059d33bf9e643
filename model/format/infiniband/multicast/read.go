package multicast

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads multicast forwarding tables, in three formats. OpenSM writes opensm.mcfdbs with
// -D 0x41; a switch without an entry has no block, and ports are hexadecimal:
//
//	Switch 0x0000000000200001
//	LID    : Out Port(s)
//	0xC000 : 0x001 0x005 0x006
//
// dump_fts -M, dump_mfts and ibroute -M print a column of two characters for each port from 0 on:
//
//	Multicast mlids [0xc000-0xc3ff] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000200001 (S1):
//	     Ports: 0 1 2 3 4 5 6
//	 MLid
//	0xc000        x       x x
//	1 valid mlids dumped
//
// With -n they print masks of 16 ports each instead of columns, starting with ports 0 to 15:
//
//	 MLid       Port Mask
//	0xc000      0062

// The range of LIDs of multicast groups (InfiniBand 1.x, 4.1.3).
const (
	MinLID = 0xc000
	MaxLID = 0xfffe
)

// maxMulticastEntries bounds the memory that a malicious file could request.
const maxMulticastEntries = 1 << 22

// reader is the state of the reader of multicast tables.
type reader struct {
	src     *textfile.File
	ix      *infiniband.Index
	at      model.SwitchID
	seen    map[model.SwitchID]bool
	masks   bool // whether the block has masks instead of columns
	counted bool // whether the block must still end with a count of its entries
	// isCounted is set if the block begins like those that end with a count.
	isCounted bool
	count     int
	entries   int
	groups    map[uint16]map[model.SwitchID][]model.Port
	// hasCounts is set if blocks end with counts, so the file has a section for each switch.
	hasCounts   bool
	isAscending bool // whether the GUIDs of all blocks so far ascend
	lastGUID    uint64
}

// Read reads the multicast tables of network n. Tables without an entry have no group. The
// doubts name places where the tables are incomplete. If the tables belong to another fabric, the
// cause of the error is ErrOtherFabric. If the file has no table, it is ErrNoTables: OpenSM writes
// an empty file if there is no group, and a file that was cut is empty, too.
func Read(path string, n *model.Network, o format.Options) (*model.Multicast, []model.Doubt, error) {
	src, err := textfile.Open(path, o.Sums)
	if err != nil {
		return nil, nil, err
	}
	defer src.Close()
	return readFrom(src, n)
}

func readFrom(src *textfile.File, n *model.Network) (*model.Multicast, []model.Doubt, error) {
	r := &reader{src: src, ix: infiniband.NewIndex(n), at: model.NoSwitch, seen: map[model.SwitchID]bool{},
		groups: map[uint16]map[model.SwitchID][]model.Port{}, isAscending: true}
	if err := src.Each(r.line); err != nil {
		return nil, nil, err
	}
	if err := r.endBlock(); err != nil {
		return nil, nil, err
	}
	if len(r.seen) == 0 {
		err := src.FileError("has no multicast table of a switch; want the output of dump_fts -M, or --multicast none").(*textfile.Error)
		err.Err = ErrNoTables
		return nil, nil, err
	}
	m := r.tables()
	doubts, err := r.complete(m)
	if err != nil {
		return nil, nil, err
	}
	return m, doubts, nil
}

// tables returns the entries read, sorted.
func (r *reader) tables() *model.Multicast {
	m := &model.Multicast{}
	for mlid, entries := range r.groups {
		g := model.MulticastGroup{MLID: mlid}
		for u, ports := range entries {
			g.Entries = append(g.Entries, model.MulticastEntry{Switch: u, Ports: ports})
		}
		slices.SortFunc(g.Entries, func(a, b model.MulticastEntry) int { return cmp.Compare(a.Switch, b.Switch) })
		m.Groups = append(m.Groups, g)
	}
	slices.SortFunc(m.Groups, func(a, b model.MulticastGroup) int { return cmp.Compare(a.MLID, b.MLID) })
	return m
}

func (r *reader) line(line []byte) error {
	b := textfile.SkipBlanks(line)
	switch {
	case len(b) == 0 || b[0] == '#' || bytes.HasPrefix(b, []byte("*** WARNING ***")):
		return nil
	case bytes.HasPrefix(b, []byte("Multicast mlids")):
		return r.head(b, " guid ", true)
	case bytes.HasPrefix(b, []byte("Switch 0x")):
		return r.head(b, "Switch ", false)
	case bytes.HasPrefix(b, []byte("Unicast lids")):
		return r.src.Errorf("unicast tables begin here; want multicast tables")
	case bytes.HasSuffix(bytes.TrimRight(b, " \t"), []byte("mlids dumped")):
		return r.closing(b)
	case bytes.HasPrefix(b, []byte("MLid")):
		r.masks = bytes.Contains(b, []byte("Port Mask"))
		return nil
	case bytes.HasPrefix(b, []byte("LID ")), bytes.HasPrefix(b, []byte("Ports:")), bytes.HasPrefix(b,
		[]byte("Switch mu")), r.at != model.NoSwitch && r.counted && bytes.HasPrefix(line, []byte("            ")):
		return nil // column heads
	case bytes.HasPrefix(b, []byte("0x")):
		return r.entryLine(line)
	}
	return r.src.Errorf("%q is no line of multicast tables: want opensm.mcfdbs or the output of dump_fts -M", textfile.Clip(b))
}

// head starts the block of the switch whose GUID follows the text before.
func (r *reader) head(b []byte, before string, counted bool) error {
	if err := r.endBlock(); err != nil {
		return err
	}
	i := bytes.Index(b, []byte(before+"0x"))
	if i < 0 {
		return r.src.Errorf("no \"guid 0x...\" in %q", textfile.Clip(b))
	}
	guid, _, ok := textfile.Hex(b[i+len(before):])
	if !ok {
		return r.src.Errorf("no GUID in %q", textfile.Clip(b))
	}
	u, err := r.ix.SwitchAt(r.src, guid)
	if err != nil {
		return err
	}
	if r.seen[u] {
		return r.src.Errorf("switch 0x%016x has two multicast tables", guid)
	}
	r.seen[u], r.at, r.masks, r.counted, r.isCounted, r.count = true, u, false, counted, counted, 0
	r.hasCounts = r.hasCounts || counted
	r.isAscending, r.lastGUID = r.isAscending && guid > r.lastGUID, guid
	return nil
}

// closing compares the closing count with the entries of the block.
func (r *reader) closing(b []byte) error {
	want, _, ok := textfile.Dec(b)
	if !ok || !r.counted {
		return r.src.Errorf("a closing count without its block: %q", textfile.Clip(b))
	}
	if r.count != want {
		return r.src.Errorf("switch %s: %d multicast entries counted, %d found: are lines missing?", r.ix.Net.SwitchName(r.at), want, r.count)
	}
	r.counted = false
	return nil
}

// endBlock checks that the current block has its closing count, if it needs one. A block without one has an entry: OpenSM omits
// switches without entries.
func (r *reader) endBlock() error {
	if r.at != model.NoSwitch && !r.isCounted && r.count == 0 {
		return r.src.Errorf("the multicast table of switch %s has no entry: is the file truncated?", r.ix.Net.SwitchName(r.at))
	}
	if r.counted {
		return r.src.Errorf("the multicast table of switch %s ends without \"... mlids dumped\": is the file truncated?", r.ix.Net.SwitchName(r.at))
	}
	return nil
}

// entryLine reads one entry, in the format of its block.
func (r *reader) entryLine(line []byte) error {
	mlid, rest, ok := textfile.Hex(line)
	switch {
	case r.at == model.NoSwitch:
		return r.src.Errorf("an entry before the switch that it belongs to: is the beginning missing?")
	case !ok || mlid < MinLID || mlid > MaxLID:
		return r.src.Errorf("want a multicast LID from 0x%x to 0x%x, got %q", MinLID, MaxLID, textfile.Clip(line))
	}
	var ports []model.Port
	var err error
	switch {
	case len(textfile.SkipBlanks(rest)) > 0 && textfile.SkipBlanks(rest)[0] == ':':
		ports, err = r.listed(textfile.SkipBlanks(rest)[1:])
	case r.masks:
		ports, err = r.masked(textfile.SkipBlanks(rest))
	default:
		ports, err = r.columns(line)
	}
	if err != nil {
		return err
	}
	r.count++
	return r.store(uint16(mlid), ports)
}

// listed parses ports of the form 0x001 0x005.
func (r *reader) listed(b []byte) (ports []model.Port, err error) {
	for b = textfile.SkipBlanks(b); len(b) > 0; b = textfile.SkipBlanks(b) {
		p, rest, ok := textfile.Hex(b)
		if !ok || p > uint64(model.MaxPort) || len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' {
			return nil, r.src.Errorf("want ports such as 0x001, got %q", textfile.Clip(b))
		}
		ports, b = append(ports, model.Port(p)), rest
	}
	return ports, nil
}

// masked parses ports given as masks of four hexadecimal digits.
func (r *reader) masked(b []byte) (ports []model.Port, err error) {
	b = bytes.TrimRight(b, " \t")
	for chunk := 0; len(b) > 0; chunk++ {
		if len(b) < 4 {
			return nil, r.src.Errorf("want masks of four hexadecimal digits, got %q", textfile.Clip(b))
		}
		mask, rest, ok := textfile.Hex(b[:4])
		if !ok || len(rest) > 0 || 16*chunk > int(model.MaxPort) {
			return nil, r.src.Errorf("want masks of four hexadecimal digits, got %q", textfile.Clip(b))
		}
		for bit := range 16 {
			if mask>>bit&1 != 0 {
				ports = append(ports, model.Port(16*chunk+bit))
			}
		}
		b = b[4:]
	}
	return ports, nil
}

// firstColumn is where the column of port 0 is in the output of dump_fts -M.
const firstColumn = len("     Ports: ")

// columns parses ports given as an x in the column of each port.
func (r *reader) columns(line []byte) (ports []model.Port, err error) {
	for i, c := range line {
		switch {
		case i < firstColumn || c == ' ':
		case c != 'x' || (i-firstColumn)%2 != 0:
			return nil, r.src.Errorf("want x in the column of a port, got %q", textfile.Clip(line))
		default:
			ports = append(ports, model.Port((i-firstColumn)/2))
		}
	}
	return ports, nil
}

// store stores an entry of the current switch.
func (r *reader) store(mlid uint16, ports []model.Port) error {
	n := r.ix.Net
	if len(ports) == 0 {
		return nil
	}
	if r.entries++; r.entries > maxMulticastEntries {
		return r.src.Errorf("more than %d multicast entries", maxMulticastEntries)
	}
	slices.Sort(ports)
	for i, p := range ports {
		if most := n.Switch(r.at).Ports; int(p) > most && most > 0 {
			return r.src.Errorf("multicast LID 0x%04x: port %d of switch %s, which has ports 0 to %d", mlid, p, n.SwitchName(r.at), most)
		}
		if i > 0 && ports[i-1] == p {
			return r.src.Errorf("multicast LID 0x%04x: port %d of switch %s occurs twice", mlid, p, n.SwitchName(r.at))
		}
	}
	if r.groups[mlid] == nil {
		r.groups[mlid] = map[model.SwitchID][]model.Port{}
	}
	if r.groups[mlid][r.at] != nil {
		return r.src.Errorf("multicast LID 0x%04x: two entries of switch %s", mlid, n.SwitchName(r.at))
	}
	r.groups[mlid][r.at] = ports
	return nil
}
