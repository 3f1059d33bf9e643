// Package batch computes independent numbered items: on all processors of one machine, or in shards
// on several machines. An interrupted run can resume.
//
// Terms:
//
//   - work: a list of items with the function that computes one;
//   - journal: a file to which each finished item is appended, so that no item is computed twice;
//   - shard: part I of N parts of a work, with a journal of its own;
//   - merge: the results of all shards are moved into the journal of the work.
//
// A first call:
//
//	w := batch.Work[int]{N: 100, Hash: hash, Run: "squares", Item: "number", Compute: square,
//		Format: batch.Indexed[int](batch.Header{Schema: "squares/1", Hash: hash, Items: 100}, "list", nil)}
//	found, err := batch.Run(ctx, w, batch.Options{Journal: "squares.journal"})
//
// The results do not depend on the number of processors or shards if those of Compute do not.
//
// Read first: work.go, run.go; format.go (journals), shard.go, merge.go.
package batch
