// Package agree holds all judges of turnproof against each other, on random small networks
// and on every small graph.
//
// Five words:
//
//   - case: a small network with a routing, drawn from a seed and its number;
//   - walk: all states that packets of a case get into, followed packet by packet;
//   - judge: something that answers some of the four claims; they share as little code
//     as can be;
//   - disagreement: two answers to one claim that contradict each other, or evidence that
//     does not stand;
//   - kept: a case that once had a disagreement, made as small as it goes, in testdata/kept.
//
// A first call, for case 4711 of seed 1:
//
//	j, err := judgeCase(ctx, judges, draw(1, 4711), 4711)
//
// What it does not do: an undecided claim is counted, but contradicts nothing.
package agree
