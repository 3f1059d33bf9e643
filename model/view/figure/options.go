package figure

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// Hosts says how hosts are drawn.
type Hosts uint8

// Values of Hosts.
const (
	HostsAuto    Hosts = iota // drawn in small networks, otherwise counted
	HostsDrawn                // every host is a node
	HostsCounted              // "4 hosts" in the label of the switch
	HostsHidden
)

// Options are the options of all drawings. The zero value is the default.
type Options struct {
	Title string
	Hosts Hosts
	// Show lists hosts that Network draws although it counts the others.
	Show []model.HostID
	// LIDs adds its LID to the name of a host that has one.
	LIDs bool
	// VC is the name of virtual channels; defaults to "VC", InfiniBand: "VL". If it is given,
	// VC numbers are shown even if a channel has only one VC.
	VC string
	// Position returns the position of a switch in any unit, y upwards. The layout program
	// places switches without a position, or all switches if Position is nil.
	Position func(model.SwitchID) (x, y float64, ok bool)
	// MaxSwitches is the size of the largest network for which drawings of cycles and paths
	// show every switch (default MaxSwitches). For larger networks they show only the switches
	// involved.
	MaxSwitches int
	// Brief omits port numbers and other details for narrow columns of a paper.
	Brief bool
	// NoDirections omits the directions of channels on an H/V graph.
	NoDirections bool
	// Cycles names the basic cycles that BasicCycles draws. If nil, all.
	Cycles []string
	// OnlyVC is the number of the only VC that Ranks shows of each channel, counted from 1. If
	// 0, all.
	OnlyVC int
	// RankTexts are the labels of Ranks, by VC. If nil, the labels are the ranks.
	RankTexts []string
	// Top, if not 0, is the load at the end of the scale of Load. Several drawings then have the same
	// scale, and none shows loads as text.
	Top float64
	// Focus, if not empty, lists the VCs that a drawing of a network or its load is about. For
	// networks of more than MaxSwitches only the switches at their ends are shown. Drawings of cycles and deadlocks show these switches, too.
	Focus []model.VCID
	// MaxVertices is the size of the largest dependency graph that is drawn completely (default
	// 40).
	MaxVertices int

	plan    *plan     // the source of Position, if that is not nil
	tight   bool      // whether switches with a plan need no room for hosts and arrows
	spacing float64   // inches between switches with a position; 0 means pinInches
	onHV    *hv.Graph // switches are at their coordinates in this graph, if not nil
	coords  bool      // whether switches are labelled with these coordinates
	air     float64   // free space in points beside each switch of an H/V graph
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

// showVC reports whether drawings show VC numbers.
func (o *Options) showVC(n *model.Network) bool { return n.VCs() > 1 || o.VC != "" }
