package garnet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file lists the parameters of Garnet's objects with their effect. Parameters that are not listed are named in a warning.
//
// Source: gem5, src/mem/ruby/network: Network.py, BasicLink.py, BasicRouter.py, garnet/GarnetNetwork.py, garnet/GarnetLink.py;
// src/sim/ClockedObject.py, src/python/m5/SimObject.py.

// commonKeys are parameters of all objects, and those by which objects refer to each other.
const commonKeys = `type cxx_class name path eventq_index clk_domain power_model power_state default_p_state p_state_clk_gate_bins
	p_state_clk_gate_max p_state_clk_gate_min`

// readKeys are the parameters that verdicts or simulations take, or that a warning of sim names.
var readKeys = map[string]string{
	"GarnetNetwork": `routing_algorithm number_of_virtual_networks num_rows vcs_per_vnet buffers_per_data_vc buffers_per_ctrl_vc ni_flit_size
		data_msg_size control_msg_size`,
	"GarnetRouter":  `router_id vcs_per_vnet width latency`,
	"GarnetIntLink": `src_node dst_node weight src_outport supported_vnets latency width src_cdc dst_cdc src_serdes dst_serdes`,
	"GarnetExtLink": `ext_node int_node weight supported_vnets latency width ext_cdc int_cdc ext_serdes int_serdes`,
}

// idleKeys are the parameters without effect on paths, buffers and times of Garnet.
var idleKeys = map[string]string{
	"GarnetNetwork": `topology routers netifs ext_links int_links ruby_system enable_fault_model fault_model garnet_deadlock_threshold
		in_port out_port slave master`,
	"GarnetRouter": `virt_nets`,
	"GarnetIntLink": `link_id bandwidth_factor dst_inport network_link credit_link src_net_bridge dst_net_bridge src_cred_bridge
		dst_cred_bridge`,
	"GarnetExtLink": `link_id bandwidth_factor network_links credit_links ext_net_bridge int_net_bridge ext_cred_bridge int_cred_bridge`,
}

// unknownKeys returns the parameters of objects that are not listed, with the type of their object.
func unknownKeys(found map[string][]*object) (list []string) {
	for kind, objects := range found {
		known := strings.Fields(commonKeys + " " + readKeys[kind] + " " + idleKeys[kind])
		for _, o := range objects {
			for _, key := range o.keys {
				if !slices.Contains(known, key) {
					known, list = append(known, key), append(list, fmt.Sprintf("%s of %s", textfile.Clip(key), kind))
				}
			}
		}
	}
	slices.Sort(list)
	return list
}
