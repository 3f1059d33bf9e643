package traffic

import (
	"errors"
	"math/rand/v2"
	"sort"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/lists"
)

// The pattern that draws a destination with probability proportional to the host's traffic to it.
//
// Method: cumulative sums over runs of destinations with equal amounts, so that traffic between
// blocks of hosts takes little memory. Cost: O(hosts²) once, O(log runs) for each packet; 16 bytes
// for each run.

// matrix is the pattern, by source.
type matrix struct {
	runs  [][]run
	share []float64
}

// run is a sequence of destinations with the same amount.
type run struct {
	end          float64 // sum of the amounts up to the end of the run
	first, count int32
}

// FromTraffic returns the pattern in which host h sends to d in proportion to t.Between(h, d). The
// share of a host is its traffic relative to that of the busiest host. It fails if no host sends.
// t must be traffic of n.
func FromTraffic(n *model.Network, t *model.Traffic) (Pattern, error) {
	m := &matrix{runs: make([][]run, n.NumHosts()), share: make([]float64, n.NumHosts())}
	most := 0.0
	for h := range m.runs {
		m.runs[h] = runsOf(t, model.HostID(h), n.NumHosts())
		m.share[h] = total(m.runs[h])
		most = max(most, m.share[h])
	}
	if most == 0 {
		return nil, errors.New("traffic: no host sends to another")
	}
	for h := range m.share {
		m.share[h] /= most
	}
	return m, nil
}

func runsOf(t *model.Traffic, h model.HostID, hosts int) (list []run) {
	sum, before := 0.0, 0.0
	for d := range model.HostID(hosts) {
		w := t.Between(h, d)
		switch {
		case sum+w == sum: // w is 0, or too small to change the sum
			before = 0
			continue
		case w == before:
			list[len(list)-1].count++
		default:
			list = append(list, run{first: int32(d), count: 1})
		}
		sum, before = sum+w, w
		list[len(list)-1].end = sum
	}
	return list
}

func total(list []run) float64 {
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1].end
}

// Dest implements Pattern.
func (m *matrix) Dest(h model.HostID, random *rand.Rand) model.HostID {
	list := m.runs[h]
	if len(list) == 0 {
		return model.NoHost
	}
	at := random.Float64() * total(list)
	i := min(sort.Search(len(list), func(i int) bool { return list[i].end > at }), len(list)-1)
	begin := 0.0
	if i > 0 {
		begin = list[i-1].end
	}
	r := list[i]
	k := int32((at - begin) / (r.end - begin) * float64(r.count))
	return model.HostID(r.first + min(k, r.count-1))
}

// Share implements Sharer.
func (m *matrix) Share(h model.HostID) float64 { return m.share[h] }

func matrixFile(n *model.Network, path string, _ uint64) (Pattern, error) {
	t, err := lists.ReadTraffic(path, n, format.Options{})
	if err != nil {
		return nil, err
	}
	p, err := FromTraffic(n, t)
	if err != nil {
		return nil, &FileError{File: path, Msg: strings.TrimPrefix(err.Error(), "traffic: "), Err: err}
	}
	return p, nil
}
