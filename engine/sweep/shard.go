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

// This file divides an experiment into shards, which may run on several machines.

// Shard is part I of N parts of an experiment. The zero value is the whole experiment.
type Shard struct {
	I, N int // 1 <= I <= N
}

// MaxShards is the largest number of shards. Each has a journal in the same folder.
const MaxShards = 100_000

// ParseShard parses I/N.
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

// String returns I/N.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// Journal returns the file name of the shard's journal, given the name of the experiment's
// journal.
func (s Shard) Journal(journal string) string {
	return fmt.Sprintf("%s.%d-of-%d", journal, s.I, s.N)
}

// Deal returns for each point the number of its shard, 1 to n. The sizes of shards differ by at
// most one point. The points of a shard are spread over the experiment, so that no shard gets all
// slow points: points are sorted by the SHA-256 of the experiment's hash and their index, then
// dealt to the shards in turn. The result depends on the experiment and n only.
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

// ShardJournals returns the shards whose journals are beside the experiment's journal, in the
// order of their file names.
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
