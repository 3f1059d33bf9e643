package lists

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/rows"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/names"
)

// This file reads attributes of channels: rows with the columns from and to, and some of from_port, to_port, latency,
// flit_clocks and buffer, as CSV or JSON (package rows).
//
// A row sets attributes of the channels in one direction. from and to are names or numbers of switches, or names of hosts. In a
// name, * is any text and ? is one character, so "*" is every switch and every host. An empty field, or a column that is not
// there, leaves an attribute as it is. A later row replaces what an earlier one has set.

// linkColumns are the columns of the file.
var linkColumns = []string{"from", "to", "from_port", "to_port", "latency", "flit_clocks", "buffer"}

// ReadLinks reads attributes of the channels of n. It returns the attributes of all channels, by ChannelID: those of base
// (if not nil, one for each channel), with what the file sets.
func ReadLinks(path string, n *model.Network, base []model.ChannelAttributes, o format.Options) ([]model.ChannelAttributes, error) {
	return textfile.Read(path, o.Sums, func(src *textfile.File) ([]model.ChannelAttributes, error) { return readLinks(src, n, base) })
}

func readLinks(src *textfile.File, n *model.Network, base []model.ChannelAttributes) ([]model.ChannelAttributes, error) {
	r, err := rows.Read(src)
	if err != nil {
		return nil, err
	}
	f := &linkFile{n: n, names: names.New(n), ends: map[string]*linkEnds{}, list: make([]model.ChannelAttributes, n.NumChannels())}
	copy(f.list, base)
	for _, name := range linkColumns {
		f.column = append(f.column, r.Column(name))
	}
	for _, name := range r.Columns {
		if !slices.Contains(linkColumns, name) {
			return nil, r.Errorf("unknown column %q, known are %s", textfile.Clip(name), strings.Join(linkColumns, ", "))
		}
	}
	switch {
	case !r.Has("from", "to"):
		return nil, r.Errorf("the columns from and to are missing; there are %s", textfile.Clip(strings.Join(r.Columns, ", ")))
	case !r.Has("latency") && !r.Has("flit_clocks") && !r.Has("buffer"):
		return nil, r.Errorf("no column latency, flit_clocks or buffer: nothing is set")
	}
	set := false
	err = r.Each(func(fields []string) error {
		set = true
		if err := f.row(fields); err != nil {
			return r.Errorf("%s", err)
		}
		return nil
	})
	if err == nil && !set {
		err = src.FileError("no row in it")
	}
	return f.list, err
}

// linkFile is a file that is being read.
type linkFile struct {
	n      *model.Network
	names  *names.Index
	column []int                // by index in linkColumns: index of the column, or -1
	ends   map[string]*linkEnds // by pattern: what matches it
	list   []model.ChannelAttributes
}

// linkEnds are the switches and hosts that a word names: one of them, or those that match a pattern.
type linkEnds struct {
	one             model.SwitchID // or model.NoSwitch
	host            model.HostID   // or model.NoHost
	switches, hosts []bool         // which of them match; nil if one or host is set
}

// has reports whether the end of a channel is named: switch u, or host h if u is model.NoSwitch.
func (e *linkEnds) has(u model.SwitchID, h model.HostID) bool {
	switch {
	case e.switches == nil:
		return u == e.one && (u != model.NoSwitch || h == e.host)
	case u == model.NoSwitch:
		return e.hosts[h]
	}
	return e.switches[u]
}

// field returns a field of a row, or "" if its column is not there.
func (f *linkFile) field(fields []string, name string) string {
	if i := f.column[slices.Index(linkColumns, name)]; i >= 0 {
		return strings.TrimSpace(fields[i])
	}
	return ""
}

// row sets what a row says.
func (f *linkFile) row(fields []string) error {
	var value [3]int32
	for i, name := range []string{"latency", "flit_clocks", "buffer"} {
		text := f.field(fields, name)
		v := textfile.Decimal(text)
		if text != "" && (v < 1 || v > model.MaxChannelAttribute) {
			return fmt.Errorf("%s %q, want a number from 1 to %d", name, textfile.Clip(text), model.MaxChannelAttribute)
		}
		value[i] = int32(max(v, 0))
	}
	if value == [3]int32{} {
		return fmt.Errorf("no latency, flit_clocks or buffer: the row sets nothing")
	}
	from, err := f.find("from", f.field(fields, "from"))
	if err != nil {
		return err
	}
	to, err := f.find("to", f.field(fields, "to"))
	if err != nil {
		return err
	}
	found := false
	for _, c := range f.channels(from, to) {
		if !f.leads(c, from, to) || !f.at(c, f.field(fields, "from_port"), f.field(fields, "to_port")) {
			continue
		}
		found = true
		a := &f.list[c]
		for i, to := range []*int32{&a.Latency, &a.FlitClocks, &a.Buffer} {
			if value[i] > 0 {
				*to = value[i]
			}
		}
	}
	if !found {
		return fmt.Errorf("no channel leads from %s to %s%s", textfile.Clip(f.field(fields, "from")), textfile.Clip(f.field(fields, "to")),
			portsText(f.field(fields, "from_port"), f.field(fields, "to_port")))
	}
	return nil
}

func portsText(from, to string) string {
	if from == "" && to == "" {
		return ""
	}
	return fmt.Sprintf(" with from_port %q and to_port %q", textfile.Clip(from), textfile.Clip(to))
}

// find returns what a word names.
func (f *linkFile) find(column, word string) (*linkEnds, error) {
	if e := f.ends[word]; e != nil {
		return e, nil
	}
	if !strings.ContainsAny(word, "*?") || f.names.Has(word) {
		u, h, err := f.names.Node(word)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", column, err)
		}
		return &linkEnds{one: u, host: h}, nil
	}
	pattern, err := names.Glob(word)
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", column, textfile.Clip(word), err)
	}
	e := &linkEnds{one: model.NoSwitch, switches: make([]bool, f.n.NumSwitches()), hosts: make([]bool, f.n.NumEndpoints())}
	for u := range e.switches {
		e.switches[u] = pattern.MatchString(f.n.SwitchLabel(model.SwitchID(u)))
	}
	for h := range e.hosts {
		e.hosts[h] = pattern.MatchString(f.n.HostLabel(model.HostID(h)))
	}
	if !slices.Contains(e.switches, true) && !slices.Contains(e.hosts, true) {
		return nil, fmt.Errorf("%s: no switch or host matches %q", column, textfile.Clip(word))
	}
	f.ends[word] = e
	return e, nil
}

// channels returns channels among which are all that lead from one end to the other.
func (f *linkFile) channels(from, to *linkEnds) []model.ChannelID {
	switch {
	case from.one != model.NoSwitch:
		return f.n.Out(from.one)
	case from.switches == nil:
		return []model.ChannelID{f.n.InjectChannel(from.host)}
	case to.one != model.NoSwitch:
		in := slices.Clone(f.n.Out(to.one))
		for i, c := range in {
			in[i] = f.n.Reverse(c)
		}
		return in
	case to.switches == nil:
		return []model.ChannelID{f.n.EjectChannel(to.host)}
	}
	all := make([]model.ChannelID, f.n.NumChannels())
	for c := range all {
		all[c] = model.ChannelID(c)
	}
	return all
}

// leads reports whether channel c leads from one of the first ends to one of the second.
func (f *linkFile) leads(c model.ChannelID, from, to *linkEnds) bool {
	return from.has(f.n.Tail(c), f.n.HostOf(c)) && to.has(f.n.Head(c), f.n.HostOf(c))
}

// at reports whether channel c has the given ports at its ends. Empty words are any port.
func (f *linkFile) at(c model.ChannelID, from, to string) bool {
	is := func(u model.SwitchID, p model.Port, word string) bool {
		return word == "" || u != model.NoSwitch && f.n.PortLabel(u, p) == word
	}
	return is(f.n.Tail(c), f.n.TailPort(c), from) && is(f.n.Head(c), f.n.HeadPort(c), to)
}
