package floonoc

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file states what a floogen file says besides the routes: operations of several hosts, classes of messages that share
// buffers, and the sizes of buffers.

// Of the routers that floogen generates (floo_nw_router.sv.mako, floo_axi_router.sv.mako): flits in the buffer at the end of a link
// and in the one at its begin. A write burst of AXI4 has up to 256 beats, and its address travels in front of it in one packet.
const (
	bufferFlits = 2 + 2
	packetFlits = 256 + 1
)

// state adds the premises and doubts to r.
func (f *nocNetwork) state(r *format.Routed) error {
	file, s := textfile.Base(f.src.Name), &f.settings
	r.Run = &format.RoutedRun{Packet: packetFlits, Buffer: bufferFlits, Routers: "the routers that floogen generates",
		Source: "the routers that floogen generates, bursts of AXI4"}
	if s.decouple != "None" && f.kind == "narrow-wide" {
		r.Run.Ignored = append(r.Run.Ignored, "decouple_rw "+s.decouple)
	}
	if s.vcBits > 0 {
		r.Run.Ignored = append(r.Run.Ignored, fmt.Sprintf("num_vc_id_bits %d", s.vcBits))
	}
	if s.collective != nil {
		names := strings.Join(s.collective, ", ")
		r.Premises = append(r.Premises, model.Premise{Name: model.PremiseMulticast, Value: "present but not judged: " + names,
			Source: fmt.Sprintf("%s, line %d", file, s.line)})
		r.Doubts = append(r.Doubts, model.Doubt{Premise: model.PremiseMulticast, Against: model.AgainstProof,
			Reason: fmt.Sprintf("%s enables operations of several hosts, which are not judged: %s", file, names),
			Next:   "--assume multicast accepts that they block nothing"})
	}
	if s.vcBits > 0 {
		r.Doubts = append(r.Doubts, model.Doubt{Premise: model.PremiseBuffers, Against: model.AgainstRefutation,
			Reason: fmt.Sprintf("%s has routers with VCs (num_vc_id_bits %d), of which one is judged", file, s.vcBits)})
	}
	if f.kind != "narrow-wide" || s.decouple != "None" {
		return nil
	}
	var err error
	r.Protocol, err = f.protocol()
	return err
}

// protocol returns the messages of a wide network without decouple_rw, or nil if no two endpoints talk. Write data and read
// data share its buffers; read requests travel on req and write responses on rsp (nw_chan_mapping of floo_pkg.sv).
func (f *nocNetwork) protocol() (*model.Protocol, error) {
	var managers, subordinates []model.HostID
	for h, face := range f.faces {
		n := &f.nodes[f.nodes[face].twin]
		if n.manages {
			managers = append(managers, model.HostID(h))
		}
		if n.serves {
			subordinates = append(subordinates, model.HostID(h))
		}
	}
	if len(managers) == 0 || len(subordinates) == 0 || len(managers)+len(subordinates) == 2 && managers[0] == subordinates[0] {
		return nil, nil
	}
	request := model.ClassRule{From: managers, To: subordinates, Copies: 1, Queue: model.Room{Entries: 1}, Table: model.Room{Entries: 1}}
	response := func(cause int) model.ClassRule {
		return model.ClassRule{From: subordinates, Dest: model.ToInitiator, After: [][]int{{cause}}, Copies: 1, Queue: request.Queue, Table: request.Table}
	}
	p := &model.Protocol{
		Names:       []string{"ar", "w", "r", "b"},
		Network:     []int{0, 1, 1, 2},
		Name:        "AXI4 on the wide network",
		VirtualName: []string{"req", "wide", "rsp"},
		Source:      textfile.Base(f.src.Name) + ": without decouple_rw, write data (w) and read data (r) share the buffers of the wide network",
		Rules:       []model.ClassRule{request, request, response(0), response(1)},
	}
	if err := p.Settle(); err != nil {
		return nil, f.src.FileError("%s", strings.TrimPrefix(err.Error(), "model: "))
	}
	return p, nil
}
