package figure

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// Hosts says how hosts are drawn.
type Hosts uint8

// The ways to draw hosts.
const (
	HostsAuto    Hosts = iota // drawn in small networks, otherwise counted
	HostsDrawn                // a node each
	HostsCounted              // "4 hosts" in the label of the switch
	HostsHidden
)

// Options of all drawings. The zero value is the default.
type Options struct {
	Title string
	Hosts Hosts
	// VC is what virtual channels are called; default "VC", InfiniBand: "VL".
	// Naming it shows VC numbers also where a channel has but one.
	VC string
	// Position places switches: any unit, y upwards. Switches without one, or
	// all if Position is nil, are placed by the layout program.
	Position func(model.SwitchID) (x, y float64, ok bool)
	// MaxSwitches is the largest network of which cycles and paths show every
	// switch (default MaxSwitches); of larger ones only the switches they touch.
	MaxSwitches int
	// Brief leaves out port numbers and what else a column of a paper has no room for.
	Brief bool
	// NoDirections leaves out the directions of channels on an H/V graph.
	NoDirections bool
	// Cycles are the basic cycles that BasicCycles draws, by name; nil: all.
	Cycles []string
	// OnlyVC is the number of the one VC that Ranks shows of each channel, counted from 1;
	// 0: all.
	OnlyVC int
	// Focus, if not empty, is what a drawing of a network or its load is about: of networks of
	// more than MaxSwitches it shows the switches at the ends of these only.
	Focus []model.VCID
	// MaxVertices is the largest dependency graph drawn whole (default 40).
	MaxVertices int

	spacing float64   // inches between switches with a position; 0: pinInches
	onHV    *hv.Graph // switches stand at their coordinates in it; nil: elsewhere
	coords  bool      // and are labelled with them
	air     float64   // points left free beside each switch of an H/V graph
}

// MaxSwitches is the default of Options.MaxSwitches.
const MaxSwitches = 64

func (o *Options) vc() string {
	if o.VC == "" {
		return "VC"
	}
	return o.VC
}

func orDefault(v, otherwise int) int {
	if v == 0 {
		return otherwise
	}
	return v
}

// showVC reports whether VC numbers are worth their room.
func (o *Options) showVC(n *model.Network) bool { return n.VCs() > 1 || o.VC != "" }
