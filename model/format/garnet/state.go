package garnet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file states what config.json says about the routers of Garnet besides their routes.
//
// Source: gem5, src/mem/ruby/network/Network.cc (m_data_msg_size) and garnet/NetworkInterface.cc (flitisizeMessage): a message with data has
// data_msg_size + control_msg_size bytes, and a flit ni_flit_size. garnet/OutputUnit.cc: a VC is given to a packet when it is idle.

// readRun reads the sizes. Older files lack some keys; then the sizes are unknown.
func (g *network) readRun(o *object, found map[string][]*object) error {
	value := map[string]int{}
	for _, key := range []string{"vcs_per_vnet", "buffers_per_data_vc", "buffers_per_ctrl_vc", "ni_flit_size", "data_msg_size", "control_msg_size"} {
		if _, stated := o.param[key]; !stated {
			continue
		}
		k, err := o.number(key, 1, 1<<20)
		if err != nil {
			return err
		}
		value[key] = k
	}
	more, isNarrow, err := hardware(found, value["ni_flit_size"])
	if err != nil {
		return err
	}
	g.run = &format.RoutedRun{Routers: "the routers of Garnet", Atomic: true, Lengths: true}
	g.run.Source = textfile.Base(g.src.Name) + ": buffers_per_data_vc, data_msg_size, control_msg_size, ni_flit_size"
	if flit, data, control := value["ni_flit_size"], value["data_msg_size"], value["control_msg_size"]; flit > 0 && data > 0 &&
		value["buffers_per_data_vc"] > 0 && !isNarrow {
		g.run.Packet, g.run.Buffer = (data+control+flit-1)/flit, value["buffers_per_data_vc"]
		if short := (control + flit - 1) / flit; short > 0 && short < g.run.Packet {
			g.run.Ignored = append(g.run.Ignored, fmt.Sprintf("control_msg_size %d (%d flits)", control, short))
		}
	} else if flit > 0 {
		g.run.Ignored = append(g.run.Ignored, fmt.Sprintf("ni_flit_size %d", flit))
	}
	// Whether a virtual network has buffers for data depends on the protocol (VirtualNetwork in SLICC), which the file does not state.
	control, stated := value["buffers_per_ctrl_vc"]
	g.run.OtherBuffers = stated && control != g.run.Buffer
	if stated {
		g.run.Ignored = append(g.run.Ignored, fmt.Sprintf("buffers_per_ctrl_vc %d", control))
	}
	g.run.VCs = value["vcs_per_vnet"]
	g.run.Ignored = append(g.run.Ignored, more...)
	return nil
}

// hardware returns what routers and links state beside their routes and that no simulation takes: latencies of routers, clock domains, and VCs
// of routers. isNarrow reports whether some width differs from the flits of the interfaces, so that links divide flits.
func hardware(found map[string][]*object, flit int) (ignored []string, isNarrow bool, err error) {
	most := map[string]int{}
	for _, kind := range []string{"GarnetRouter", "GarnetIntLink", "GarnetExtLink"} {
		for _, o := range found[kind] {
			for _, key := range []string{"latency", "vcs_per_vnet", "width"} {
				if _, stated := o.param[key]; !stated {
					continue
				}
				k, err := o.number(key, 0, 1<<20)
				if err != nil {
					return nil, false, err
				}
				isNarrow = isNarrow || key == "width" && k != flit && k > 0
				most[key+" of "+kind] = max(most[key+" of "+kind], k)
			}
			for key, v := range o.param {
				if on, _ := v.(bool); on && (strings.HasSuffix(key, "_cdc") || strings.HasSuffix(key, "_serdes")) {
					most[key+" of "+kind] = 1
				}
			}
		}
	}
	for text, k := range most {
		switch key, _, _ := strings.Cut(text, " "); {
		case text == "latency of GarnetRouter" && k > 1:
			ignored = append(ignored, fmt.Sprintf("%s (up to %d)", text, k))
		case key == "width" && isNarrow, strings.HasSuffix(key, "_cdc"), strings.HasSuffix(key, "_serdes"):
			ignored = append(ignored, text)
		}
	}
	slices.Sort(ignored)
	return ignored, isNarrow, nil
}
