package routes

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/rows"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/model/route"
)

// This file reads lists of paths by nodes. Rows have the columns source, destination, hop (0, 1, ...), node, and may have vc
// and weight; hop 0 begins a path. vc is that of the link to the node. JSON is an object of objects, as from NetworkX:
//
//	{"a": {"c": ["a", "b", "c"], "d": [["a", "d"], ["a", "b", "d"]]}}
//	{"a": {"c": [[2, ["a", "b", "c"]], [1, ["a", "c"]]]}}      with weights, as SST Merlin's routing_table
//
// A packet follows the path that its source draws. Nodes are switches; a path between switches is one between all their
// hosts. A path may begin and end at hosts instead. A link of parallel ones is the first, unless the column in_port names the port at
// which it enters the node.

// pathColumns are the columns of rows of paths.
func pathColumns() []string { return []string{"source", "destination", "hop", "node"} }

// pathList collects paths. While it is read, each channel has MaxVCs VCs.
type pathList struct {
	net   *model.Network
	names *names.Index
	list  []route.Path
	vcs   int
	first bool // a link of parallel ones is the first
}

func newPathList(n *model.Network) *pathList {
	return &pathList{net: n.WithVCs(model.MaxVCs), names: names.New(n), vcs: 1}
}

// add adds a path from one node to another. vcs has the VC of each link, or is nil. ports has the port by which each node is entered, or "", or
// is nil.
func (p *pathList) add(source, dest string, nodes []string, vcs []int, ports []string, weight uint32) error {
	from, err := p.names.HostsOf(source)
	if err != nil {
		return err
	}
	to, err := p.names.HostsOf(dest)
	if err != nil {
		return err
	}
	at, end := p.net.Host(from[0]).Switch, p.net.Host(to[0]).Switch
	if len(nodes) > 0 && nodes[0] != source || len(nodes) == 0 || nodes[len(nodes)-1] != dest {
		return fmt.Errorf("the path from %s to %s is %s", source, dest, textfile.Clip(strings.Join(nodes, " ")))
	}
	var links []model.VCID
	for i, word := range nodes {
		u, h, err := p.names.Node(word)
		switch {
		case err != nil:
			return err
		case h != model.NoHost && i > 0 && i < len(nodes)-1:
			return fmt.Errorf("the path from %s to %s passes host %s", source, dest, word)
		case h != model.NoHost:
			u = p.net.Host(h).Switch
			if u != at {
				return fmt.Errorf("no link from %s to host %s", p.net.SwitchName(at), word)
			}
			continue
		case u == at && (i == 0 || i == 1 && len(links) == 0 && p.isHost(nodes[0])):
			continue
		}
		port := ""
		if ports != nil {
			port = ports[i]
		}
		c := p.link(at, u, port)
		if c == model.NoChannel {
			if port != "" {
				port = ", port " + port
			}
			return fmt.Errorf("the path from %s to %s: no link from %s to %s%s", source, dest, p.net.SwitchName(at), word, textfile.Clip(port))
		}
		vc := 0
		if vcs != nil {
			vc = vcs[i]
		}
		p.vcs = max(p.vcs, vc+1)
		links, at = append(links, p.net.VC(c, vc)), u
	}
	if at != end {
		return fmt.Errorf("the path from %s ends at %s, not at %s", source, p.net.SwitchName(at), dest)
	}
	for _, a := range from {
		for _, b := range to {
			if a != b {
				p.list = append(p.list, route.Path{Source: a, Dest: b, VCs: links, Weight: weight})
			}
		}
	}
	return nil
}

func (p *pathList) isHost(word string) bool {
	_, h, err := p.names.Node(word)
	return err == nil && h != model.NoHost
}

// link returns the first channel between two switches, or NoChannel. If port is not empty, it is the name or number of the port at v.
func (p *pathList) link(u, v model.SwitchID, port string) model.ChannelID {
	first := model.NoChannel
	for _, c := range p.net.Out(u) {
		switch {
		case p.net.Kind(c) != model.SwitchToSwitch || p.net.Head(c) != v || p.net.Absent(c):
		case port != "":
			if at := p.net.HeadPort(c); port == p.net.PortName(v, at) || port == strconv.Itoa(int(at)) {
				return c
			}
		case first == model.NoChannel:
			first = c
		default:
			p.first = true
		}
	}
	return first
}

// relation makes the relation of the paths. hasVCs says that the input names VCs.
func (p *pathList) relation(src *textfile.File, n *model.Network, hasVCs bool) (model.Relation, []string, error) {
	if len(p.list) == 0 {
		return nil, nil, src.FileError("no path in it")
	}
	var notes []string
	if p.first {
		notes = append(notes, textfile.Base(src.Name)+": a path over parallel links takes the first of them")
	}
	switch {
	case hasVCs:
		n = n.WithVCs(max(p.vcs, n.VCs()))
	case n.VCs() > 1:
		notes = append(notes, textfile.Base(src.Name)+": no VCs in it: one VC per channel")
		n = n.WithVCs(1)
	}
	for i := range p.list {
		vcs := make([]model.VCID, len(p.list[i].VCs))
		for k, v := range p.list[i].VCs {
			c, vc := p.net.Channel(v)
			vcs[k] = n.VC(c, vc)
		}
		p.list[i].VCs = vcs
	}
	r, err := route.Paths(n, p.list)
	if err != nil {
		return nil, nil, src.FileError("%s", strings.TrimPrefix(err.Error(), "route: "))
	}
	return r, notes, nil
}

// weightOf reads the weight of a path.
func weightOf(text string) (uint32, error) {
	w, err := strconv.ParseFloat(text, 64)
	if err != nil || w < 1 || w > math.MaxUint32 || w != math.Trunc(w) {
		return 0, fmt.Errorf("weight %q, want a whole number from 1 on", textfile.Clip(text))
	}
	return uint32(w), nil
}

// pathRows collects the rows of a path.
type pathRows struct {
	list         *pathList
	source, dest string
	nodes        []string
	vcs          []int
	ports        []string
	weight       uint32
	begun        int // its first line
}

// finish adds the path that has been collected.
func (p *pathRows) finish(r *rows.Table) error {
	if len(p.nodes) == 0 || p.source == p.dest {
		return nil
	}
	if err := p.list.add(p.source, p.dest, p.nodes, p.vcs, p.ports, p.weight); err != nil {
		return &textfile.Error{File: r.File.Name, Line: p.begun, Msg: err.Error(), Err: err}
	}
	return nil
}

// readPathRows reads rows of paths.
func readPathRows(r *rows.Table, n *model.Network) (model.Relation, []string, error) {
	for _, name := range r.Columns {
		switch name {
		case "source", "destination", "hop", "node", "vc", "in_port", "weight":
		default:
			return nil, nil, r.Errorf("unknown column %q; rows of paths have %s, and may have vc, in_port, weight", textfile.Clip(name),
				strings.Join(pathColumns(), ", "))
		}
	}
	source, dest, hop, node, vc, weight := r.Column("source"), r.Column("destination"), r.Column("hop"), r.Column("node"), r.Column("vc"), r.Column("weight")
	inPort := r.Column("in_port")
	p := &pathRows{list: newPathList(n)}
	err := r.Each(func(fields []string) error {
		k, err := strconv.Atoi(fields[hop])
		switch {
		case err != nil || k < 0:
			return r.Errorf("hop %q is no number", textfile.Clip(fields[hop]))
		case k == 0:
			if err := p.finish(r); err != nil {
				return err
			}
			p.source, p.dest, p.nodes, p.vcs, p.weight, p.begun = strings.Clone(fields[source]), strings.Clone(fields[dest]), p.nodes[:0], nil, 1, r.Line
			p.ports = nil
			if weight >= 0 {
				if p.weight, err = weightOf(fields[weight]); err != nil {
					return r.Errorf("%s", err)
				}
			}
		case len(p.nodes) == 0 || fields[source] != p.source || fields[dest] != p.dest || k != len(p.nodes):
			return r.Errorf("hop %d from %s to %s does not follow hop %d of the same path", k, textfile.Clip(fields[source]), textfile.Clip(fields[dest]), k-1)
		}
		p.nodes = append(p.nodes, strings.Clone(fields[node]))
		if inPort >= 0 {
			p.ports = append(p.ports, strings.TrimSpace(strings.Clone(fields[inPort])))
		}
		if vc < 0 {
			return nil
		}
		i := 0
		if fields[vc] != "" || k > 0 {
			if i, err = strconv.Atoi(fields[vc]); err != nil || i < 0 || i >= model.MaxVCs {
				return r.Errorf("vc is %q, want 0 to %d", textfile.Clip(fields[vc]), model.MaxVCs-1)
			}
		}
		p.vcs = append(p.vcs, i)
		return nil
	})
	if err == nil {
		err = p.finish(r)
	}
	if err != nil {
		return nil, nil, err
	}
	return p.list.relation(r.File, n, vc >= 0)
}

// This file reads paths by ports, as turnproof table --kind paths writes them. A path is SWITCH[PORT] SWITCH[PORT] ..., with the
// port by which the packet leaves each switch; vcs has the VC of each link.

// portPathColumns are the columns that are read. The others are left out.
func portPathColumns() []string { return []string{"source", "destination", "end", "path", "vcs"} }

// readPortPaths reads the paths of packets that are delivered. Pairs whose packets are not sent or dropped have no route.
func readPortPaths(r *rows.Table, n *model.Network) (model.Relation, []string, error) {
	p := newPathList(n)
	lost := 0
	source, dest, end, path, vcs := r.Column("source"), r.Column("destination"), r.Column("end"), r.Column("path"), r.Column("vcs")
	err := r.Each(func(fields []string) error {
		switch fields[end] {
		case "delivered":
		case "dropped", "no service level", "no path":
			lost++
			return nil
		default:
			return r.Errorf("a path whose end is %q cannot be read", textfile.Clip(fields[end]))
		}
		if err := p.addPorts(fields[source], fields[dest], fields[path], strings.Fields(fields[vcs])); err != nil {
			return r.Errorf("%s", err)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	rel, notes, err := p.relation(r.File, n, true)
	if lost > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d packets that are lost have no route", textfile.Base(r.File.Name), lost))
	}
	return rel, notes, err
}

// addPorts adds a path by ports.
func (p *pathList) addPorts(source, dest, path string, vcs []string) error {
	from, err := p.names.Host(source)
	if err != nil {
		return err
	}
	to, err := p.names.Host(dest)
	if err != nil {
		return err
	}
	n := p.net
	x := route.Path{Source: from, Dest: to}
	for at, rest := n.Host(from).Switch, path; rest != ""; {
		text, ok := strings.CutPrefix(rest, n.SwitchLabel(at)+"[")
		number, more, closed := strings.Cut(text, "]")
		port, err := strconv.Atoi(number)
		if !ok || !closed || err != nil || port < 0 || port > model.MaxPort {
			return fmt.Errorf("the path from %s to %s is %q at %s; want %s[PORT]", source, dest, textfile.Clip(rest), n.SwitchName(at), n.SwitchLabel(at))
		}
		rest = strings.TrimPrefix(more, " ")
		c := n.OutAt(at, model.Port(port))
		switch {
		case c == model.NoChannel:
			return fmt.Errorf("no cable at port %d of %s", port, n.SwitchName(at))
		case n.Kind(c) != model.SwitchToSwitch && (rest != "" || n.HostOf(c) != to):
			return fmt.Errorf("port %d of %s does not lead to %s", port, n.SwitchName(at), dest)
		case n.Kind(c) != model.SwitchToSwitch:
			if len(x.VCs) != len(vcs) {
				return fmt.Errorf("the path from %s to %s has %d links and %d VCs", source, dest, len(x.VCs), len(vcs))
			}
			p.list = append(p.list, x)
			return nil
		case len(x.VCs) >= len(vcs):
			return fmt.Errorf("the path from %s to %s has %d VCs for more links", source, dest, len(vcs))
		}
		vc, err := strconv.Atoi(vcs[len(x.VCs)])
		if err != nil || vc < 0 || vc >= model.MaxVCs {
			return fmt.Errorf("vcs: %q, want 0 to %d", textfile.Clip(vcs[len(x.VCs)]), model.MaxVCs-1)
		}
		p.vcs = max(p.vcs, vc+1)
		x.VCs, at = append(x.VCs, n.VC(c, vc)), n.Head(c)
	}
	return fmt.Errorf("the path from %s to %s ends before %s", source, dest, dest)
}
