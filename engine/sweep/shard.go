package sweep

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// This file deals an experiment out to several machines.

// Shard is one of so many parts of an experiment. The zero value is the whole of it.
type Shard struct {
	I, N int // I is 1 to N
}

// MaxShards bounds the parts: that many journals lie in one folder.
const MaxShards = 100_000

// ParseShard reads I/N.
func ParseShard(text string) (s Shard, err error) {
	i, n, _ := strings.Cut(text, "/")
	if s.I, err = strconv.Atoi(i); err == nil {
		s.N, err = strconv.Atoi(n)
	}
	if err != nil || s.I < 1 || s.I > s.N || s.N > MaxShards {
		return Shard{}, fmt.Errorf("sweep: shard %q, I/N with 1 <= I <= N <= %d was expected", clip(text), MaxShards)
	}
	return s, nil
}

// String is the form that ParseShard reads.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// Journal is the journal of a shard: it lies beside that of the experiment.
func (s Shard) Journal(journal string) string {
	return fmt.Sprintf("%s.%d-of-%d", journal, s.I, s.N)
}

// Deal returns for each point the shard, 1 to n, that runs it. Shards differ by a point at
// most, and the points of one are all over the experiment, so that no shard gets all the
// slow ones: they are dealt in the order of the SHA-256 of the experiment's hash and their
// index, which depends on nothing but the experiment.
func (e *Experiment) Deal(n int) ([]int, error) {
	hash, err := e.Hash()
	if err != nil {
		return nil, err
	}
	order := make([]int, e.size())
	keys := make([][sha256.Size]byte, len(order))
	for i := range order {
		order[i], keys[i] = i, sha256.Sum256(fmt.Appendf(nil, "%s %d", hash, i))
	}
	slices.SortFunc(order, func(a, b int) int { return bytes.Compare(keys[a][:], keys[b][:]) })
	of := make([]int, len(order))
	for k, i := range order {
		of[i] = k%n + 1
	}
	return of, nil
}

// ShardJournals returns the shards whose journals lie beside that of an experiment, in the
// order of their names.
func ShardJournals(journal string) (list []Shard, err error) {
	files, err := os.ReadDir(filepath.Dir(journal))
	if err != nil {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	for _, f := range files {
		if rest, ok := strings.CutPrefix(f.Name(), filepath.Base(journal)+"."); ok {
			s, err := ParseShard(strings.Replace(rest, "-of-", "/", 1))
			if err == nil && filepath.Base(s.Journal(journal)) == f.Name() {
				list = append(list, s)
			}
		}
	}
	return list, nil
}
