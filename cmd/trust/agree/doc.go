// Package agree compares all judges of turnproof with each other, on random small networks and on
// every small graph.
//
//   - A case is a small network with a routing, drawn from a seed and a number.
//   - The walk of a case is the set of all states that its packets reach, found packet by packet.
//   - A judge answers some of the four claims about a case. Judges share as little code as possible.
//   - A disagreement is two answers to one claim that contradict each other, or evidence that is
//     wrong. An undecided claim contradicts nothing.
//   - A kept case once had a disagreement. Its smallest form is in testdata/kept.
//
// To judge case 4711 of seed 1:
//
//	j, err := judgeCase(ctx, judges, draw(1, 4711), 4711)
//
// Read first: case.go, judges.go, kinds in draw.go; methods.go for all small graphs; wormshapes.go,
// wormstates.go, wormback.go: all states of the network; wormexact.go: exact verdicts against them;
// ringstates.go: flow control of rings; reached.go: is a deadlock reached? gates.go, gatestates.go: the same for
// gates.
package agree

import "github.com/turnproof/turnproof/cmd/trust/stage"

// Stage compares the judges on random cases and on every small graph.
var Stage = stage.Stage{Name: "agree", Title: "Judges that share no code agree",
	Run: stage.Tests("cmd/trust/agree", "^(TestKept|TestJudgesAgree|TestMethodsOnGraphs)$"), Divisible: true}

// WormStage compares verify and replay with all states of small networks under wormhole switching, and the reach of
// deadlocks under every switching discipline.
var WormStage = stage.Stage{Name: "worms", Title: "All states of networks under wormhole switching",
	Run: stage.Tests("cmd/trust/agree", "^(TestWormRelations|TestWormsExact|TestReached)$"), Divisible: true}

// RingStage compares verify with all states of small networks with flow control of rings.
var RingStage = stage.Stage{Name: "rings", Title: "All states of networks with flow control of rings",
	Run: stage.Tests("cmd/trust/agree", "^TestRingStates$"), Divisible: true}

// GateStage compares verdicts on routings with gates with all states of small networks.
var GateStage = stage.Stage{Name: "gates", Title: "All states of networks with gates",
	Run: stage.Tests("cmd/trust/agree", "^TestGates$"), Divisible: true}
