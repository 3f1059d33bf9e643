package format

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
)

// This file reads traffic: what hosts send to each other.
//
//	# source destination amount; later lines count
//	*  *  1
//	H1 *  2.5
//	"node08 HCA-1" H7 0
//
// A host is named by its description, in quotes if it has blanks, its port GUID,
// its LID, or, where hosts have none of these, by its number. "*" stands for all.
// Pairs that no line names send nothing. Amounts are of any unit, 0 or from
// model.MinTraffic to model.MaxTraffic.

// maxSinglePairs bounds the pairs that lines with one "*" or none name.
const maxSinglePairs = 1 << 24

// ReadTraffic reads the traffic between n's hosts.
func ReadTraffic(path string, n *model.Network, o Options) (*model.Traffic, error) {
	src, err := open(path, o)
	if err != nil {
		return nil, err
	}
	defer src.close()
	return readTraffic(src, n)
}

// trafficReader reads line by line. All lines of the form "* *" before others
// give the ground; the others single pairs.
type trafficReader struct {
	src   *lines
	n     *model.Network
	hosts map[string]model.HostID // model.NoHost: several
	t     *model.Traffic
	pairs int
}

func readTraffic(src *lines, n *model.Network) (*model.Traffic, error) {
	src.endLast()
	r := &trafficReader{src: src, n: n, hosts: hostNames(n)}
	if err := r.ground(0); err != nil {
		return nil, err
	}
	if err := src.each(r.line); err != nil {
		return nil, err
	}
	return r.t, nil
}

// ground makes all pairs alike.
func (r *trafficReader) ground(amount float64) (err error) {
	r.t, err = model.GroupTraffic(r.n, make([]int32, r.n.NumHosts()), [][]float64{{amount}})
	r.pairs = 0
	return err
}

// hostNames lists what hosts are called.
func hostNames(n *model.Network) map[string]model.HostID {
	names := map[string]model.HostID{}
	add := func(name string, h model.HostID) {
		if old, ok := names[name]; ok && old != h {
			h = model.NoHost
		}
		names[name] = h
	}
	for h := range model.HostID(n.NumHosts()) {
		e := n.Host(h)
		add(n.HostLabel(h), h)
		if e.Name != "" {
			add(e.Name, h)
		}
		if e.PortGUID != 0 {
			add(fmt.Sprintf("0x%016x", e.PortGUID), h)
		}
		switch {
		case e.LID != 0:
			add(strconv.Itoa(int(e.LID)), h)
		case e.PortGUID == 0:
			add(strconv.Itoa(int(h)), h)
		}
	}
	return names
}

func (r *trafficReader) line(line []byte) error {
	if r.src.n == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")) // a byte order mark
	}
	f := words(line)
	if len(f) == 0 {
		return nil
	}
	if len(f) != 3 {
		return r.src.errorf("%q: source, destination and amount were expected", clip(line))
	}
	from, allFrom, err := r.host(f[0])
	if err != nil {
		return err
	}
	to, allTo, err := r.host(f[1])
	if err != nil {
		return err
	}
	amount, err := strconv.ParseFloat(string(f[2]), 64)
	if err != nil {
		return r.src.errorf("%q is no amount", clip(f[2]))
	}
	if allFrom && allTo {
		err = r.ground(amount)
	} else {
		err = r.set(from, allFrom, to, allTo, amount)
	}
	if err != nil {
		return r.src.errorf("%s", err)
	}
	return nil
}

// words cuts a line at blanks that are not within double quotes; # ends it.
func words(line []byte) (list [][]byte) {
	for {
		line = bytes.TrimLeft(line, " \t")
		if len(line) == 0 || line[0] == '#' {
			return list
		}
		if line[0] == '"' {
			if end := bytes.IndexByte(line[1:], '"'); end >= 0 {
				list, line = append(list, line[1:1+end]), line[2+end:]
				continue
			}
		}
		end := bytes.IndexAny(line, " \t#")
		if end < 0 {
			end = len(line)
		}
		list, line = append(list, line[:end]), line[end:]
	}
}

// host finds a host by a word; all reports "*".
func (r *trafficReader) host(word []byte) (h model.HostID, all bool, err error) {
	if string(word) == "*" {
		return 0, true, nil
	}
	h, ok := r.hosts[string(word)]
	if guid, _, hex := hexField(word); !ok && hex {
		h, ok = r.hosts[fmt.Sprintf("0x%016x", guid)]
	}
	switch {
	case !ok:
		return 0, false, r.src.errorf("no host %q in the network: give its description, port GUID, LID or number", clip(word))
	case h == model.NoHost:
		return 0, false, r.src.errorf("several hosts are called %q", clip(word))
	}
	return h, false, nil
}

func (r *trafficReader) set(from model.HostID, allFrom bool, to model.HostID, allTo bool, amount float64) error {
	sources, dests := []model.HostID{from}, []model.HostID{to}
	every := func() (list []model.HostID) {
		for h := range model.HostID(r.n.NumHosts()) {
			list = append(list, h)
		}
		return list
	}
	if allFrom {
		sources = every()
	}
	if allTo {
		dests = every()
	}
	if r.pairs += len(sources) * len(dests); r.pairs > maxSinglePairs {
		return fmt.Errorf("more than %d single pairs", maxSinglePairs)
	}
	for _, s := range sources {
		for _, d := range dests {
			if err := r.t.Set(s, d, amount); err != nil {
				return err
			}
		}
	}
	return nil
}
