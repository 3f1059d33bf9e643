package garnet

import (
	"fmt"

	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file states what config.json says about the routers of Garnet besides their routes.
//
// Source: gem5, src/mem/ruby/network/Network.cc (m_data_msg_size) and garnet/NetworkInterface.cc (flitisizeMessage): a message with data has
// data_msg_size + control_msg_size bytes, and a flit ni_flit_size. garnet/OutputUnit.cc: a VC is given to a packet when it is idle.

// readRun reads the sizes. Older files lack some keys; then the sizes are unknown.
func (g *network) readRun(o *object) error {
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
	g.run = &format.RoutedRun{Routers: "the routers of Garnet", Atomic: true, Lengths: true}
	g.run.Source = textfile.Base(g.src.Name) + ": buffers_per_data_vc, data_msg_size, control_msg_size, ni_flit_size"
	if flit, data := value["ni_flit_size"], value["data_msg_size"]; flit > 0 && data > 0 && value["buffers_per_data_vc"] > 0 {
		g.run.Packet, g.run.Buffer = (data+value["control_msg_size"]+flit-1)/flit, value["buffers_per_data_vc"]
	} else if flit > 0 {
		g.run.Ignored = append(g.run.Ignored, fmt.Sprintf("ni_flit_size %d", flit))
	}
	for _, key := range []string{"vcs_per_vnet", "buffers_per_ctrl_vc"} {
		if k, stated := value[key]; stated && k > 1 || stated && key == "buffers_per_ctrl_vc" {
			g.run.Ignored = append(g.run.Ignored, fmt.Sprintf("%s %d", key, k))
		}
	}
	return nil
}
