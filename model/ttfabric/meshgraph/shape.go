package meshgraph

import (
	"slices"

	"github.com/turnproof/turnproof/model/format/textproto"
)

// This file reads shapes.

func (r *reader) shape(f textproto.Field, isSwitch bool) (*Shape, error) {
	name, err := r.name(f)
	if err != nil {
		return nil, err
	}
	m := f.Message
	r.known(f.Name+".", m, "name", "arch", "device_topology", "host_topology", "channels", "express_links", "express_connections")
	s := &Shape{Name: name, Line: f.Line, IsSwitch: isSwitch}
	for _, read := range []func(*Shape, *textproto.Message) error{r.arch, r.topology, r.hosts, r.links, r.express} {
		if err := read(s, m); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (r *reader) arch(s *Shape, m *textproto.Message) error {
	f, err := r.scalar(m, "arch", true)
	if err != nil {
		return err
	}
	names := []string{Wormhole, Blackhole}
	i, err := r.word(f, 1, names...)
	s.Arch = names[i]
	return err
}

// topology reads the dimensions and their types.
func (r *reader) topology(s *Shape, m *textproto.Message) error {
	f, err := r.only(m, "device_topology", true)
	if err != nil {
		return err
	}
	r.known("device_topology.", f.Message, "dims", "dim_types", "types")
	if s.Dims, err = r.two(f.Message, "dims", [2]int{}); err != nil {
		return err
	}
	types := slices.Concat(f.Message.Named("dim_types"), f.Message.Named("types"))
	if len(types) > 2 {
		return r.fault(types[2].Line, "%d types of dimensions; want 2, one for each of dims", len(types))
	}
	for i := range types {
		t, err := r.word(&types[i], 1, "LINE", "RING")
		if err != nil {
			return err
		}
		s.Ring[i] = t == 1
	}
	return nil
}

// hosts reads the hosts, which must divide the chips.
func (r *reader) hosts(s *Shape, m *textproto.Message) error {
	s.Hosts = [2]int{1, 1}
	f, err := r.only(m, "host_topology", !s.IsSwitch)
	if f == nil {
		return err
	}
	r.known("host_topology.", f.Message, "dims")
	if s.Hosts, err = r.two(f.Message, "dims", [2]int{}); err != nil {
		return err
	}
	for i := range s.Dims {
		if s.Dims[i]%s.Hosts[i] != 0 {
			return r.fault(f.Line, "host_topology has %d in dimension %d, which does not divide the %d chips there", s.Hosts[i], i, s.Dims[i])
		}
	}
	return nil
}

func (r *reader) links(s *Shape, m *textproto.Message) (err error) {
	f, err := r.only(m, "channels", true)
	if err != nil {
		return err
	}
	s.Channels, s.Strict, err = r.channels(f)
	return err
}

// channels reads count and policy. Without a policy it is STRICT.
func (r *reader) channels(f *textproto.Field) (count int, strict bool, err error) {
	r.known("channels.", f.Message, "count", "policy")
	if count, err = r.number(f.Message, "count", 1, maxChannels, 0); err != nil {
		return 0, false, err
	}
	p, err := r.scalar(f.Message, "policy", false)
	if p == nil {
		return count, true, err
	}
	i, err := r.word(p, 1, "STRICT", "RELAXED")
	return count, i == 0, err
}

// express reads express links. The explicit links of older schemas are refused.
func (r *reader) express(s *Shape, m *textproto.Message) error {
	if list := m.Named("express_connections"); len(list) > 0 {
		return r.fault(list[0].Line, "express_connections are not routed by the fabric; want express_links with a pattern")
	}
	for _, f := range m.Named("express_links") {
		e := Express{Line: f.Line}
		if f.Message == nil {
			return r.fault(f.Line, "express_links has the value %s; want a message", f.Text)
		}
		r.known("express_links.", f.Message, "dim_idx", "pattern", "wrap")
		p, err := r.only(f.Message, "pattern", true)
		if err != nil {
			return err
		}
		r.known("express_links.pattern.", p.Message, "start", "step")
		if e.Dim, err = r.number(f.Message, "dim_idx", 0, 1, 0); err != nil {
			return err
		}
		if e.Start, err = r.number(p.Message, "start", 0, s.Dims[e.Dim]-1, 0); err != nil {
			return err
		}
		if e.Step, err = r.number(p.Message, "step", 2, s.Dims[e.Dim], 0); err != nil {
			return err
		}
		e.Wrap = s.Ring[e.Dim]
		wrap, err := r.scalar(f.Message, "wrap", false)
		if err != nil {
			return err
		}
		if wrap != nil {
			i, err := r.word(wrap, 1, "LINE", "RING")
			if err != nil {
				return err
			}
			e.Wrap = i == 1
		}
		s.Express = append(s.Express, e)
	}
	return nil
}
