// Package streams models finite lists of packets that hold resources from head to tail, and the
// programs that send and receive them. The question is whether they can hang.
//
//	p, err := streams.Read(string(text), "flows.yaml")
//	for _, r := range p.Resources {
//		fmt.Println(r.Name)
//	}
//
// Words: a resource is an arbiter or a link (it holds no words) or a buffer (it holds some). A route is a path
// or a tree of resources from a sender's buffer to the buffers of receivers. A counter is a
// semaphore. An agent runs a program: it sends packets, takes words, acquires and releases counters.
//
// The rules, which problem.go states in full: a packet takes the resources of its route in order, keeps each until its last
// word has passed, and moves a word only when every branch can take it. Nothing has a duration.
//
// The package does not decide anything; verify/streams does. It does not know networks and routings.
//
// Read first: problem.go (the rules), read.go (the neutral format), packets.go (its short form).
package streams
