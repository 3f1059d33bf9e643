package lft

import (
	"bytes"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads forwarding tables, in two formats.
//
// The first is the dump that OpenSM writes (opensm-lfts.dump) and loads (-R file -U), and that
// dump_lfts and ibroute print:
//
//	Unicast lids [0-8] of switch Lid 2 guid 0x0000000000200000 ('SW0'):
//	0x0001 003 # Channel Adapter portguid 0x0000000000100001: 'H0'
//	8 lids dumped
//
// The second is read by ibdmchk -f (opensm.fdbs, ibdiagnet's .fdbs):
//
//	dump_ucast_routes: Switch 0x0000000000200000
//	LID    : Port : Hops : Optimal
//	0x0001 : 003  : 01   : yes
//	0x0078 : UNREACHABLE
//
// Truncated files are detected. In the first format a block ends with a count (except in the
// shortest form that OpenSM loads, "Unicast lids guid 0x..."). In the second all blocks have equal
// length. In both, each switch needs a block.

// reader is the state of the reader of a table.
type reader struct {
	src      *textfile.File
	ix       *infiniband.Index
	table    *model.Table
	seen     []bool // by switch: whether it has a block
	at       model.SwitchID
	guid     uint64
	count    int            // number of entries of the current block so far
	counted  bool           // whether the current block must end with a count
	lastLID  int            // last LID of the current block (.fdbs)
	topLID   int            // last LID of the first block (.fdbs), or 0 if not known yet
	headTop  int            // largest LID in the head of the current block, or 0
	hasTop   bool           // whether the current block has an entry for headTop
	dropped  map[uint16]int // by LID: number of switches for which dump_fts dropped the LID
	owners   []uint64       // by LID: the port GUID that the file states, or 0
	strays   map[uint16]*stray
	byGUID   map[uint64]model.HostID // endpoints by port GUID, as stated by the topology
	found    *format.Findings
	isStrict bool // whether tables that seem to be from another fabric are an error
}

// Read reads the forwarding tables of network n, one for every switch. Entries for LIDs that
// no port of n has are left out; Options.Findings lists these LIDs. Entries may name ports without
// a cable, which drop packets. If the network does not state the LMC of its hosts, the tables
// determine it, and the network of the result has this LMC. Read fails if the tables are from
// another fabric or from another state of this fabric. Cost: O(entries); four bytes an entry.
func Read(path string, n *model.Network, o format.Options) (*model.Table, []string, error) {
	src, err := textfile.Open(path, o.Sums)
	if err != nil {
		return nil, nil, err
	}
	defer src.Close()
	return ReadFrom(src, n, o)
}

// newReader prepares to read the tables of n. It fails if no port of n has a LID.
func newReader(src *textfile.File, n *model.Network, o format.Options) (*reader, error) {
	ix := infiniband.NewIndex(n)
	if len(ix.Dests) == 0 {
		head, _ := src.Reader.Peek(4096)
		if !bytes.Contains(head, []byte("Unicast lids")) && !bytes.Contains(head, []byte("Switch 0x")) {
			return nil, src.FileError("neither forwarding tables nor a turn set")
		}
		return nil, src.FileError("no port of the network has a LID, so there is nothing to route to")
	}
	if cells := len(ix.Dests) * n.NumSwitches(); cells > infiniband.MaxCells {
		return nil, src.FileError("tables of %d switches for %d LIDs are %d cells, allowed are %d", n.NumSwitches(), len(ix.Dests), cells, infiniband.MaxCells)
	}
	return &reader{
		src: src, ix: ix, table: model.NewTable(n, ix.Dests), seen: make([]bool, n.NumSwitches()), at: model.NoSwitch,
		dropped: map[uint16]int{}, owners: make([]uint64, 1<<16), strays: map[uint16]*stray{}, found: o.Found(), isStrict: o.Findings != nil,
	}, nil
}

func ReadFrom(src *textfile.File, n *model.Network, o format.Options) (*model.Table, []string, error) {
	r, err := newReader(src, n, o)
	if err != nil {
		return nil, nil, err
	}
	var parse func(line []byte) error
	err = src.Each(func(line []byte) (err error) {
		if parse == nil {
			if len(textfile.SkipBlanks(line)) == 0 || line[0] == '#' || isToolWarning(line) {
				return nil
			}
			if parse, err = r.form(line); err != nil {
				return err
			}
		}
		return parse(line)
	})
	if err != nil {
		return nil, nil, err
	}
	if err := r.endBlock(); err != nil {
		return nil, nil, err
	}
	notes, err := r.finish(o)
	if err != nil {
		return nil, nil, err
	}
	return r.table, notes, nil
}

// finish checks the tables after the last line. If the caller does not ask for findings, warnings
// become notes.
func (r *reader) finish(o format.Options) (notes []string, err error) {
	if err := r.missing(); err != nil {
		return nil, err
	}
	if err := r.judge(); err != nil {
		return nil, err
	}
	if o.Findings == nil {
		notes = r.found.Warnings
	}
	return notes, nil
}

// isToolWarning recognises the warning that dump_lfts of infiniband-diags 44 prints to standard
// output, which says that dump_fts replaces dump_lfts.
func isToolWarning(line []byte) bool { return bytes.HasPrefix(line, []byte("*** WARNING ***")) }

// form returns the function that reads lines of the file's format, which the first line decides.
func (r *reader) form(line []byte) (func([]byte) error, error) {
	low := bytes.ToLower(line)
	for _, word := range []string{"dump_ar", "ar_info", "ar_lft", "arlft", "adaptive", "plft", "port group", "portgroup", "rn_", "vl2vl"} {
		if bytes.Contains(low, []byte(word)) {
			return nil, r.src.Errorf("this is a dump of adaptive routing (%q): not supported, because packets may not follow the linear "+
				"forwarding tables; give ibdiagnet2.far, which ibdiagnet --routing writes, or the linear tables of a fabric without "+
				"adaptive routing (opensm-lfts.dump, dump_lfts, .fdbs)", word)
		}
	}
	switch {
	case bytes.HasPrefix(line, []byte("Unicast lids")):
		return r.dumpLine, nil
	case bytes.HasPrefix(line, []byte("Multicast mlids")):
		return nil, r.src.Errorf("this is a dump of multicast tables; unicast tables were expected")
	case bytes.Contains(line, []byte("Switch 0x")):
		return r.fdbsLine, nil
	}
	return nil, r.src.Errorf("%q is not the first line of a forwarding table: want \"Unicast lids ...\" (opensm-lfts.dump, dump_lfts, "+
		"ibroute) or \"dump_ucast_routes: Switch 0x...\" (.fdbs)", textfile.Clip(line))
}

// dumpLine reads a line of an LFT dump.
func (r *reader) dumpLine(line []byte) error {
	switch {
	case len(line) > 1 && line[0] == '0' && line[1] == 'x':
		return r.dumpEntry(line)
	case bytes.HasPrefix(line, []byte("Unicast lids")):
		return r.dumpHead(line)
	case bytes.HasSuffix(bytes.TrimRight(line, " \t"), []byte("lids dumped")):
		return r.dumpCount(line)
	case isToolWarning(line):
		return nil
	case bytes.HasPrefix(line, []byte("Multicast mlids")):
		return r.src.Errorf("multicast tables begin here; unicast tables were expected")
	}
	if b := textfile.SkipBlanks(line); len(b) == 0 || b[0] == '#' || bytes.HasPrefix(b, []byte("Lid")) || bytes.HasPrefix(b, []byte("Port")) {
		return nil // blank line, comment, or column heads of dump_lfts and ibroute
	}
	return r.src.Errorf("%q is no line of a forwarding table dump", textfile.Clip(line))
}

// dumpEntry reads an entry of a table.
func (r *reader) dumpEntry(line []byte) error {
	lid, rest, ok := textfile.Hex(line)
	if !ok || len(rest) == 0 || rest[0] != ' ' && rest[0] != '\t' {
		return r.src.Errorf("want 0x<LID> <port>, got %q", textfile.Clip(line))
	}
	port, rest, ok := textfile.Dec(textfile.SkipBlanks(rest))
	if !ok || len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' {
		return r.src.Errorf("want 0x<LID> <port>, got %q", textfile.Clip(line))
	}
	r.count++
	r.hasTop = r.hasTop || int(lid) == r.headTop
	if err := r.owner(lid, rest); err != nil {
		return err
	}
	return r.entry(lid, port)
}

// dumpHead reads the line that begins the table of a switch.
func (r *reader) dumpHead(line []byte) error {
	if err := r.endBlock(); err != nil {
		return err
	}
	i := bytes.Index(line, []byte(" guid 0x")) // the first one counts; a description, which comes later, may contain the words
	if i < 0 {
		return r.src.Errorf("no \" guid 0x...\" in %q", textfile.Clip(line))
	}
	guid, _, ok := textfile.Hex(line[i+len(" guid "):])
	if !ok {
		return r.src.Errorf("no GUID in %q", textfile.Clip(line))
	}
	if err := r.begin(guid); err != nil {
		return err
	}
	r.counted = bytes.HasPrefix(line, []byte("Unicast lids ["))
	r.headTop = topOf(line)
	return nil
}

// dumpCount compares the count that ends a table with its entries.
func (r *reader) dumpCount(line []byte) error {
	want, _, ok := textfile.Dec(line)
	if !ok || !r.counted {
		return r.src.Errorf("a closing count without its block: %q", textfile.Clip(line))
	}
	// The count of dump_lfts is its number of lines; that of OpenSM is the number of LIDs up
	// to the largest.
	valid := bytes.Contains(line, []byte("valid lids"))
	if r.count > want || valid && r.count < want {
		return r.src.Errorf("switch 0x%016x: %d entries counted, %d found: are lines missing?", r.guid, want, r.count)
	}
	r.counted = false
	if valid {
		r.noteDropped()
	}
	return nil
}

// fdbsLine reads a line of a .fdbs file.
func (r *reader) fdbsLine(line []byte) error {
	if len(line) < 2 || line[0] != '0' || line[1] != 'x' {
		return r.fdbsHead(line)
	}
	lid, rest, ok := textfile.Hex(line)
	rest = textfile.SkipBlanks(rest)
	if !ok || len(rest) == 0 || rest[0] != ':' {
		return r.src.Errorf("want 0x<LID> : <port> : ..., got %q", textfile.Clip(line))
	}
	if r.at == model.NoSwitch {
		return r.src.Errorf("an entry before the switch that it belongs to: is the beginning missing?")
	}
	if int(lid) != r.lastLID+1 && r.lastLID != 0 {
		return r.src.Errorf("switch 0x%016x: LID 0x%04x follows 0x%04x: are lines missing?", r.guid, lid, r.lastLID)
	}
	r.lastLID = int(lid & 0xffff)
	rest = textfile.SkipBlanks(rest[1:])
	if bytes.HasPrefix(rest, []byte("UNREACHABLE")) {
		return r.checkLID(lid)
	}
	port, rest, ok := textfile.Dec(rest)
	if !ok || len(textfile.SkipBlanks(rest)) == 0 || textfile.SkipBlanks(rest)[0] != ':' {
		return r.src.Errorf("want 0x<LID> : <port> : ..., got %q", textfile.Clip(line))
	}
	return r.entry(lid, port)
}

// fdbsHead reads the lines between entries.
func (r *reader) fdbsHead(line []byte) error {
	if i := bytes.Index(line, []byte("Switch 0x")); i >= 0 {
		if err := r.endBlock(); err != nil {
			return err
		}
		guid, _, ok := textfile.Hex(line[i+len("Switch "):])
		if !ok {
			return r.src.Errorf("no GUID in %q", textfile.Clip(line))
		}
		return r.begin(guid)
	}
	if b := textfile.SkipBlanks(line); len(b) == 0 || b[0] == '#' || bytes.HasPrefix(b, []byte("LID")) {
		return nil
	}
	return r.src.Errorf("%q is no line of an fdbs file", textfile.Clip(line))
}

// begin starts the block of a switch.
func (r *reader) begin(guid uint64) error {
	u, ok := r.ix.Switches[guid]
	if !ok {
		return r.src.Errorf("switch 0x%016x is not in %s: do the files belong together?", guid, r.found.Topology())
	}
	if r.seen[u] {
		return r.src.Errorf("switch 0x%016x has two tables", guid)
	}
	r.seen[u], r.at, r.guid, r.count, r.lastLID, r.headTop, r.hasTop = true, u, guid, 0, 0, 0, false
	return nil
}

// endBlock checks that the current block is complete.
func (r *reader) endBlock() error {
	if r.counted {
		return r.src.Errorf("the table of switch 0x%016x ends without \"... lids dumped\": is the file truncated?", r.guid)
	}
	if r.lastLID != 0 {
		if r.topLID == 0 {
			r.topLID = r.lastLID
		}
		if r.lastLID != r.topLID {
			return r.src.Errorf("the table of switch 0x%016x ends at LID 0x%04x, others at 0x%04x: is the file truncated?", r.guid, r.lastLID, r.topLID)
		}
	}
	return nil
}

func (r *reader) checkLID(lid uint64) error {
	if lid > format.MaxUnicastLID {
		return r.src.Errorf("LID 0x%x, allowed are unicast LIDs up to 0x%x", lid, format.MaxUnicastLID)
	}
	return nil
}

// entry records that the current switch forwards lid by port.
func (r *reader) entry(lid uint64, port int) error {
	if r.at == model.NoSwitch {
		return r.src.Errorf("an entry before the switch that it belongs to: is the beginning missing?")
	}
	if lid > format.MaxUnicastLID {
		return r.checkLID(lid)
	}
	if port == 255 || lid == 0 {
		return nil // port 255 means no route; LID 0 is reserved
	}
	d := r.ix.ByLID[lid]
	if d < 0 {
		return r.strayEntry(uint16(lid), port)
	}
	if ports := r.ix.Net.Switch(r.at).Ports; port > ports && ports > 0 {
		return r.src.Errorf("LID 0x%04x: port %d of switch %s, which has ports 0 to %d in %s: do the files belong together?", lid, port,
			r.ix.Net.SwitchName(r.at), ports, r.found.Topology())
	}
	dest := model.DestID(d)
	if old, ok := r.table.Port(r.at, dest); ok && int(old) != port {
		return r.src.Errorf("switch %s: LID 0x%04x goes to port %d here and to port %d before", r.ix.Net.SwitchName(r.at), lid, port, old)
	}
	r.table.SetPort(r.at, dest, model.Port(port))
	return nil
}

// missing fails if a switch has no table.
func (r *reader) missing() error {
	var lost textfile.NameList
	for u, ok := range r.seen {
		if !ok {
			lost.Add("%s", r.ix.Net.SwitchName(model.SwitchID(u)))
		}
	}
	switch lost.Total {
	case 0:
		return nil
	case len(r.seen):
		return r.src.FileError("no forwarding table in it")
	}
	return r.src.FileError("no table for switch %s of %s: is the file truncated, or do the files not belong together?", lost, r.found.Topology())
}

func init() {
	format.RegisterRouting(format.RoutingFormat{Rank: 70, Is: func([]byte) bool { return true }, // its errors say what is wrong
		Read: func(src *textfile.File, n *model.Network, o format.Options) (r format.Routing, notes []string, err error) {
			r.Table, notes, err = ReadFrom(src, n, o)
			return r, notes, err
		}})
	format.RegisterLookalike("forwarding tables, which go behind --routing", func(head []byte) bool {
		return bytes.Contains(head, []byte("Unicast lids")) || bytes.Contains(head, []byte("dump_ucast_routes"))
	})
}
