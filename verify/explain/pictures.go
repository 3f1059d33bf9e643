package explain

import (
	"cmp"
	"fmt"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/verify"
)

// PacketKey marks the parts of a picture that show packet i of a cycle or a deadlock.
func PacketKey(i int) string { return fmt.Sprintf("p%d", i+1) }

// WaitingFigure shows the deadlock or the dependency cycle of a report. It returns nil if the report
// has neither.
func WaitingFigure(rep *verify.Report, o figure.Options) *figure.Graph {
	n := rep.Relation.Network()
	if n.NumSwitches() > cmp.Or(o.MaxSwitches, figure.MaxSwitches) && figure.InLine(n, rep.Cycle) {
		o.Position = nil // a ring shows as one
	}
	switch {
	case rep.DeadlockFree.Verdict == verify.Refuted && !rep.CycleBlocks():
		o.Title = "Deadlock"
		return DeadlockFigure(rep, o)
	case len(rep.Cycle) > 0:
		o.Title = "Credit loop"
		return CycleFigure(rep.Relation, rep.Cycle, rep.CyclePackets, o)
	}
	return nil
}

// CycleFigure shows a dependency cycle with the packets that hold its channels.
func CycleFigure(r model.Relation, cycle []model.VCID, packets []*cdg.Packet, o figure.Options) *figure.Graph {
	steps := make([]figure.Step, len(cycle))
	for i, p := range packets {
		steps[i] = figure.Step{VC: cycle[i], Source: p.Source, Destination: DestinationOf(r, p), Key: PacketKey(i)}
		for _, s := range p.Path[:len(p.Path)-1] {
			steps[i].Path = append(steps[i].Path, s.VC)
		}
	}
	return figure.CycleOnNetwork(r.Network(), steps, o)
}

// DeadlockFigure shows the packets of a deadlock and the channels for which they wait.
func DeadlockFigure(rep *verify.Report, o figure.Options) *figure.Graph {
	var packets []figure.Worm
	for k, i := range Order(rep) {
		p := rep.Configuration[i]
		w := figure.Worm{Source: p.Source, Destination: DestinationOf(rep.Relation, p), Waits: rep.WaitsFor(i), Key: PacketKey(k)}
		for _, at := range rep.Held(i) {
			w.Holds = append(w.Holds, at.VC)
		}
		packets = append(packets, w)
	}
	return figure.Configuration(rep.Relation.Network(), packets, o)
}
