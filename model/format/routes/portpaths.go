package routes

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/rows"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/route"
)

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
		case "dropped", "no service level":
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
