package frr_test

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// This file keeps what the comparison with FRR has found, such that it continues after an interruption:
//
//	go test ./model/format/ethernet/frr -journal FILE

var (
	journalFile    = flag.String("journal", "", "keep the fabrics that are compared in `FILE`, and continue with it")
	aggregatesFile = flag.String("aggregates", "", "the same for fabrics with aggregates")
)

// journal has the fabrics whose routes are equal, by seed.
type journal struct {
	sync.Mutex
	want int // fabrics
	done map[uint64]string
	file *os.File // or nil
}

// openJournal reads a journal. Each line is a seed and what its fabric was.
func openJournal(t *testing.T, name string, want int) *journal {
	t.Helper()
	j := &journal{want: want, done: map[uint64]string{}}
	if name == "" {
		return j
	}
	var err error
	if j.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.file.Close() })
	for lines := bufio.NewScanner(j.file); lines.Scan(); {
		number, text, _ := strings.Cut(lines.Text(), " ")
		seed, err := strconv.ParseUint(number, 10, 64)
		if err != nil {
			t.Fatalf("%s: %q: want SEED TEXT", name, lines.Text())
		}
		j.done[seed] = text
	}
	return j
}

// wants reports whether a fabric is to be compared.
func (j *journal) wants(seed uint64) bool {
	j.Lock()
	_, isDone := j.done[seed]
	j.Unlock()
	return !isDone && j.compared() < j.want
}

// add notes a fabric.
func (j *journal) add(t *testing.T, seed uint64, text string) {
	j.Lock()
	defer j.Unlock()
	j.done[seed] = text
	if j.file != nil {
		if _, err := fmt.Fprintln(j.file, seed, text); err != nil {
			t.Error(err)
		}
	}
}

// compared returns the number of fabrics whose routes were compared after their failures.
func (j *journal) compared() (n int) {
	j.Lock()
	defer j.Unlock()
	for _, text := range j.done {
		if !strings.Contains(text, unsure) {
			n++
		}
	}
	return n
}

// String counts the fabrics of each kind.
func (j *journal) String() string {
	count := map[string]int{}
	for _, text := range j.done {
		count[text]++
	}
	return fmt.Sprint(count)
}
