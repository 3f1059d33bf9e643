// Package meshgraph reads mesh graph descriptors of TT-Fabric as networks with their routing, by packages model/ttfabric and
// model/ttfabric/meshgraph. It registers the format, and the settings that say how the fabric starts.
package meshgraph

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/ttfabric"
	"github.com/turnproof/turnproof/model/ttfabric/meshgraph"
)

// The names of the settings.
const (
	SettingFabric  = "fabric"
	SettingRules   = "rules"
	SettingOptions = "fabric-options"
	SettingCables  = "cables"
)

// settings are the settings of the format.
func settings() []format.Setting {
	return []format.Setting{
		{Name: SettingFabric, Words: configWords(), Usage: "start the fabric of a mesh graph descriptor with the config `NAME`, or MESH=NAME[,MESH=NAME...] " +
			"(default: " + string(ttfabric.DefaultConfig) + ")"},
		{Name: SettingRules, Usage: "protect the rings and cables of a mesh graph descriptor by the rules of `DATE`, YYYY-MM or YYYY-MM-DD " +
			"(default: " + ttfabric.DefaultRules + ")"},
		{Name: SettingOptions, IsFile: true, Usage: "read how the fabric of a mesh graph descriptor starts from `FILE` in JSON: fabric_config, rules, " +
			"receiver_slots, traffic, ports and so on"},
		{Name: SettingCables, Words: []string{"any"}, Usage: "check every placement of the cables that a mesh graph descriptor leaves open, `WORD`: any"},
	}
}

func configWords() (words []string) {
	for _, c := range ttfabric.Configs() {
		words = append(words, string(c))
	}
	return words
}

// The names of premises.
const (
	premiseFabric = "fabric config"
	premiseRules  = "rules"
	premiseCables = "cables"
)

// doubtFaults names doubts about faults of the fabric. It is no premise: a placement of the cables that --assume accepts does not mend them.
const doubtFaults = "faults"

func init() {
	model.RegisterPremises(premiseFabric, premiseRules, premiseCables)
	format.RegisterRouted(format.RoutedFormat{Name: "mesh-graph", Is: isDescriptor, Settings: settings(), ReadWith: read,
		Read: func(src *textfile.File) (*format.Routed, error) { return read(src, nil) }})
}

// mostText bounds the size of a descriptor in bytes.
const mostText = 1 << 24

var (
	fieldLine = regexp.MustCompile(`(?m)^\s*(mesh_descriptors|switch_descriptors|graph_descriptors|top_level_instance)\s*:?\s*[{<]`)
	yamlLine  = regexp.MustCompile(`(?m)^(ChipSpec|Board|Mesh|HostMesh|RelaxedGraph|Graph|Rank)\s*:`)
)

// isDescriptor recognises descriptors of version 2.0, and those of version 1.0, which are YAML and are refused.
func isDescriptor(head []byte) bool { return fieldLine.Match(head) || isYAML(head) }

// isYAML reports whether a file is a descriptor of version 1.0: it has two of its keys.
func isYAML(head []byte) bool {
	keys := map[string]bool{}
	for _, m := range yamlLine.FindAllSubmatch(head, -1) {
		keys[string(m[1])] = true
	}
	return len(keys) >= 2 && (keys["ChipSpec"] || keys["Board"])
}

func read(src *textfile.File, given map[string]string) (*format.Routed, error) {
	if given[SettingCables] != "" {
		return nil, src.FileError("--%s: one placement is read here; the command check decides every placement", SettingCables)
	}
	f, from, err := build(src, given)
	if err != nil {
		return nil, err
	}
	return routed(f, from), nil
}

// Load reads the fabric of a descriptor.
func Load(path string, given map[string]string, sums func(path, sum string)) (*ttfabric.Fabric, error) {
	return textfile.Read(path, sums, func(src *textfile.File) (*ttfabric.Fabric, error) {
		f, _, err := build(src, given)
		return f, err
	})
}

// Is reports whether the file at path is a descriptor.
func Is(path string) bool { return textfile.Is(path, isDescriptor) }

func build(src *textfile.File, given map[string]string) (*ttfabric.Fabric, map[string]string, error) {
	text, err := textfile.ReadWhole(src, mostText, "a mesh graph descriptor")
	if err != nil {
		return nil, nil, err
	}
	if isYAML(text) && !fieldLine.Match(text) {
		at := 1 + bytes.Count(text[:yamlLine.FindIndex(text)[0]], []byte("\n"))
		return nil, nil, src.ErrorAt(at, "a mesh graph descriptor of version 1.0 in YAML, which the fabric no longer reads; want version 2.0, a .textproto")
	}
	d, err := meshgraph.Parse(src.Name, text)
	if err != nil {
		return nil, nil, err
	}
	o, from, err := Options(given)
	if err != nil {
		return nil, nil, err
	}
	f, err := ttfabric.Build(d, o)
	return f, from, err
}

// Options returns the settings of the fabric, and by name which of them are given, with the source.
func Options(given map[string]string) (o ttfabric.Options, from map[string]string, err error) {
	from = map[string]string{}
	if path := given[SettingOptions]; path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return o, nil, fmt.Errorf("--%s: %w", SettingOptions, err)
		}
		if o, err = ttfabric.ParseOptions(path, text); err != nil {
			return o, nil, err
		}
		for name, isGiven := range map[string]bool{
			SettingFabric: o.Config.All != "" || o.Config.Mesh != nil, SettingRules: o.Rules != "", "slots": o.Slots > 0,
			"traffic": o.Traffic.Flows != nil || o.Traffic.Word != "", "mcast": o.Mcast != "",
		} {
			if isGiven {
				from[name] = textfile.Base(path)
			}
		}
	}
	if word := given[SettingFabric]; word != "" {
		if o.Config, err = configuration(word); err != nil {
			return o, nil, err
		}
		from[SettingFabric] = "--" + SettingFabric
	}
	if word := given[SettingRules]; word != "" {
		o.Rules, from[SettingRules] = word, "--"+SettingRules
	}
	return o, from, nil
}

// configuration reads NAME or MESH=NAME,...
func configuration(word string) (c ttfabric.Configuration, err error) {
	if !strings.Contains(word, "=") {
		return ttfabric.Configuration{All: ttfabric.Config(word)}, checkConfig(word)
	}
	c.Mesh = map[string]ttfabric.Config{}
	for part := range strings.SplitSeq(word, ",") {
		mesh, name, _ := strings.Cut(part, "=")
		if err := checkConfig(name); err != nil {
			return c, err
		}
		c.Mesh[strings.TrimPrefix(mesh, "M")] = ttfabric.Config(name)
	}
	return c, nil
}

func checkConfig(name string) error {
	if !slices.Contains(ttfabric.Configs(), ttfabric.Config(name)) {
		return fmt.Errorf("--%s %s: want one of %s", SettingFabric, name, strings.Join(configWords(), ", "))
	}
	return nil
}

// routed returns the fabric in the form of all formats.
func routed(f *ttfabric.Fabric, from map[string]string) *format.Routed {
	file := textfile.Base(f.Descriptor.File)
	r := &format.Routed{Network: f.Net, Relation: f.Relation, Routing: "TT-Fabric", Kind: format.Accelerators, Source: f, Warnings: f.Faults()}
	for _, note := range f.Notes {
		r.Notes = append(r.Notes, file+": "+note)
	}
	source := func(name string) string { return cmp.Or(from[name], model.Assumed) }
	r.Run = &format.RoutedRun{Packet: 1, Buffer: f.Options.Slots, Lengths: true, Switching: model.CutThrough, Routers: "TT-Fabric",
		Source: cmp.Or(from["slots"], "receivers of "+fmt.Sprint(ttfabric.DefaultSlots)+" packets (assumed)")}
	r.Premises = append(r.Premises,
		model.Premise{Name: premiseFabric, Value: f.ConfigText(), Source: source(SettingFabric)},
		model.Premise{Name: premiseRules, Value: f.Options.Rules + ": " + f.Rules.String(), Source: source(SettingRules)})
	if text, by := f.TrafficText(); text != "" {
		r.Premises = append(r.Premises, model.Premise{Name: model.PremiseFlows, Value: text, Source: source(by)})
	}
	if len(f.Cables) > 0 {
		p := model.Premise{Name: premiseCables, Value: f.CablesText(), Source: file}
		if f.Assumed {
			p.Source = model.Assumed
		}
		r.Premises = append(r.Premises, p)
	}
	for _, fault := range f.Faults() {
		r.Doubts = append(r.Doubts, model.Doubt{Premise: doubtFaults, Against: model.AgainstProof, Reason: fault + ": what waits there is not judged"})
	}
	return r
}

// DeclaredConfigs returns the configs to check a descriptor with: FABRIC_2D, and the one that asks for the rings that all meshes declare on an axis of three
// chips or more.
func DeclaredConfigs(path string) []string {
	list := []string{string(ttfabric.Fabric2D)}
	d, err := textfile.Read(path, nil, func(src *textfile.File) (*meshgraph.Descriptor, error) {
		text, err := textfile.ReadWhole(src, mostText, "a mesh graph descriptor")
		if err != nil {
			return nil, err
		}
		return meshgraph.Parse(src.Name, text)
	})
	if err != nil {
		return list
	}
	ring, line := [2]bool{}, [2]bool{}
	for _, m := range d.Meshes {
		for axis := range ring {
			ring[axis] = ring[axis] || m.Ring[axis] && m.Dims[axis] > 2
			line[axis] = line[axis] || !m.Ring[axis] && m.Dims[axis] > 1
		}
	}
	y, x := ring[0] && !line[0], ring[1] && !line[1]
	switch {
	case y && x:
		list = append(list, string(ttfabric.Fabric2DXY))
	case y:
		list = append(list, string(ttfabric.Fabric2DY))
	case x:
		list = append(list, string(ttfabric.Fabric2DX))
	}
	return list
}
