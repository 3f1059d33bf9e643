package sweep

import (
	"github.com/turnproof/turnproof/model/format/booksim"
)

// TakeBookSim sets what the configuration of BookSim 2 says: routing, sizes and traffic, except
// those for which set returns true. The names are routing, packet, buffer and traffic.
func (e *Experiment) TakeBookSim(b *booksim.Config, set func(name string) bool) error {
	if !set("routing") {
		e.Routings = []string{b.Routing}
	}
	if !set("packet") {
		e.Settings.Packet = b.Run.Longest()
	}
	if !set("buffer") {
		e.Settings.Buffer = b.Run.Buffer
	}
	if set("traffic") {
		return nil
	}
	e.Traffics = []string{b.Run.Traffic}
	return b.Run.TrafficFault
}
