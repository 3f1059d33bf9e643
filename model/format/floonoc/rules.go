package floonoc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/yamldoc"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the settings of a floogen file that are no network, and applies floogen's own checks: a file that floogen
// refuses describes no hardware, so it is an error. Source: the validators of floogen/model/network.py and routing.py, and
// compile_links and compile_endpoints, at commit 2fa02eb.
//
// A check applies only to keys that the file has, so a file without protocols is read. needs returns what floogen wants besides.

// settings are the settings of a file.
type settings struct {
	decouple   string   // None, Vc or Phys: how the wide network separates writes and reads
	vcBits     int      // number of bits of a VC number; 0: routers without VCs
	collective []string // the enabled operations of several hosts
	line       int      // of the key collective
	reach      []string // endpoints with an address range for collectives
	types      map[string]string
	input      map[string]bool // by protocol in use: whether managers use it
	ignored    []string        // keys of routing that only older releases know
}

// flooRoutingKeys are the keys of routing. oldFlooRouting are those of older releases, which change no path.
var (
	routingKeys = []string{"route_algo", "use_id_table", "rob_idx_bits", "port_id_bits", "num_vc_id_bits", "decouple_rw", "vc_impl", "collective"}
	// oldCollectives are the flags of releases before 0.8, which had no mapping collective.
	oldCollectives = []string{"en_multicast", "en_parallel_reduction", "en_narrow_offload_reduction", "en_wide_offload_reduction"}
	oldRoutingKeys = []string{"sam", "num_x_bits", "num_y_bits", "num_route_bits", "num_endpoints", "num_id_bits", "addr_offset_bits", "id_offset",
		"xy_id_offset", "addr_width"}
)

// readSettings reads the settings of the mapping routing.
func (f *nocNetwork) readSettings(m *object) (err error) {
	s := &f.settings
	for key, p := range m.at {
		switch {
		case slices.Contains(oldCollectives, key):
		case slices.Contains(oldRoutingKeys, key):
			s.ignored = append(s.ignored, key)
		case !slices.Contains(routingKeys, key):
			return m.src.ErrorAt(p.Line, "routing has an unknown key %q, known are %s", textfile.Clip(key), strings.Join(routingKeys, ", "))
		}
	}
	slices.Sort(s.ignored)
	if s.decouple, err = m.choice("decouple_rw", "None", map[string]string{
		"NONE": "None", "VC": "Vc", "PHYS": "Phys", "TRUE": "Phys", "FALSE": "None"}); err != nil {
		return err
	}
	if _, err = m.choice("vc_impl", "", map[string]string{"NAIVE": "VcNaive", "CREDIT": "VcCredit", "PREEMPT": "VcPreemptValid",
		"VCNAIVE": "VcNaive", "VCCREDIT": "VcCredit", "VCPREEMPTVALID": "VcPreemptValid"}); err != nil {
		return err
	}
	if m.has("num_vc_id_bits") {
		if s.vcBits, err = m.numberOf("num_vc_id_bits", 0, 16); err != nil {
			return err
		}
	}
	if err := f.readCollective(m); err != nil {
		return err
	}
	return f.checkRouting(m)
}

// choice returns the value of a key by its word in upper case, or preset if the key has no value.
func (m *object) choice(key, preset string, values map[string]string) (string, error) {
	if !m.has(key) {
		return preset, nil
	}
	text, _ := m.at[key].Value.Scalar()
	value, ok := values[strings.ToUpper(text)]
	if !ok {
		known := []string{}
		for _, v := range values {
			known = append(known, v)
		}
		slices.Sort(known)
		return "", m.fault(key, "%q, known are %s", textfile.Clip(text), strings.Join(slices.Compact(known), ", "))
	}
	return value, nil
}

// readCollective lists the enabled operations.
func (f *nocNetwork) readCollective(m *object) error {
	for _, key := range oldCollectives {
		on, err := m.flag(key, false)
		if err != nil {
			return err
		}
		if on {
			f.settings.collective, f.settings.line = append(f.settings.collective, key), m.at[key].Line
		}
	}
	if !m.has("collective") {
		return nil
	}
	at := m.at["collective"]
	f.settings.line = at.Line
	c, err := mapOf(m.src, "collective", at.Value, at.Line)
	if err != nil {
		return err
	}
	for _, key := range collectives {
		on := c.has(key)
		if _, isMap := c.at[key].Value.Pairs(); on && !isMap {
			if _, isList := c.at[key].Value.List(); !isList {
				if on, err = c.flag(key, false); err != nil {
					return err
				}
			}
		}
		if on {
			f.settings.collective = append(f.settings.collective, key)
		}
	}
	return nil
}

// checkRouting checks the settings of routing against each other.
func (f *nocNetwork) checkRouting(m *object) error {
	s := &f.settings
	switch mirrored := strings.HasSuffix(f.algo, "_MIRRORED"); {
	case mirrored && f.kind != "narrow-wide":
		return m.fault("route_algo", "%s needs network_type narrow-wide", f.algo)
	case mirrored && s.decouple != "Phys":
		return m.fault("route_algo", "%s needs decouple_rw Phys, got %s: otherwise one router of the wide network routes both writes and reads",
			f.algo, s.decouple)
	case s.collective != nil && (f.algo == "ID" || f.algo == "SRC"):
		return m.fault("collective", "%s needs route_algo XY or YX or a mirrored one, got %s", s.collective[0], f.algo)
	case s.vcBits > 0 && f.kind == "axi":
		return m.fault("num_vc_id_bits", "routers with VCs need network_type narrow-wide")
	}
	return nil
}

// readProtocols reads the list protocols and checks that the widths agree.
func (f *nocNetwork) readProtocols(top *object) error {
	if !top.has("protocols") {
		return nil
	}
	f.settings.types, f.settings.input = map[string]string{}, map[string]bool{}
	width := map[string]string{} // by kind of width and type: the first value
	return top.list("protocols", "a protocol", func(m *object) error {
		name, err := m.word("name")
		if err != nil {
			return err
		}
		kind := ""
		if m.has("type") {
			if kind, err = m.choice("type", "", map[string]string{"NARROW": "narrow", "WIDE": "wide"}); err != nil {
				return err
			}
		}
		if f.kind == "narrow-wide" && kind == "" {
			return m.src.ErrorAt(m.line, "protocol %s has no type: want narrow or wide in a narrow-wide network", textfile.Clip(name))
		}
		if _, twice := f.settings.types[name]; !twice {
			f.settings.types[name] = kind
		}
		return f.checkWidths(m, name, kind, width)
	})
}

// checkWidths fails if a width of a protocol differs from that of an earlier one of the same type.
func (f *nocNetwork) checkWidths(m *object, name, kind string, first map[string]string) error {
	if f.kind == "axi" {
		kind = ""
	}
	for _, key := range []string{"addr_width", "data_width", "user_width"} {
		text, plain := m.at[key].Value.Scalar()
		if !m.has(key) || !plain || key == "user_width" && f.settings.collective != nil && f.kind == "narrow-wide" {
			continue
		}
		slot := key + kind
		if key == "addr_width" {
			slot = key
		}
		if other, known := first[slot]; known && other != text {
			return m.fault(key, "%s of protocol %s, %s of an earlier one: want the same", textfile.Clip(text), textfile.Clip(name), textfile.Clip(other))
		}
		first[slot] = text
	}
	return nil
}

// readEndpoint adds an endpoint and checks its protocols.
func (f *nocNetwork) readEndpoint(m *object) error {
	for _, role := range []struct {
		key   string
		input bool
	}{{"mgr_port_protocol", true}, {"sbr_port_protocol", false}} {
		values, ok := m.at[role.key].Value.List()
		if m.has(role.key) && !ok {
			return m.fault(role.key, "want a list of protocols")
		}
		for _, v := range values {
			name, _ := v.Scalar()
			if err := f.useProtocol(m, role.key, name, role.input); err != nil {
				return err
			}
		}
	}
	if m.has("addr_range") {
		reached, err := reachedByCollective(m.src, m.at["addr_range"].Value, m.at["addr_range"].Line)
		if err != nil {
			return err
		}
		if reached {
			name, _ := m.word("name")
			f.settings.reach = append(f.settings.reach, name)
		}
	}
	return f.addEndpoints(m)
}

// useProtocol fails if the file has protocols and not this one, or if managers and subordinates use the same one.
func (f *nocNetwork) useProtocol(m *object, key, name string, input bool) error {
	if f.settings.types == nil {
		return nil
	}
	if _, known := f.settings.types[name]; !known {
		return m.fault(key, "no protocol %q in protocols", textfile.Clip(name))
	}
	if before, used := f.settings.input[name]; used && before != input {
		return m.fault(key, "protocol %s is used by managers and by subordinates: want one for each", textfile.Clip(name))
	}
	f.settings.input[name] = input
	return nil
}

// reachedByCollective reports whether an address range, or one of a list, has en_collective: true. Releases before 0.8 have en_multicast.
func reachedByCollective(src *textfile.File, v yamldoc.Value, line int) (reached bool, err error) {
	list, ok := v.List()
	if !ok {
		list = []yamldoc.Value{v}
	}
	for _, v := range list {
		m, err := mapOf(src, "an address range", v, line)
		if err != nil {
			return false, err
		}
		for _, key := range []string{"en_collective", "en_multicast"} {
			on, err := m.flag(key, false)
			if err != nil {
				return false, err
			}
			reached = reached || on
		}
	}
	return reached, nil
}

// checkCollective fails if endpoints and routing disagree about collectives.
func (f *nocNetwork) checkCollective() error {
	switch s := &f.settings; {
	case s.collective == nil && s.reach != nil:
		return f.src.FileError("endpoint %s has en_collective, but routing enables no collective", s.reach[0])
	case s.collective != nil && s.reach == nil:
		return f.src.ErrorAt(s.line, "routing enables %s, but no addr_range of an endpoint has en_collective", s.collective[0])
	}
	return nil
}

// needs returns notes about what floogen wants besides, and what is ignored.
func (f *nocNetwork) needs(top *object) (notes []string) {
	var missing []string
	for _, key := range []string{"name", "description", "protocols"} {
		if !top.has(key) {
			missing = append(missing, key)
		}
	}
	if missing != nil {
		notes = append(notes, fmt.Sprintf("%s: floogen also wants %s", textfile.Base(f.src.Name), strings.Join(missing, ", ")))
	}
	if f.settings.ignored != nil {
		notes = append(notes, fmt.Sprintf("%s: no effect on the routes: %s in routing, which newer releases of floogen refuse", textfile.Base(f.src.Name),
			strings.Join(f.settings.ignored, ", ")))
	}
	return notes
}
