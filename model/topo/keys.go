package topo

import (
	"strings"
)

// This file has the keys of specs that several families share.

// Key is a key of a spec.
type Key struct {
	Name     string
	Value    string // format of the value
	Default  string // "" if Required
	Required bool
	Help     string // description in one line

	read func(text string) (any, error)
}

// commonKeys returns the keys that all families have.
func commonKeys(family string) []Key {
	hosts := Key{Name: "hosts", Value: "N", Default: "1", Help: "hosts per switch", read: readWholeNumber(0)}
	switch family {
	case "fattree", "fattree-pair":
		hosts.Default, hosts.Help = "k/2", "hosts per leaf"
	case "xgft":
		hosts.Help = "hosts per leaf"
	case "chiplet":
		hosts.Help = "hosts per switch of a chiplet"
	case "dragonfly-plus":
		hosts.Help = "hosts per leaf"
	case "jellyfish":
		hosts.Default = "K-R"
	case "cmesh":
		hosts.Default = "4"
	case "butterfly":
		hosts.Default, hosts.Help = "K", "hosts per switch of the first and the last stage, 2K with one stage"
	case "dragonfly":
		hosts.Help = "hosts per switch, the same as p"
	}
	return []Key{
		hosts,
		{Name: "vcs", Value: "N", Default: "1", Help: "virtual channels per channel, 1 to 256", read: readWholeNumber(1)},
		{Name: "latency", Value: "N", Default: "that of the simulation",
			Help: "clocks for which a flit is on each channel between switches", read: readLatency},
		{Name: "fail", Value: "U-V+W...", Default: "none",
			Help: "failed links (between switches U and V) and switches (W), numbered as without failures", read: readFailures},
	}
}

// Keys that several families share.
var (
	gridSides = Key{Name: "sides", Value: "X[xY...]", Required: true, Help: "sides, x first", read: readSides(0)}
	count     = Key{Name: "switches", Value: "N", Required: true, Help: "switches in all", read: readWholeNumber(1)}
	holes     = Key{Name: "holes", Value: "X.Y+X.Y...", Default: "none", Help: "places without a switch, by coordinates", read: readPlaces}
	wraps     = Key{Name: "wrap", Value: "DIMENSIONS", Default: "all", Help: "dimensions with wraparound, as xz or 02, or none", read: readDimensions}
	folds     = Key{Name: "folded", Value: "DIMENSIONS", Default: "none",
		Help: "folded dimensions, as xy: switches have the names of their places on a chip", read: readDimensions}
	seed    = Key{Name: "seed", Value: "N", Default: "1", Help: "number that the network is drawn from", read: readSeed}
	borders = Key{Name: "wrap", Value: "true|false", Default: "false", Help: "links between opposite borders", read: readBool}
	ports   = Key{Name: "k", Value: "K", Required: true, Help: "ports per switch, even", read: readWholeNumber(1)}
)

// arrangement is the key of families with global links.
var arrangement = Key{Name: "arrangement", Value: strings.Join(arrangementNames(), "|"), Default: ArrangementAbsolute,
	Help: "of the global links: port t of a group leads to group t (t+1 from its own number on), t+1 groups further, t+1 groups back, or both in turn",
	read: readOneOf(arrangementNames()...)}

// wordKeys returns the keys of families of words.
func wordKeys(letters string) []Key {
	return []Key{
		{Name: "d", Value: "D", Required: true, Help: letters, read: readWholeNumber(1)},
		{Name: "n", Value: "N", Required: true, Help: "letters of a word", read: readWholeNumber(1)},
	}
}
