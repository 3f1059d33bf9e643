package booksim

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/booksim"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads configuration files of BookSim 2, and determines the network and the routing
// function that they select:
//
//	// a comment
//	topology = torus; k = 8; n = 2;
//	routing_function = dim_order;
//	num_vcs = 2;
//
// Source: booksim/booksim2, src/config.l and config.y (syntax), booksim_config.cpp (defaults),
// routefunc.cpp and networks/*.cpp (routing functions). As in BookSim, the last assignment of a
// key counts. bookSimKeys lists the keys that are read. A word that differs from a key of BookSim
// 2 by a typing mistake is an error. Any other unknown key is assumed to be a key of a fork; a
// warning names it.
//
// A routing function is supported only if one of our relations permits the same VCs in every
// state, because a relation that is only similar could have a different verdict. VCs may be
// numbered in another order, which does not affect verdicts.

// Config is the content of a configuration file.
type Config struct {
	Topology string // mesh, torus, anynet, or one of package model/booksim
	K, N     int    // for a mesh or torus: the side of each dimension, and the number of dimensions
	VCs      int    // num_vcs
	Routing  string // value of routing_function

	// Spec is the network in the form that topo.Parse reads, for mesh and torus.
	Spec string
	// Network is the network with one VC per channel, or nil for a mesh or torus.
	Network *model.Network

	// Made is the routing on a network of package model/booksim, or nil. Selection is then how a simulation chooses among next hops, by
	// package engine.
	Made      model.Relation
	Selection string

	// Relation is the routing by its name in package route. Empty for anynet and networks of package model/booksim.
	Relation string
	// VCRule and KeepFirst are the options of these names in package route.
	VCRule    string
	KeepFirst bool
	// Layers, if not nil, has the layers of the routing. Each packet chooses a layer when it
	// enters and stays in it. A layer has VCs/len(Layers) VCs, and uses the relation with this
	// order of dimensions (route's Order). route.PerLayer joins the layers.
	Layers [][]int
	// Table is BookSim's routing table for anynet, or nil. Packets may take any VC of a channel,
	// so the VCs behave like a single one, and the table has one.
	Table *model.Table
	// Why explains in one line why the relation equals BookSim's routing function.
	Why string
	// Unrouted is not nil if no relation equals the routing function, and gives the reason.
	// Relation is then empty and Table nil.
	Unrouted error
	// Run has the settings of the simulation.
	Run Run
	// Warnings name keys that could change the verdict.
	Warnings []string

	file  string         // name without folder
	lines map[string]int // by key: its line
}

// maxConfig is the largest size of a configuration file in bytes.
const maxConfig = 1 << 20

// IsConfig reports whether a file looks like a configuration of BookSim: its first
// statement has the form KEY = VALUE; with a semicolon. It returns false for standard input, which
// it does not read.
func IsConfig(path string) bool { return textfile.Is(path, looksLikeConfig) }

// Read reads a configuration file and, for topology anynet, the file in its key
// network_file. This name is relative to the folder of the configuration, or else to the working
// directory, as in BookSim. The notes name everything that was read differently from what a user
// may expect.
func Read(path string, o format.Options) (*Config, []string, error) {
	src, err := textfile.Open(path, o.Sums)
	if err != nil {
		return nil, nil, err
	}
	defer src.Close()
	return readConfig(src, o)
}

func readConfig(src *textfile.File, o format.Options) (*Config, []string, error) {
	text, err := io.ReadAll(io.LimitReader(src.Reader, maxConfig+1))
	if err != nil {
		return nil, nil, src.Wrap(0, err)
	}
	if len(text) > maxConfig {
		return nil, nil, src.FileError("a configuration of more than %d bytes", maxConfig)
	}
	c := &configReader{src: src, value: map[string]string{}, line: map[string]int{}, unknown: map[string]int{}}
	if err := c.parse(string(text)); err != nil {
		return nil, nil, err
	}
	if err := src.Finish(); err != nil {
		return nil, nil, err
	}
	return c.answer(o)
}

// configReader holds the assignments of the keys that are read.
type configReader struct {
	src   *textfile.File
	value map[string]string
	line  map[string]int
	notes []string
	// unknown has the lines of the keys that BookSim 2 does not have. strange lists these keys in
	// the order of the file.
	unknown map[string]int
	strange []string
	bad     error // the first error in a list of numbers
	fabric  *booksim.Fabric
}

// parse reads the assignments.
func (c *configReader) parse(text string) error {
	for _, k := range configKeys {
		c.value[k.name] = k.value
	}
	s := &scanner{src: c.src, text: text, line: 1}
	found := false
	for {
		key, err := s.next()
		if err != nil {
			return err
		}
		if key.kind == tokenEnd {
			break
		}
		value, err := s.assignment(key)
		if err != nil {
			return err
		}
		found = true
		if err := c.assign(key, value); err != nil {
			return err
		}
	}
	if !found {
		return c.src.FileError("no KEY = VALUE; in it")
	}
	return nil
}

func (c *configReader) fault(key, format string, a ...any) error {
	return c.src.ErrorAt(c.line[key], format, a...)
}

// number returns the value of a key, a whole number from low to high.
func (c *configReader) number(key string, low, high int) (int, error) {
	v, err := strconv.Atoi(c.value[key])
	if err != nil || v < low || v > high {
		return 0, c.fault(key, "%s = %s, allowed are %d to %d", key, textfile.Clip(c.value[key]), low, high)
	}
	return v, nil
}

// answer builds the result: the network and its relation.
func (c *configReader) answer(o format.Options) (*Config, []string, error) {
	b := &Config{Topology: c.value["topology"], Routing: c.value["routing_function"], file: textfile.Base(c.src.Name), lines: c.line, Warnings: c.remarks()}
	if err := c.topology(b); err != nil {
		return nil, nil, err
	}
	var err error
	if b.VCs, err = c.number("num_vcs", 1, model.MaxVCs); err != nil {
		return nil, nil, err
	}
	if c.line["num_vcs"] == 0 {
		c.notes = append(c.notes, fmt.Sprintf("%s: num_vcs is not given, BookSim's default is %d", textfile.Base(c.src.Name), b.VCs))
	}
	if err := c.checkFixed(); err != nil {
		return nil, nil, err
	}
	if err := c.run(b); err != nil {
		return nil, nil, err
	}
	switch {
	case b.Topology == "anynet":
		err = c.anynet(b, o)
	case c.built():
		err = c.build(b)
	default:
		err = c.grid(b)
	}
	if err != nil {
		return nil, nil, err
	}
	if c.built() {
		b.Unrouted = c.routeBuilt(b)
	} else {
		b.Unrouted = c.route(b)
	}
	return b, c.notes, nil
}

// route sets the relation in b. It returns an error with the reason if no relation equals the
// routing function.
func (c *configReader) route(b *Config) error {
	routing, err := c.routing(b)
	if err != nil {
		return err
	}
	if err := routing.set(b); err != nil {
		return c.fault("num_vcs", "%s", err)
	}
	if r := b.Run.Replies; r != nil && (b.Table != nil || b.Relation == "" || b.Layers != nil || b.KeepFirst) {
		return c.fault("use_read_write", "use_read_write = 1 is read for dimension order only, not for routing_function = %s", b.Routing)
	}
	b.Why = routing.why
	return nil
}

// grid sets the spec of a mesh or torus with side k in each of n dimensions.
func (c *configReader) grid(b *Config) (err error) {
	if b.K, err = c.number("k", 1, 1<<20); err != nil {
		return err
	}
	if b.N, err = c.number("n", 1, 20); err != nil {
		return err
	}
	b.Spec = fmt.Sprintf("%s:%s,vcs=%d", b.Topology, strings.TrimSuffix(strings.Repeat(strconv.Itoa(b.K)+"x", b.N), "x"), b.VCs)
	return nil
}

// anynet reads the network file of topology anynet.
func (c *configReader) anynet(b *Config, o format.Options) error {
	name := c.value["network_file"]
	if name == "" {
		return c.fault("network_file", "topology = anynet needs a network_file")
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(c.src.Name), name)
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			if _, err := os.Stat(name); err == nil {
				c.notes = append(c.notes, fmt.Sprintf("%s: network_file %s is not in the folder of the configuration: the file in the "+
					"working directory is read", textfile.Base(c.src.Name), name))
				path = name
			}
		}
	}
	src, err := textfile.Open(path, o.Sums)
	if err != nil {
		return fmt.Errorf("%w (network_file of %s)", err, c.src.Name)
	}
	defer src.Close()
	a, err := parseAnynet(src)
	if err != nil {
		return err
	}
	if b.Network, err = a.network(); err != nil {
		return err
	}
	c.notes, b.Warnings = append(c.notes, a.notes()...), append(b.Warnings, a.warnings()...)
	if a.hasZero() {
		b.Run.Fault = &textfile.Error{File: path, Msg: "a channel has latency 0, which BookSim 2 refuses; want 1 or more"}
	}
	b.Table, err = a.table(b.Network)
	return err
}

func init() {
	format.RegisterLookalike("a BookSim configuration, which holds a routing as well as a network", looksLikeConfig)
}
