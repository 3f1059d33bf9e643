// Package noxim reads configurations of Noxim (YAML): a mesh with its routing algorithm, and the sizes of packets and buffers.
//
// Source: davidepatti/noxim, src/ConfigurationManager.cpp (keys), src/routingAlgorithms (algorithms), src/Router.cpp (a head takes an output
// that no packet uses, also if the buffer behind it is full, and waits for it then), src/ProcessingElement.cpp (the VC of a packet is drawn at
// its source and never changes).
package noxim

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/yamldoc"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/topo"
)

// maxText is the largest size of a configuration in bytes.
const maxText = 1 << 20

func isConfig(head []byte) bool {
	keys := textfile.TopKeys(head)
	return textfile.CountKeys(keys, "mesh_dim_x", "n_delta_tiles", "routing_algorithm", "n_virtual_channels", "buffer_depth", "selection_strategy") >= 2
}

// config has the keys that are read.
type config struct {
	src   *textfile.File
	value map[string]string
	line  map[string]int

	unknown []string // keys that are not listed, with their lines
}

// read reads a configuration.
func read(src *textfile.File) (*format.Routed, error) {
	text, err := textfile.ReadWhole(src, maxText, "a configuration")
	if err != nil {
		return nil, err
	}
	c := &config{src: src, value: map[string]string{"topology": "MESH"}, line: map[string]int{}}
	if err := c.parse(text); err != nil {
		return nil, err
	}
	return c.routed()
}

// parse reads the keys of the top level.
func (c *config) parse(text []byte) error {
	docs, err := yamldoc.Parse(text)
	if err != nil {
		bad := &yamldoc.Error{}
		errors.As(err, &bad)
		return c.src.ErrorAt(bad.Line, "%s", bad.Msg)
	}
	if len(docs) != 1 {
		return c.src.FileError("%d documents; want one", len(docs))
	}
	pairs, ok := docs[0].Pairs()
	if !ok {
		return c.src.FileError("no keys in it")
	}
	return c.take(pairs)
}

func (c *config) fault(key, text string, a ...any) error {
	return c.src.ErrorAt(c.line[key], text, a...)
}

// number returns the value of a key, a whole number from low to high.
func (c *config) number(key string, low, high int) (int, error) {
	text, ok := c.value[key]
	if !ok {
		return 0, c.src.FileError("%s is missing", key)
	}
	v, err := strconv.Atoi(text)
	if err != nil || v < low || v > high {
		return 0, c.fault(key, "%s: %s, allowed are %d to %d", key, textfile.Clip(text), low, high)
	}
	return v, nil
}

// routed builds the result.
func (c *config) routed() (*format.Routed, error) {
	radio, err := c.flag("use_winoc")
	if err != nil {
		return nil, err
	}
	switch topology := c.value["topology"]; {
	case slices.Contains([]string{"BUTTERFLY", "BASELINE", "OMEGA"}, topology):
		return nil, c.fault("topology", "topology: %s is not read: a delta network has channels of one direction, and tiles that are no switches; want MESH",
			topology)
	case topology != "MESH":
		return nil, c.fault("topology", "topology: %s is none of Noxim's; want MESH", textfile.Clip(topology))
	case radio:
		return nil, c.fault("use_winoc", "use_winoc: true is not read: radio channels of hubs are links that the mesh does not have")
	}
	x, err := c.number("mesh_dim_x", 1, 1<<10)
	if err != nil {
		return nil, err
	}
	y, err := c.number("mesh_dim_y", 1, 1<<10)
	if err != nil {
		return nil, err
	}
	vcs, err := c.number("n_virtual_channels", 1, 8)
	if err != nil {
		return nil, err
	}
	net, err := topo.Mesh([]int{x, y}, topo.Options{Hosts: 1, VCs: vcs})
	if err != nil {
		return nil, c.fault("mesh_dim_x", "%s", err)
	}
	r := &format.Routed{Network: net, Routing: c.value["routing_algorithm"]}
	if c.unknown != nil {
		r.Warnings = append(r.Warnings, textfile.Base(c.src.Name)+": keys that Noxim does not have, without effect: "+strings.Join(c.unknown, ", "))
	}
	if r.Run, err = c.run(); err != nil {
		return nil, err
	}
	switch k := algorithmOf(r.Routing); {
	case k != nil:
		r.Relation = &relation{net: net, x: x, columns: k.columns(x), vcs: vcs, directions: k.directions}
		r.Routing += " (" + k.about + ")"
	case r.Routing == "TABLE_BASED":
		r.Unrouted = c.fault("routing_algorithm", "routing_algorithm: TABLE_BASED reads %s; want this file behind --routing",
			textfile.Clip(c.value["routing_table_filename"]))
	default:
		r.Unrouted = c.fault("routing_algorithm", "routing_algorithm: %s is not read; want one of %s", textfile.Clip(r.Routing), strings.Join(names(), ", "))
	}
	return r, nil
}

// run reads what concerns routers and packets.
func (c *config) run() (*format.RoutedRun, error) {
	r := &format.RoutedRun{Routers: "the routers of Noxim", Source: textfile.Base(c.src.Name) + ": buffer_depth, min_packet_size, max_packet_size"}
	var err error
	if r.Buffer, err = c.number("buffer_depth", 1, 1<<14); err != nil {
		return nil, err
	}
	least, err := c.number("min_packet_size", 1, 1<<14)
	if err != nil {
		return nil, err
	}
	if r.Packet, err = c.number("max_packet_size", least, 1<<14); err != nil {
		return nil, err
	}
	r.Lengths = least == r.Packet
	r.Ignored = c.ignored()
	return r, nil
}

func init() {
	format.RegisterRouted(format.RoutedFormat{Name: "noxim", IsYAML: true, Is: isConfig, Read: read})
}

// relation is a routing algorithm on the mesh. The class of a packet is its VC, and the column of its source if the algorithm asks for it.
type relation struct {
	net        *model.Network
	x          int // columns
	columns    int // that the class tells apart
	vcs        int
	directions func(p place, buf []direction) []direction
}

// Network implements model.Relation.
func (r *relation) Network() *model.Network { return r.net }

// Classes implements model.Relation.
func (r *relation) Classes() int { return r.vcs * r.columns }

// Sources implements model.Relation.
func (r *relation) Sources() int { return r.net.NumHosts() }

// Destinations implements model.Relation.
func (r *relation) Destinations() int { return r.net.NumHosts() }

// DestinationHost implements model.Relation.
func (r *relation) DestinationHost(d model.DestID) model.HostID { return model.HostID(d) }

// Inject implements model.Relation.
func (r *relation) Inject(h model.HostID, _ model.DestID, buf []model.Class) []model.Class {
	for vc := range r.vcs {
		buf = append(buf, model.Class(vc*r.columns+int(h)%r.x%r.columns))
	}
	return buf
}

// Next implements model.Relation.
func (r *relation) Next(s model.State, buf []model.Hop) []model.Hop {
	c, _ := r.net.Channel(s.VC)
	u := r.net.Head(c)
	if int(u) == int(s.Dest) {
		return append(buf, model.Hop{VC: r.net.VC(r.net.EjectChannel(model.HostID(s.Dest)), 0), Class: s.Class})
	}
	vc, column := int(s.Class)/r.columns, int(s.Class)%r.columns
	p := place{int(u) % r.x, int(u) / r.x, int(s.Dest) % r.x, int(s.Dest) / r.x, column}
	var room [4]direction
	for _, d := range r.directions(p, room[:0]) {
		port := [...]model.Port{model.MinusPort(1), model.PlusPort(0), model.PlusPort(1), model.MinusPort(0)}[d]
		buf = append(buf, model.Hop{VC: r.net.VC(r.net.OutAt(u, port), vc), Class: s.Class})
	}
	return buf
}
