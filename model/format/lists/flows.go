package lists

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/rows"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/names"
)

// This file reads which pairs of hosts talk: rows with the columns source and destination, and amount or weight if they differ,
// as CSV or JSON (package rows). A node that is a switch stands for its hosts. A pair that occurs twice is one,
// with the sum of the amounts.

// FlowFormat is a format of files that say which pairs of hosts talk, other than rows. A package that reads one registers it.
type FlowFormat struct {
	Name string
	Is   func(head []byte) bool // recognises a file by its first kilobytes
	Read func(*textfile.File, *model.Network, format.Options) ([]model.Flow, error)
}

var flowFormats []FlowFormat

// RegisterFlows adds a format. Packages call it when they are linked.
func RegisterFlows(f FlowFormat) { flowFormats = append(flowFormats, f) }

// ReadFlows reads flows between the hosts of n.
func ReadFlows(path string, n *model.Network, o format.Options) ([]model.Flow, error) {
	src, err := textfile.Open(path, o.Sums)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	head, _ := src.Reader.Peek(textfile.MaxLine)
	for _, f := range flowFormats {
		if f.Is(head) {
			return f.Read(src, n, o)
		}
	}
	r, err := rows.Read(src)
	if err != nil {
		return nil, err
	}
	if !r.Has("source", "destination") {
		return nil, r.Errorf("the columns source and destination are missing; there are %s", textfile.Clip(strings.Join(r.Columns, ", ")))
	}
	amount := r.Column("amount")
	if amount < 0 {
		amount = r.Column("weight")
	}
	f := newFlowList(n, o)
	err = r.Each(func(fields []string) error {
		w := 1.0
		if amount >= 0 {
			if w, err = strconv.ParseFloat(fields[amount], 64); err != nil {
				return r.Errorf("amount %q is no number", textfile.Clip(fields[amount]))
			}
		}
		if err := f.add(fields[r.Column("source")], fields[r.Column("destination")], w); err != nil {
			return r.Errorf("%s", err)
		}
		return nil
	})
	if err == nil && len(f.list) == 0 {
		err = src.FileError("no flow in it")
	}
	return f.list, err
}

// ParseFlows reads flows in the form SOURCE:DESTINATION[,SOURCE:DESTINATION...]. Names may contain these separators.
func ParseFlows(text string, n *model.Network, o format.Options) ([]model.Flow, error) {
	f := newFlowList(n, o)
	words, err := f.names.Split(text, names.Pairs, func(word string) error { _, err := f.hostsOf(word); return err })
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(words); i += 2 {
		if err := f.add(words[i].Text, words[i+1].Text, 1); err != nil {
			return nil, err
		}
	}
	return f.list, nil
}

// flowList collects flows.
type flowList struct {
	net   *model.Network
	names *names.Index
	list  []model.Flow
	at    map[[2]model.HostID]int
}

func newFlowList(n *model.Network, o format.Options) *flowList {
	f := &flowList{net: n, names: names.New(n), at: map[[2]model.HostID]int{}}
	for _, to := range o.Found().Further {
		if !n.Host(to.Host).Management {
			f.names.AddLID(to.LID, to.Host)
		}
	}
	return f
}

// hostsOf returns the hosts that a word names. A LID or GUID must be that of a host: packets to the address of a switch go to the
// switch, not to its hosts.
func (f *flowList) hostsOf(word string) ([]model.HostID, error) {
	u, h, err := f.names.Node(word)
	if _, number := strconv.ParseUint(word, 0, 64); err == nil && number == nil && h == model.NoHost && f.net.IsInfiniBand() {
		return nil, fmt.Errorf("%s is the address of the switch %s: want the address of a host", word, f.net.SwitchLabel(u))
	}
	return f.names.HostsOf(word)
}

func (f *flowList) add(source, dest string, amount float64) error {
	if amount < model.MinTraffic || amount > model.MaxTraffic || amount != amount {
		return fmt.Errorf("amount %v; want %g to %g", amount, model.MinTraffic, model.MaxTraffic)
	}
	from, err := f.hostsOf(source)
	if err != nil {
		return err
	}
	to, err := f.hostsOf(dest)
	if err != nil {
		return err
	}
	found := false
	for _, a := range from {
		for _, b := range to {
			if a == b {
				continue
			}
			found = true
			i, ok := f.at[[2]model.HostID{a, b}]
			if !ok {
				i = len(f.list)
				f.at[[2]model.HostID{a, b}], f.list = i, append(f.list, model.Flow{Source: a, Dest: b})
			}
			f.list[i].Amount += amount
		}
	}
	if !found {
		return fmt.Errorf("a flow from %s to itself", source)
	}
	return nil
}
