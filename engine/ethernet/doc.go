// Package ethernet simulates switched Ethernet frame by frame, with PAUSE and PFC:
// what a routing gives there, what is dropped where nothing holds frames back, and
// whether what holds them back freezes the network.
//
// Five words:
//
//   - account: the frames that a switch has in memory, by the channel by which they
//     came and their priority (under PAUSE by channel only, see Options.Control);
//   - XOFF, XON: what a switch tells the sender of a channel when an account has grown
//     beyond a threshold, and when it has shrunk to another one;
//   - stopped: a sender for whom XOFF has taken effect. It ends the frame under way;
//   - priority: the index of the VC that a frame is on, 0 to 7. Hosts send with
//     priority 0, since packets enter by VC 0 (model.Relation);
//   - frozen: an account whose sender is stopped for ever, see Sim.Frozen.
//
// A first call:
//
//	flows := []ethernet.Flow{{Source: 1, Dest: 6, Rate: 820e6}, {Source: 3, Dest: 4, Rate: 820e6}}
//	result, err := ethernet.Run(ctx, relation, flows, ethernet.Options{Control: ethernet.Pause})
//	fmt.Println(result.Goodput, result.LossRatio, result.Deadlock)
//
// Switches store and forward: a frame is received whole, passes the switch latency,
// waits in the queue of its channel and priority in the order of arrival, and is
// accounted to the channel by which it came until its last bit has left. A channel with
// several priorities takes turns. Links are full duplex; hosts consume at link rate,
// obey PAUSE and never send it.
//
// Not modelled: the time that a PAUSE lasts (the receiver is taken to send it again
// before it runs out, so XOFF holds until XON), address learning and flooding, memory
// that ports share, ageing of frames, bit errors, several frame sizes in one run.
//
// Same input and seed, same result: one goroutine, no clock but its own.
package ethernet
