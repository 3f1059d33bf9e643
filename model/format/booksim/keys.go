package booksim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file lists BookSim's configuration keys, with the effect of each one.
//
// Source: booksim/booksim2, src/booksim_config.cpp (keys and defaults). That a key has no effect
// follows from the files that read it: router/iq_router.cpp, buffer_state.cpp, trafficmanager.cpp,
// networks/kncube.cpp and anynet.cpp.

// keyUse classifies keys by their effect.
type keyUse uint8

const (
	// useNetwork: the key selects the network or the routing. It is read.
	useNetwork keyUse = iota
	// useRun: the key sets packets, buffers, delays or traffic. It is read (Run).
	useRun
	// useFixed: the key changes dependencies between VCs. A value other than the default is an
	// error.
	useFixed
	// useModel: the key changes the behaviour of BookSim's simulation. A value other than the
	// default is not modelled, and a simulation gives a warning.
	useModel
	// useClock: the key sets how long BookSim measures.
	useClock
	// useNothing: the key affects neither verdicts nor measurements.
	useNothing
)

// configKey is a key of a configuration.
type configKey struct {
	name    string
	value   string // BookSim's default
	use     keyUse
	because string // for useFixed and useModel: the effect of another value
}

// configKeys are all keys of BookSim 2. The keys with useNothing are at the end of the file.
var configKeys = slices.Concat([]configKey{
	{name: "topology", value: "torus"},
	{name: "routing_function", value: "none"},
	{name: "network_file"},
	{name: "k", value: "8"},
	{name: "n", value: "2"},
	{name: "num_vcs", value: "16"},
	{name: "c", value: "1"},
	{name: "x", value: "8"},
	{name: "y", value: "8"},
	{name: "yr", value: "1"},

	{"packet_size", "1", useRun, ""},
	{"packet_size_rate", "1", useRun, ""},
	{"vc_buf_size", "8", useRun, ""},
	{"buf_size", "-1", useRun, ""},
	{"wait_for_tail_credit", "0", useRun, ""},
	{"vc_busy_when_full", "0", useRun, ""},
	{"routing_delay", "1", useRun, ""},
	{"vc_alloc_delay", "1", useRun, ""},
	{"sw_alloc_delay", "1", useRun, ""},
	{"st_prepare_delay", "0", useRun, ""},
	{"st_final_delay", "1", useRun, ""},
	{"credit_delay", "0", useRun, ""},
	{"use_noc_latency", "1", useRun, ""},
	{"classes", "1", useRun, ""},
	{"traffic", "uniform", useRun, ""},
	{"injection_rate", "0.1", useRun, ""},
	{"injection_rate_uses_flits", "0", useRun, ""},
	{"seed", "0", useRun, ""},

	{"link_failures", "0", useFixed, "its random faults depend on BookSim's random numbers"},
	{"use_read_write", "0", useRun, ""},
	{"write_fraction", "0.5", useRun, ""},
	{"read_request_begin_vc", "0", useRun, ""},
	{"read_request_end_vc", "5", useRun, ""},
	{"write_request_begin_vc", "2", useRun, ""},
	{"write_request_end_vc", "7", useRun, ""},
	{"read_reply_begin_vc", "8", useRun, ""},
	{"read_reply_end_vc", "13", useRun, ""},
	{"write_reply_begin_vc", "10", useRun, ""},
	{"write_reply_end_vc", "15", useRun, ""},
	{"read_request_size", "1", useRun, ""},
	{"write_request_size", "1", useRun, ""},
	{"read_reply_size", "1", useRun, ""},
	{"write_reply_size", "1", useRun, ""},
	{"subnets", "1", useFixed, "each packet then has a network of its own type"},
	{"noq", "0", useFixed, "a packet may then take only the VCs of its next output"},
	{"buffer_policy", "private", useFixed, "VCs then share slots, and a full VC stops others"},
	{"router", "iq", useFixed, "another router may hold other buffers"},

	{"internal_speedup", "1.0", useModel, "the router runs faster than its channels"},
	{"input_speedup", "1", useModel, "an input sends several flits in a clock"},
	{"output_speedup", "1", useModel, "an output takes several flits in a clock"},
	{"output_buffer_size", "-1", useModel, "a full output buffer stops the switch allocator"},
	{"speculative", "0", useModel, "VC and switch are allocated in one clock"},
	{"vc_prioritize_empty", "0", useModel, "the VC allocator prefers empty VCs"},
	{"vc_shuffle_requests", "0", useModel, "the VC allocator has another order"},
	{"vc_priority_donation", "0", useModel, "flits inherit priorities"},
	{"hold_switch_for_packet", "0", useModel, "a packet keeps the crossbar"},
	{"vc_allocator", "islip", useModel, "the simulator has islip"},
	{"sw_allocator", "islip", useModel, "the simulator has islip"},
	{"alloc_iters", "1", useModel, "the simulator has one iteration"},
	{"priority", "none", useModel, "packets have priorities"},
	{"class_priority", "0", useModel, "packets have priorities"},
	{"injection_process", "bernoulli", useModel, "packets are created in bursts"},
	{"xr", "1", useModel, "traffic patterns count routers in another order"},
	{"include_queuing", "1", useModel, "the time in the source queue does not count"},
	{"sim_type", "latency", useClock, ""},
	{"warmup_periods", "3", useClock, ""},
	{"sample_period", "1000", useClock, ""},
	{"max_samples", "10", useClock, ""},
	{"latency_thres", "500.0", useClock, ""},
	{"warmup_thres", "0.05", useClock, ""},
	{"acc_warmup_thres", "0.05", useClock, ""},
	{"stopping_thres", "0.05", useClock, ""},
	{"acc_stopping_thres", "0.05", useClock, ""},
	{"sim_count", "1", useClock, ""},
}, keysWithoutEffect())

// keysWithoutEffect returns the keys that the supported networks, routers and patterns do not use,
// or use only together with a key that is rejected.
func keysWithoutEffect() (list []configKey) {
	const names = `channel_file fail_seed in_ports out_ports output_delay
		spec_check_elig spec_check_cred spec_mask_by_reqs spec_sw_allocator arb_type
		private_bufs private_buf_size private_buf_start_vc private_buf_end_vc max_held_slots
		feedback_aging_scale feedback_offset vct perm_seed burst_alpha burst_beta burst_r1
		batch_size batch_count max_outstanding_requests
		read_request_subnet read_reply_subnet write_request_subnet write_reply_subnet
		measure_stats pair_stats print_activity print_csv_results deadlock_warn_timeout viewer_trace
		watch_file watch_flits watch_packets watch_transactions watch_out stats_out
		injected_flits_out received_flits_out stored_flits_out sent_flits_out outstanding_credits_out
		ejected_flits_out active_packets_out used_credits_out free_credits_out max_credits_out
		sent_packets_out sim_power power_output_file tech_file channel_width channel_sweep
		H_INVD2 W_INVD2 H_DFQD1 W_DFQD1 H_ND2D1 W_ND2D1 H_SRAM W_SRAM Vdd R IoffSRAM IoffP IoffN
		Cg_pwr Cd_pwr Cgdl Cg Cd LAMBDA MetalPitch Rw Cw_gnd Cw_cpl wire_length`
	for _, name := range strings.Fields(names) {
		list = append(list, configKey{name: name, use: useNothing})
	}
	return list
}

// keyOf returns the key with this name, or nil.
func keyOf(name string) *configKey {
	i := slices.IndexFunc(configKeys, func(k configKey) bool { return k.name == name })
	if i < 0 {
		return nil
	}
	return &configKeys[i]
}

// isDefault reports whether text is the default of the key. Numbers are compared by value.
func (k *configKey) isDefault(text string) bool {
	text = strings.Trim(text, "{}")
	if text == k.value {
		return true
	}
	a, err := strconv.ParseFloat(text, 64)
	b, err2 := strconv.ParseFloat(k.value, 64)
	return err == nil && err2 == nil && a == b
}

// assign stores an assignment. For a key that BookSim 2 does not have, it stores only the name,
// and fails if the name looks like a misspelled key.
func (c *configReader) assign(key, value token) error {
	if k := keyOf(key.text); k != nil {
		word := k.name == "topology" || k.name == "routing_function" || k.name == "network_file"
		if k.use == useNetwork && (word != (value.kind == tokenWord) || value.kind == tokenFloat) {
			return &textfile.Error{File: c.src.Name, Line: key.line, Msg: fmt.Sprintf("%s = %s: want %s", k.name, textfile.Clip(value.text),
				map[bool]string{true: "a word", false: "a whole number"}[word])}
		}
		c.value[k.name], c.line[k.name] = value.text, key.line
		return nil
	}
	for _, k := range configKeys {
		if len(k.name) > 3 && nearly(key.text, k.name) {
			return c.src.ErrorAt(key.line, "unknown key %q, did you mean %s?", textfile.Clip(key.text), k.name)
		}
	}
	if _, known := c.unknown[key.text]; !known {
		c.strange = append(c.strange, key.text)
	}
	c.unknown[key.text] = key.line
	return nil
}

// checkFixed rejects values that change the dependencies between VCs.
func (c *configReader) checkFixed() error {
	for _, k := range configKeys {
		if v := c.value[k.name]; k.use == useFixed && !k.isDefault(v) {
			return c.fault(k.name, "%s = %s is not read, %s is: %s", k.name, textfile.Clip(v), k.value, k.because)
		}
	}
	return nil
}

// remarks returns warnings about keys that BookSim 2 does not have.
func (c *configReader) remarks() (list []string) {
	for i, name := range c.strange {
		if i == 10 {
			return append(list, fmt.Sprintf("%s: %d more keys are not BookSim 2's", textfile.Base(c.src.Name), len(c.strange)-i))
		}
		list = append(list, fmt.Sprintf("%s:%d: BookSim 2 has no key %s, and it has no effect here; a fork of BookSim may change its "+
			"routing by this key", textfile.Base(c.src.Name), c.unknown[name], textfile.Clip(name)))
	}
	return list
}

// unmodelled returns a warning for each key that changes BookSim's simulation and that our
// simulator does not model.
func (c *configReader) unmodelled() (list []string) {
	for _, k := range configKeys {
		if v := c.value[k.name]; k.use == useModel && !k.isDefault(v) && (k.name != "xr" || !c.built()) {
			list = append(list, fmt.Sprintf("%s:%d: %s = %s has no effect on the simulation: %s",
				textfile.Base(c.src.Name), c.line[k.name], k.name, textfile.Clip(v), k.because))
		}
	}
	return list
}

// timed returns the keys in the file that set how long BookSim measures.
func (c *configReader) timed() (list []string) {
	for _, k := range configKeys {
		if k.use == useClock && c.line[k.name] > 0 {
			list = append(list, k.name)
		}
	}
	return list
}

// nearly reports whether two words differ by one inserted, missing or replaced letter, or by two
// exchanged letters. Case is ignored.
func nearly(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(b)-len(a) == 1:
		return a[i:] == b[i+1:]
	case len(a) != len(b):
		return false
	case i == len(a) || a[i+1:] == b[i+1:]:
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
