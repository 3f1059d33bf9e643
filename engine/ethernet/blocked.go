package ethernet

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// Buffer names an account: the frames that came by Channel in Priority. With Pause, Priority is
// -1: all priorities.
type Buffer struct {
	Channel  model.ChannelID
	Priority int
}

// Blocked is a frozen account. Frame is the first that came of the frames waiting in it. WaitsFor
// is the frozen account that must shrink before Frame moves.
type Blocked struct {
	Buffer
	Frames, Bytes int // of this account, waiting for frozen accounts; more than XON
	Frame         int64
	Flow          int
	Source        model.HostID
	Dest          model.DestID
	Class         model.Class // class of Frame at that time
	WaitsFor      Buffer
}

// Deadlock is a set of accounts that are frozen for ever.
type Deadlock struct {
	Found         Time      // time of the search that found it
	Since         Time      // time from which all its senders were stopped
	Blocked       []Blocked // all frozen accounts, by channel and priority
	Cycle         []int     // indices into Blocked: each account waits for the next, the last for the first
	Frames, Bytes int       // waiting frames and bytes of all its accounts
}

// Text returns the cycle in words, one line for each account:
//
//	channel 0 (0 > 1): 40 frames stuck; host 5 > host 2 waits for channel 2 (1 > 3)
func (d *Deadlock) Text(n *model.Network) string {
	var b strings.Builder
	for _, i := range d.Cycle {
		x := &d.Blocked[i]
		fmt.Fprintf(&b, "%s: %d frames stuck; %s > destination %d waits for %s\n",
			x.Buffer.text(n), x.Frames, n.HostLabel(x.Source), x.Dest, x.WaitsFor.text(n))
	}
	return b.String()
}

func (b Buffer) text(n *model.Network) string {
	var from string
	if h := n.HostOf(b.Channel); h != model.NoHost {
		from = n.HostLabel(h)
	} else {
		from = n.SwitchName(n.Tail(b.Channel))
	}
	at := fmt.Sprintf("channel %d (%s > %s)", b.Channel, from, n.SwitchName(n.Head(b.Channel)))
	if b.Priority >= 0 && n.VCs() > 1 {
		at += fmt.Sprintf(" priority %d", b.Priority)
	}
	return at
}
