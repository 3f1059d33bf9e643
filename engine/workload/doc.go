// Package workload runs the communication of an application on a simulated network: a graph of
// operations in which messages wait for other messages. It answers when the application ends, how
// long each message takes, and which chain of operations decides the end.
//
// Terms:
//
//   - rank: a process of the application; a mapping gives each rank a host;
//   - operation: a send, a receive or a calculation of one rank;
//   - requires: an operation starts after the end of another operation of its rank;
//   - irequires: an operation starts after the start of another operation of its rank;
//   - channel: the messages from one rank to another with one tag; receives take them in order;
//   - time: a number of clocks since the beginning. An operation that ends at time t lets another
//     start at time t, which is the beginning of clock t.
//
// A first call:
//
//	graph, err := workload.Open("trace.goal", hosts)
//	result, err := workload.Run(ctx, relation, graph, workload.Settings{FlitBytes: 16, Packet: 8})
//	fmt.Println(result.End, "clocks")
//
// Readers: GOAL of LogGOPSim as text and binary, Chakra execution traces as protobuf and JSON, CSV.
// Generators: collectives with a size in bytes.
//
// The package does not model the time that a processor needs for a send or a receive (o of LogGP).
//
// Read first: graph.go, open.go (the table of formats), collective.go (the table of collectives), run.go,
// operations.go; match.go, senders.go; result.go (critical path).
package workload
