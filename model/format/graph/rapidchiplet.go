package graph

import (
	"io"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/routes"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/format/wiring"
)

// This file reads and writes topologies of RapidChiplet (P. Iff et al., 2023; github.com/spcl/rapidchiplet).
//
// A topology is a list of links {"ep1": {"type": "chiplet", "outer_id": 0, "inner_id": 2}, "ep2": ...}. A chiplet is a switch with a host,
// c0, c1, ...; an interposer router (type irouter) is a switch without one, i0, i1, .... inner_id numbers the PHYs of a chiplet.

// isChiplets reports whether a file is a topology.
func isChiplets(head []byte) bool {
	text := strings.TrimSpace(string(head))
	return strings.HasPrefix(text, "[") && strings.Contains(text, `"ep1"`) && strings.Contains(text, `"outer_id"`)
}

// readChiplets reads a topology.
func readChiplets(src *textfile.File, o format.Options) (*model.Network, []string, error) {
	type end struct {
		Type  string `json:"type"`
		Outer int    `json:"outer_id"`
		Inner int    `json:"inner_id"`
	}
	var list []struct {
		Ep1   end     `json:"ep1"`
		Ep2   end     `json:"ep2"`
		Color string  `json:"color"`      // how the link is drawn
		Arc   float64 `json:"arc_factor"` // how the link is bent
	}
	if err := textfile.Decode(src, &list, "topology of RapidChiplet"); err != nil {
		return nil, nil, err
	}
	w := wiring.New(src)
	w.Strict = true
	w.Options = o
	for i, link := range list {
		var ends [2]int32
		for k, e := range []end{link.Ep1, link.Ep2} {
			name, err := routes.ChipletNode(e.Type, e.Outer)
			if err != nil {
				return nil, nil, src.FileError("link %d: %s", i+1, err)
			}
			ends[k] = w.Node(name, 0)
		}
		if err := w.Join(wiring.Cable{A: ends[0], B: ends[1], APort: wiring.NoPort, BPort: wiring.NoPort}, nil); err != nil {
			return nil, nil, err
		}
	}
	for i := range w.Nodes {
		w.HasHost = append(w.HasHost, w.Nodes[i].ID[0] == 'c')
	}
	n, err := w.Network()
	return n, w.Notes, err
}

// writeChiplets writes a topology. Switches with one host are chiplets, those without one interposer routers.
func writeChiplets(to io.Writer, n *model.Network) error {
	hosts := make([]int, n.NumSwitches())
	for h := range model.HostID(n.NumHosts()) {
		hosts[n.Host(h).Switch]++
	}
	kinds, ids, count := make([]string, len(hosts)), make([]int, len(hosts)), map[string]int{}
	for u, k := range hosts {
		switch k {
		case 0:
			kinds[u] = "irouter"
		case 1:
			kinds[u] = "chiplet"
		default:
			return format.Refuse("rapidchiplet", "has at most one host at a chiplet, and %s has %d", n.SwitchName(model.SwitchID(u)), k)
		}
		ids[u] = count[kinds[u]]
		count[kinds[u]]++
	}
	p := textfile.NewPrinter(to)
	p.Printf("[")
	separator := "\n"
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		p.Printf("%s  {\"ep1\": {\"type\": \"%s\", \"outer_id\": %d, \"inner_id\": %d}, \"ep2\": {\"type\": \"%s\", \"outer_id\": %d, \"inner_id\": %d}}",
			separator, kinds[k.A], ids[k.A], k.APort-1, kinds[k.B], ids[k.B], k.BPort-1)
		separator = ",\n"
	}
	p.Printf("\n]\n")
	return p.Flush()
}

func init() {
	format.RegisterNetwork(format.NetworkFormat{Name: "rapidchiplet", About: "a topology of RapidChiplet", Rank: 90, LosesNames: true,
		Is: isChiplets, Read: readChiplets, Write: writeChiplets})
}
