package noxim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/yamldoc"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file lists the keys of a configuration with their effect. A key that is not listed is named in a warning.
//
// Source: davidepatti/noxim, src/ConfigurationManager.cpp.

// keyUse classifies keys by their effect.
type keyUse uint8

const (
	useRead    keyUse = iota + 1 // it is read
	useModel                     // it changes a simulation of Noxim, which turnproof does not repeat
	useNothing                   // it changes neither paths nor times
	useRadio                     // it has an effect with use_winoc only
)

var keyUses = map[string]keyUse{
	"topology": useRead, "mesh_dim_x": useRead, "mesh_dim_y": useRead, "buffer_depth": useRead, "n_virtual_channels": useRead,
	"min_packet_size": useRead, "max_packet_size": useRead, "routing_algorithm": useRead, "routing_table_filename": useRead, "use_winoc": useRead,

	"selection_strategy": useModel, "dyad_threshold": useModel, "traffic_distribution": useModel, "traffic_table_filename": useModel,
	"traffic_hardcoded_filename": useModel, "packet_injection_rate": useModel, "probability_of_retransmission": useModel,
	"max_volume_to_be_drained": useModel,

	"n_delta_tiles": useNothing, "flit_size": useNothing, "r2r_link_length": useNothing, "r2h_link_length": useNothing,
	"clock_period_ps": useNothing, "reset_time": useNothing, "simulation_time": useNothing, "stats_warm_up_time": useNothing,
	"detailed": useNothing, "show_buffer_stats": useNothing, "verbose_mode": useNothing, "trace_mode": useNothing, "trace_filename": useNothing,

	"winoc_dst_hops": useRadio, "use_wirxsleep": useRadio, "Hubs": useRadio, "RadioChannels": useRadio,
}

// take stores the values of scalar keys. It returns an error if a key that is read has another kind of value.
func (c *config) take(pairs []yamldoc.Pair) error {
	for _, p := range pairs {
		use := keyUses[p.Key]
		text, ok := p.Value.Scalar()
		switch {
		case use == 0:
			c.unknown = append(c.unknown, fmt.Sprintf("%s (line %d)", textfile.Clip(p.Key), p.Line))
		case ok:
			c.value[p.Key], c.line[p.Key] = text, p.Line
		case use == useRead:
			return c.src.ErrorAt(p.Line, "%s: want one value", p.Key)
		}
	}
	return nil
}

// flag returns the truth value of a key as yaml-cpp reads it, or false if the key is missing.
func (c *config) flag(key string) (bool, error) {
	text, stated := c.value[key]
	switch word := strings.ToLower(text); {
	case !stated || slices.Contains([]string{"n", "no", "false", "off"}, word):
		return false, nil
	case slices.Contains([]string{"y", "yes", "true", "on"}, word):
		return true, nil
	}
	return false, c.fault(key, "%s: %q; want true or false", key, textfile.Clip(text))
}

// ignored returns the keys that change a simulation of Noxim only, with their values.
func (c *config) ignored() (list []string) {
	for key, use := range keyUses {
		if v := c.value[key]; use == useModel && v != "" {
			list = append(list, key+" "+textfile.Clip(v))
		}
	}
	slices.Sort(list)
	return list
}
