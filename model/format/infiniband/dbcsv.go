package infiniband

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads and writes the topology in ibdiagnet2.db_csv (ibdiagnet of ibutils2). The file has tables with a line of columns each:
//
//	START_NODES
//	NodeDesc,NumPorts,NodeType,...,NodeGUID,PortGUID,...
//	"s0",36,2,...,0x0000000000200000,0x0000000000200000,...
//	END_NODES
//
// Read are NODES (type 1: adapter, 2: switch, 3: router), PORTS (LID and LMC; port 0 of a switch), and LINKS, which has each cable once.
// Columns are found by their names. All other tables are passed over.

// dbColumns are the columns that are read, by table.
var dbColumns = map[string][]string{
	"NODES": {"NodeDesc", "NumPorts", "NodeType", "NodeGUID"},
	"PORTS": {"NodeGuid", "PortGuid", "PortNum", "LID", "LMC"},
	"LINKS": {"NodeGuid1", "PortNum1", "NodeGuid2", "PortNum2"},
}

// dbReader is the state of the reader.
type dbReader struct {
	*fabric
	table string // the current one, or ""
	place []int  // by column that is read: its place in the line, or nil before the line of columns
	count int    // columns of the table
	seen  map[string]bool
}

// IsDBCSV recognises ibdiagnet2.db_csv by its first kilobytes.
func IsDBCSV(head []byte) bool { return textfile.HasLine(head, "START_NODES") }

func readDBCSV(src *textfile.File, o format.Options) (*model.Network, []string, error) {
	r := &dbReader{fabric: newFabric(src, o), seen: map[string]bool{}}
	if err := src.Each(func(line []byte) error { return r.line(strings.TrimRight(string(line), "\r")) }); err != nil {
		return nil, nil, err
	}
	if r.table != "" {
		return nil, nil, src.FileError("the table %s has no end: is the file truncated?", r.table)
	}
	for _, name := range []string{"NODES", "PORTS", "LINKS"} {
		if !r.seen[name] {
			return nil, nil, src.FileError("no table %s: is the file truncated?", name)
		}
	}
	r.noteLoose()
	return r.network()
}

// noteLoose warns of adapters with a LID and no cable, which are left out.
func (r *dbReader) noteLoose() {
	var list textfile.NameList
	for _, n := range r.sorted() {
		hasLID := false
		for _, a := range n.addr {
			hasLID = hasLID || a.lid != 0
		}
		if n.kind == hostNode && hasLID && len(r.portsOf(n)) == 0 {
			list.Add("%s", n.name)
		}
	}
	if list.Total > 0 {
		r.found.Warnf("%s: adapters with a LID and no cable in LINKS: left out, and not called connected: %s", textfile.Base(r.src.Name), list)
	}
}

// line reads a line.
func (r *dbReader) line(line string) error {
	if name, ok := strings.CutPrefix(line, "START_"); ok && r.table == "" {
		if dbColumns[name] != nil && r.seen[name] {
			return r.src.Errorf("a second table %s", name)
		}
		r.table, r.place, r.seen[name] = name, nil, true
		return nil
	}
	switch {
	case r.table == "" && IsLineOfDump([]byte(line)):
		return r.src.Errorf("a row outside of all tables: %q; one file has one kind of dump", textfile.Clip(line))
	case r.table == "" || line == "":
		return nil
	case line == "END_"+r.table:
		if dbColumns[r.table] != nil && r.place == nil {
			return r.src.Errorf("the table %s has no line of columns", r.table)
		}
		r.table = ""
		return nil
	case dbColumns[r.table] == nil:
		return nil
	}
	c := csv.NewReader(strings.NewReader(line))
	c.LazyQuotes = true
	fields, err := c.Read()
	if err != nil {
		return r.src.Errorf("%q is no line of comma-separated values", textfile.Clip(line))
	}
	if r.place == nil {
		return r.columns(fields)
	}
	if len(fields) != r.count {
		return r.src.Errorf("%d values, want %d, as in the line of columns", len(fields), r.count)
	}
	row := make([]string, len(r.place))
	for i, k := range r.place {
		row[i] = strings.TrimSpace(fields[k])
	}
	switch r.table {
	case "NODES":
		return r.dbNode(row)
	case "PORTS":
		return r.dbPort(row)
	}
	return r.dbLink(row)
}

// columns finds the columns that are read.
func (r *dbReader) columns(fields []string) error {
	r.count = len(fields)
	for _, want := range dbColumns[r.table] {
		i := slices.IndexFunc(fields, func(f string) bool { return strings.EqualFold(strings.TrimSpace(f), want) })
		if i < 0 {
			return r.src.Errorf("the table %s has no column %s", r.table, want)
		}
		r.place = append(r.place, i)
	}
	return nil
}

// numbers reads numbers, hexadecimal with 0x.
func (r *dbReader) numbers(words []string, most uint64) ([]uint64, error) {
	var list []uint64
	for _, word := range words {
		v, err := strconv.ParseUint(word, 0, 64)
		if err != nil || v > most {
			return nil, r.src.Errorf("%q is no number, or too large", textfile.Clip(word))
		}
		list = append(list, v)
	}
	return list, nil
}

// dbNode reads a row of NODES.
func (r *dbReader) dbNode(row []string) error {
	v, err := r.numbers(row[1:], 1<<64-1)
	if err != nil {
		return err
	}
	kind := map[uint64]nodeKind{1: hostNode, 2: switchNode, 3: routerNode}[v[1]]
	switch {
	case kind == 0:
		return r.src.Errorf("node type %d; want 1 (adapter), 2 (switch) or 3 (router)", v[1])
	case v[0] < 1 || v[0] > 254:
		return r.src.Errorf("node 0x%016x has %d ports, allowed are 1 to 254", v[2], v[0])
	}
	n, err := r.node(kind, v[2])
	if err != nil {
		return err
	}
	if n.line != 0 {
		return r.src.Errorf("node 0x%016x is described twice (first in line %d)", v[2], n.line)
	}
	n.line, n.ports, n.name = r.src.Line, int(v[0]), cleanName(row[0])
	return nil
}

// dbPort reads a row of PORTS. Only port 0 of a switch has an address.
func (r *dbReader) dbPort(row []string) error {
	guids, err := r.numbers(row[:2], 1<<64-1)
	if err != nil {
		return err
	}
	v, err := r.numbers(row[2:], 1<<16-1)
	if err != nil {
		return err
	}
	n := r.nodes[guids[0]]
	if n == nil {
		return r.src.Errorf("a port of node 0x%016x, which NODES does not have", guids[0])
	}
	port := int(v[0])
	if port > n.ports || port == 0 && n.kind != switchNode {
		return r.src.Errorf("port %d of %s, which has ports 1 to %d", port, n.name, n.ports)
	}
	if n.kind == switchNode && port > 0 {
		return nil
	}
	a, err := r.address(int(v[1]), int(v[2]))
	if err != nil {
		return err
	}
	if n.kind == switchNode {
		n.port0 = a
		return nil
	}
	if old, ok := n.addr[port]; ok && (old != a || n.port[port] != guids[1]) {
		return r.src.Errorf("port %d of %s has two addresses or GUIDs", port, n.name)
	}
	n.addr[port], n.port[port] = a, guids[1]
	return nil
}

// dbLink reads a row of LINKS.
func (r *dbReader) dbLink(row []string) error {
	v, err := r.numbers(row, 1<<64-1)
	if err != nil {
		return err
	}
	if v[1] > 254 || v[3] > 254 {
		return r.src.Errorf("port %d, allowed are 1 to 254", max(v[1], v[3]))
	}
	a, b := plug{v[0], int(v[1])}, plug{v[2], int(v[3])}
	for _, end := range []plug{a, b} {
		if r.nodes[end.guid] == nil {
			return r.src.Errorf("a cable of node 0x%016x, which NODES does not have", end.guid)
		}
	}
	if err := r.join(a, b); err != nil || a == b {
		return err
	}
	return r.join(b, a)
}

// writeDBCSV writes the network with the columns that turnproof reads.
func writeDBCSV(w io.Writer, n *model.Network) error {
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	nodes := adapters(n)
	name := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
	p("START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,PortGUID\n")
	for u := range model.SwitchID(n.NumSwitches()) {
		p("%s,%d,2,0x%016x,0x%016x\n", name(n.Switch(u).Name), switchPorts(n, u), SwitchGUID(n, u), SwitchGUID(n, u))
	}
	for _, node := range nodes {
		p("%s,%d,1,0x%016x,0x%016x\n", name(n.Host(node[0]).Name), adapterPorts(n, node), NodeGUID(n, node[0]), PortGUIDOf(n, node[0]))
	}
	p("END_NODES\n\nSTART_PORTS\nNodeGuid,PortGuid,PortNum,LID,LMC\n")
	for u := range model.SwitchID(n.NumSwitches()) {
		p("0x%016x,0x%016x,0,%d,%d\n", SwitchGUID(n, u), SwitchGUID(n, u), n.Switch(u).LID, n.Switch(u).LMC)
	}
	for _, node := range nodes {
		for _, h := range node {
			p("0x%016x,0x%016x,%d,%d,%d\n", NodeGUID(n, h), PortGUIDOf(n, h), nodePort(n.Host(h)), n.Host(h).LID, n.Host(h).LMC)
		}
	}
	p("END_PORTS\n\nSTART_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n")
	for l := range model.LinkID(n.NumLinks()) {
		x := n.Link(l)
		p("0x%016x,%d,0x%016x,%d\n", SwitchGUID(n, x.A), x.APort, SwitchGUID(n, x.B), x.BPort)
	}
	for _, node := range nodes {
		for _, h := range node {
			p("0x%016x,%d,0x%016x,%d\n", SwitchGUID(n, n.Host(h).Switch), n.Host(h).Port, NodeGUID(n, h), nodePort(n.Host(h)))
		}
	}
	_, err := fmt.Fprintln(w, "END_LINKS")
	return err
}

func init() {
	format.RegisterNetwork(format.NetworkFormat{Name: "db_csv", About: "the nodes, ports and links in ibdiagnet2.db_csv", Rank: 25, KeepsGUIDs: true,
		Is: IsDBCSV, Read: readDBCSV, Write: writeDBCSV})
}
