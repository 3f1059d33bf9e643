// Package ethernet simulates switched Ethernet frame by frame, with PAUSE and PFC. It measures the
// performance of a routing, the frames that are dropped without flow control, and finds freezes
// that flow control causes.
//
// Terms:
//
//   - account: the frames that a switch has in memory, by their input channel and priority (with
//     PAUSE by channel only, see Options.Control);
//   - XOFF, XON: the message to the sender of a channel when an account has grown above a threshold,
//     and when it has shrunk to a second threshold;
//   - stopped: a sender for which XOFF is in effect. It finishes the frame that it is sending;
//   - priority: the index of the VC of a frame, 0 to 7. Hosts send with priority 0, since packets
//     enter by VC 0 (model.Relation);
//   - frozen: an account whose sender is stopped for ever, see Sim.Frozen.
//
// A first call:
//
//	flows := []ethernet.Flow{{Source: 1, Dest: 6, Rate: 820e6}, {Source: 3, Dest: 4, Rate: 820e6}}
//	result, err := ethernet.Run(ctx, relation, flows, ethernet.Options{Control: ethernet.Pause})
//	fmt.Println(result.Goodput, result.LossRatio, result.Deadlock)
//
// Switches store and forward. A frame is received whole, passes the switch latency, waits in the
// queue of its channel and priority in the order of arrival, and counts for its input channel
// until its last bit has left. A channel serves its priorities round robin. Links are full duplex.
// Hosts consume at link rate, obey PAUSE and never send it.
//
// Not modelled: the duration of a PAUSE (the receiver is assumed to repeat it before it expires,
// so XOFF holds until XON), address learning and flooding, memory that ports share, ageing of
// frames, bit errors, several frame sizes in one run.
//
// The same input and seed give the same result. A run uses one goroutine.
//
// Read first: doc.go, sim.go, run.go; frozen.go finds deadlocks.
package ethernet
