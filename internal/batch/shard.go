package batch

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

// This file divides a work into shards, which may run on several machines.

// Shard is part I of N parts of a work. The zero value is the whole work.
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
	if err != nil || !s.valid() {
		return Shard{}, fmt.Errorf("shard %q, I/N with 1 <= I <= N <= %d was expected", text[:min(len(text), 60)], MaxShards)
	}
	return s, nil
}

func (s Shard) valid() bool { return s.I >= 1 && s.I <= s.N && s.N <= MaxShards }

// String returns I/N.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// Journal returns the file name of the shard's journal, given the name of the work's journal.
func (s Shard) Journal(journal string) string {
	return fmt.Sprintf("%s.%d-of-%d", journal, s.I, s.N)
}

// Deal returns for each of n items of a work the number of its shard, 1 to shards. The sizes of
// shards differ by at most one item. The items of a shard are spread over the work, so that no shard
// gets all slow items: items are sorted by the SHA-256 of the work's hash and their number, then
// dealt to the shards in turn.
func Deal(hash string, n, shards int) []int {
	order := make([]int, n)
	keys := make([][sha256.Size]byte, n)
	for i := range order {
		order[i], keys[i] = i, sha256.Sum256(fmt.Appendf(nil, "%s %d", hash, i))
	}
	slices.SortFunc(order, func(a, b int) int { return bytes.Compare(keys[a][:], keys[b][:]) })
	of := make([]int, n)
	for k, i := range order {
		of[i] = k%shards + 1
	}
	return of
}

// Journals returns the shards whose journals are beside the work's journal, in the order of their
// file names.
func Journals(journal string) (list []Shard, err error) {
	files, err := os.ReadDir(filepath.Dir(journal))
	if err != nil {
		return nil, err
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
