package changeover

import (
	"context"
	"errors"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file lets parts change step by step.

// Step is one step of an order.
type Step struct {
	Stop    []model.DestID // get no packets from now on. Entries change when none of theirs are in the network
	Entries []Entry        // change in random clocks
	Resume  []model.DestID // get packets again
}

// Steps simulates the steps under load, o.Runs times. A step ends when no packet is left that was in the network when its last entry
// changed. It fails for sizes that do not fit the network, and if ctx ends.
func Steps(ctx context.Context, old, now model.Relation, steps []Step, o Options) (*Result, error) {
	o.defaults()
	res := &Result{How: ByLoad}
	for run := range o.Runs {
		res.Runs++
		d, clocks, err := runSteps(ctx, old, now, steps, &o, run)
		if res.Clocks += clocks; err != nil {
			return nil, err
		}
		if d != nil {
			res.Deadlock = d
			return res, nil
		}
	}
	return res, nil
}

// runSteps simulates the steps once.
func runSteps(ctx context.Context, old, now model.Relation, steps []Step, o *Options, run int) (*engine.Deadlock, engine.Clock, error) {
	random := o.random(run)
	t := newTables(old, now, o.Keep)
	e := o.engine(t.Network(), random.Uint64())
	x := &stepping{ctx: ctx, load: newLoad(t, random, &e)}
	var err error
	if x.sim, err = engine.New(t, x.load, e, x.arrived); err != nil {
		return nil, 0, err
	}
	each := max(o.Clocks/engine.Clock(len(steps)+1), 256)
	for _, s := range steps {
		x.run(each / 2)
		x.stop(s.Stop)
		long := 16 + int(each/2)>>random.IntN(6)
		begins := x.sim.Now()
		for _, entry := range s.Entries {
			t.set(entry, begins+engine.Clock(random.IntN(long)))
		}
		x.run(engine.Clock(long))
		x.resume(s.Resume)
		x.settle()
	}
	x.run(each)
	if x.deadlock == nil && x.err == nil {
		x.deadlock, x.err = x.sim.Look(ctx)
	}
	return x.deadlock, x.sim.Now(), x.err
}

// stepping is a run of steps. After an error or a deadlock nothing more happens.
type stepping struct {
	ctx      context.Context
	sim      *engine.Sim
	load     *load
	since    engine.Clock // packets that were injected before count as left ones
	left     int64        // arrivals of those
	sum      int64        // all arrivals
	deadlock *engine.Deadlock
	err      error
}

// arrived counts an arrival.
func (x *stepping) arrived(d engine.Delivery) {
	x.load.open[d.Dest]--
	if x.sum++; d.Injected < x.since {
		x.left++
	}
}

// over reports whether the run has ended.
func (x *stepping) over() bool { return x.deadlock != nil || x.err != nil }

// run simulates some clocks.
func (x *stepping) run(clocks engine.Clock) {
	if !x.over() {
		x.refill()
		x.deadlock, x.err = x.sim.Advance(x.ctx, clocks)
	}
}

// mostWait is the number of clocks after which hosts pause until the network is empty.
const mostWait = 20_000

// wait simulates until a condition holds. If that takes long, for example because packets were dropped, all hosts pause until no packet
// is left.
func (x *stepping) wait(is func() bool) {
	const look = 64
	for begins := x.sim.Now(); !x.over() && !is(); x.run(look) {
		if x.sim.Now()-begins > mostWait {
			x.empty()
			return
		}
	}
}

// empty lets all hosts pause until no packet is left.
func (x *stepping) empty() {
	x.load.silent = true
	for begins := x.sim.Now(); !x.over() && x.load.created > x.sum+x.sim.Dropped(); x.run(64) {
		if x.sim.Now()-begins > 10*mostWait {
			if x.deadlock, x.err = x.sim.Look(x.ctx); x.deadlock == nil && x.err == nil {
				x.err = errors.New("changeover: packets stay in the network, and are not frozen")
			}
			return
		}
	}
	clear(x.load.open)
	x.load.silent = false
	x.refill()
}

// refill lets hosts send again.
func (x *stepping) refill() {
	x.load.now = x.sim.Now()
	x.sim.Refill()
}

// stop stops packets to destinations, and waits until none are left.
func (x *stepping) stop(list []model.DestID) {
	for _, d := range list {
		x.load.stopped[d] = true
	}
	x.wait(func() bool {
		for d, is := range x.load.stopped {
			if is && x.load.open[d] > 0 {
				return false
			}
		}
		return true
	})
}

// resume lets destinations get packets again.
func (x *stepping) resume(list []model.DestID) {
	for _, d := range list {
		x.load.stopped[d] = false
	}
	x.refill()
}

// settle waits until the packets that are in the network now have left it.
func (x *stepping) settle() {
	x.since, x.left = x.sim.Now(), 0
	all := x.sim.InNetwork()
	x.wait(func() bool { return x.left >= all })
}
