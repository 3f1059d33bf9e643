package levels

import (
	"bytes"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads SL-to-VL tables, in two formats. That of ibdmchk -d has eight bytes with four
// bits for each SL, the even SL in the high four bits:
//
//	0x<switch GUID> <in port> <out port> 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef
//
// OpenSM's dump has sixteen decimal VLs for SL 0 to 15:
//
//	Switch 0x0000000000200000, base LID 2, "S0_0"
//	#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15
//	3   1   : 2  3  2  3  2  3  2  3  6  7  6  7  6  7  6  7
//
// VL 15 drops the packet. Of the rows of adapters this alone counts, as a drop at the first switch: the VL on the cable of a host is in no cycle.

type slvlReader struct {
	src   *textfile.File
	ix    *infiniband.Index
	m     *model.VCMap
	at    model.SwitchID // current switch, or NoSwitch in the block of an adapter
	of    []model.HostID // the hosts of the current block, if it is of an adapter
	drops map[model.HostID]model.ClassSet
	any   bool
	first []int  // by switch: its first index in have
	have  []bool // by switch, input cable, output cable: whether the file has a row
}

// ReadSL2VL reads the SL-to-VL tables of network n. The file must have a row for each pair of
// switch-to-switch cables of a switch, and for each cable from a host with each switch-to-switch
// cable. If rows of packets that switches send themselves are missing, Options.Findings receives a
// doubt about management traffic. Missing rows are the identity.
func ReadSL2VL(path string, n *model.Network, o format.Options) (*model.VCMap, error) {
	r, err := textfile.Read(path, o.Sums, func(src *textfile.File) (*slvlReader, error) { return readSL2VL(src, n) })
	if err != nil {
		return nil, err
	}
	found := o.Found()
	var dropping textfile.NameList
	for h := range model.HostID(n.NumHosts()) {
		if r.drops[h]&^(1<<15) != 0 { // maps of all levels often drop SL 15, which no path has
			dropping.Add("%s", n.HostLabel(h))
		}
	}
	if dropping.Total > 0 {
		found.Warnf("%s: adapters drop packets of some service levels (VL 15), which is shown as a drop at their first switch: %s",
			textfile.Base(path), dropping)
	}
	if own := r.missing(true); own.Total > 0 {
		found.Doubts = append(found.Doubts, model.Doubt{Premise: model.PremiseSL2VL, Managed: model.HostManagement,
			Reason: fmt.Sprintf("%s has no row for packets that switches send from port 0: %s", textfile.Base(path), own),
			Next:   "the opensm-sl2vl.dump that OpenSM writes with -Q -D 0x43"})
	}
	return r.m, nil
}

func readSL2VL(src *textfile.File, n *model.Network) (*slvlReader, error) {
	r := &slvlReader{src: src, ix: infiniband.NewIndex(n), m: model.NewVCMap(n), at: model.NoSwitch, first: make([]int, n.NumSwitches()+1),
		drops: map[model.HostID]model.ClassSet{}}
	for u := range model.SwitchID(n.NumSwitches()) {
		r.first[u+1] = r.first[u] + len(n.Out(u))*len(n.Out(u))
	}
	r.have = make([]bool, r.first[n.NumSwitches()])
	if err := src.Each(r.line); err != nil {
		return nil, err
	}
	if lost := r.missing(false); lost.Total > 0 {
		return nil, src.FileError("no row for switch %s: is the file truncated?", lost)
	}
	r.dropAtFirst()
	return r, nil
}

// dropAtFirst makes the first switch drop what the adapters of hosts drop.
func (r *slvlReader) dropAtFirst() {
	n := r.ix.Net
	for h, set := range r.drops {
		u := n.Host(h).Switch
		i := n.OutIndex(n.EjectChannel(h))
		for j := range n.Out(u) {
			for k := range model.Class(model.MaxClasses) {
				if set>>k&1 != 0 {
					r.m.Set(n, u, i, j, k, model.DropVC)
				}
			}
		}
	}
}

func (r *slvlReader) line(line []byte) error {
	b := textfile.SkipBlanks(line)
	switch {
	case len(b) == 0 || b[0] == '#':
		return nil
	case bytes.HasPrefix(b, []byte("Channel Adapter 0x")), bytes.HasPrefix(b, []byte("Router 0x")):
		_, name, _ := bytes.Cut(b, []byte(" 0x"))
		guid, _, _ := textfile.Hex(append([]byte("0x"), name...))
		r.at, r.any, r.of = model.NoSwitch, true, r.hostsOf(guid)
		return nil
	case bytes.HasPrefix(b, []byte("Switch 0x")):
		guid, _, ok := textfile.Hex(b[len("Switch "):])
		if !ok {
			return r.src.Errorf("no GUID in %q", textfile.Clip(b))
		}
		var err error
		r.at, err = r.ix.SwitchAt(r.src, guid)
		r.any = true
		return err
	case len(b) > 1 && b[0] == '0' && b[1] == 'x':
		return r.hexLine(b)
	case !r.any:
		return r.src.Errorf("a row before the switch that it belongs to: is the beginning missing?")
	}
	return r.dumpLine(b)
}

// ports reads the two port numbers of a row.
func (r *slvlReader) ports(b []byte) (in, out int, rest []byte, err error) {
	in, rest, ok := textfile.Dec(textfile.SkipBlanks(b))
	out, rest, ok2 := textfile.Dec(textfile.SkipBlanks(rest))
	if !ok || !ok2 {
		return 0, 0, nil, r.src.Errorf("want <in port> <out port> and the VLs, got %q", textfile.Clip(b))
	}
	return in, out, textfile.SkipBlanks(rest), nil
}

// hostsOf returns the hosts with the GUID of a port or an adapter.
func (r *slvlReader) hostsOf(guid uint64) []model.HostID {
	if h, ok := r.ix.Ports[guid]; ok {
		return []model.HostID{h}
	}
	return r.ix.Nodes[guid]
}

func (r *slvlReader) hexLine(b []byte) error {
	guid, rest, _ := textfile.Hex(b)
	u, err := r.ix.SwitchAt(r.src, guid)
	if err != nil {
		if u, r.of = model.NoSwitch, r.hostsOf(guid); len(r.of) == 0 {
			return err
		}
	}
	in, out, rest, err := r.ports(rest)
	if err != nil {
		return err
	}
	var vls [model.MaxClasses]int
	for i := 0; i < len(vls); i += 2 {
		x, more, ok := textfile.Hex(rest)
		if !ok || x > 0xff {
			return r.src.Errorf("want 8 bytes such as 0x01, got %q", textfile.Clip(rest))
		}
		vls[i], vls[i+1], rest = int(x>>4), int(x&0xf), textfile.SkipBlanks(more)
	}
	return r.store(u, in, out, vls, rest)
}

func (r *slvlReader) dumpLine(b []byte) error {
	in, out, rest, err := r.ports(b)
	if err != nil {
		return err
	}
	if len(rest) == 0 || rest[0] != ':' {
		return r.src.Errorf("want <in port> <out port> : <16 VLs>, got %q", textfile.Clip(b))
	}
	rest = textfile.SkipBlanks(rest[1:])
	var vls [model.MaxClasses]int
	for i := range vls {
		vl, more, ok := textfile.Dec(rest)
		if !ok || vl > 15 {
			return r.src.Errorf("want 16 VLs from 0 to 15, got %q", textfile.Clip(rest))
		}
		vls[i], rest = vl, textfile.SkipBlanks(more)
	}
	return r.store(r.at, in, out, vls, rest)
}

func (r *slvlReader) store(u model.SwitchID, in, out int, vls [model.MaxClasses]int, rest []byte) error {
	n := r.ix.Net
	if len(rest) > 0 {
		return r.src.Errorf("%q follows the VLs", textfile.Clip(rest))
	}
	if u == model.NoSwitch { // a row of an adapter
		for _, h := range r.of {
			if p := n.Host(h).NodePort; out != 0 && p != 0 && p != out {
				continue // the row is of another port of the adapter
			}
			for k, vl := range vls {
				if vl == model.DropVC {
					r.drops[h] |= 1 << k
				}
			}
		}
		return nil
	}
	if ports := n.Switch(u).Ports; ports > 0 && (in > ports || out > ports) {
		return r.src.Errorf("ports %d and %d of switch %s, which has ports 0 to %d", in, out, n.SwitchName(u), ports)
	}
	a, b := n.OutAt(u, model.Port(in)), n.OutAt(u, model.Port(out))
	if a == model.NoChannel || b == model.NoChannel {
		return nil // a port without a cable
	}
	i, j := n.OutIndex(a), n.OutIndex(b)
	if *r.row(u, i, j) {
		return r.src.Errorf("switch %s: two rows for ports %d and %d", n.SwitchName(u), in, out)
	}
	*r.row(u, i, j) = true
	for k, vl := range vls {
		r.m.Set(n, u, i, j, model.Class(k), vl)
	}
	return nil
}

// row returns where have records the row for input cable i and output cable j of switch u.
func (r *slvlReader) row(u model.SwitchID, i, j int) *bool {
	return &r.have[r.first[u]+i*len(r.ix.Net.Out(u))+j]
}

// missing lists the missing rows that decide a VL between switches: of packets that switches send
// from port 0 if isOwn is true, else of other packets.
func (r *slvlReader) missing(isOwn bool) (list textfile.NameList) {
	n := r.ix.Net
	for u := range model.SwitchID(n.NumSwitches()) {
		for i, a := range n.Out(u) {
			if h := n.HostOf(a); (h != model.NoHost && n.Host(h).Management) != isOwn {
				continue
			}
			for j, b := range n.Out(u) {
				if i != j && n.Kind(b) == model.SwitchToSwitch && !*r.row(u, i, j) {
					list.Add("%s in %d out %d", n.SwitchName(u), n.TailPort(a), n.TailPort(b))
				}
			}
		}
	}
	return list
}

// WriteSL2VL writes the SL-to-VL map of table t in the format of OpenSM's dump.
func WriteSL2VL(w io.Writer, t *model.Table) error {
	return WriteSL2VLSwitches(w, t, t.Network().NumSwitches())
}

// WriteSL2VLSwitches is WriteSL2VL for the first switches only.
func WriteSL2VLSwitches(w io.Writer, t *model.Table, switches int) error {
	n := t.Network()
	for u := range model.SwitchID(switches) {
		s := n.Switch(u)
		fmt.Fprintf(w, "Switch 0x%016x, base LID %d, \"%s\"\n", infiniband.SwitchGUID(n, u), s.LID, s.Name)
		fmt.Fprintln(w, "#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15")
		fmt.Fprintln(w, "#--------------------------------------------------------")
		for _, b := range n.Out(u) {
			if n.TailPort(b) == 0 {
				continue
			}
			for _, a := range n.Out(u) {
				fmt.Fprintf(w, "%-3d %-3d : ", n.TailPort(a), n.TailPort(b))
				for k := range model.Class(model.MaxClasses) {
					fmt.Fprintf(w, "%-2d ", t.HopVC(n.Reverse(a), b, k))
				}
				fmt.Fprintln(w)
			}
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return nil
}
