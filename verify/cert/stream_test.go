package cert_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
)

// This file holds version 2 of the format to version 1: every certificate of a relation that other
// tests judge is also judged in blocks.

// inBlocks returns c in version 2, or nil if c is not for it.
func inBlocks(c *Certificate) *Certificate {
	if c == nil || c.Subject.Relation == nil || c.Subject.Gates != nil || c.Subject.Bubbles != nil || c.Subject.Table != nil || c.Schema != Schema ||
		len(c.Subject.Relation.Destinations) == 0 {
		return nil
	}
	v2, err := InBlocks(c)
	if err != nil {
		return nil
	}
	return v2
}

// acceptedInBlocks checks c in blocks: judged as it is, written and read, and listed again.
func acceptedInBlocks(t *testing.T, c *Certificate) {
	t.Helper()
	v2 := inBlocks(c)
	if v2 == nil {
		return
	}
	if err := Check(v2); err != nil {
		t.Fatalf("rejected in blocks: %v", err)
	}
	file := fileInBlocks(t, v2)
	read, err := Read(bytes.NewReader(file))
	if err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	if err := Check(read); err != nil {
		t.Fatalf("rejected from a file: %v\n%s", err, file)
	}
	if !strings.Contains(string(file), read.Digest) || len(read.Digest) != 64 {
		t.Errorf("digest %q", read.Digest)
	}
	if err := Check(read); err == nil {
		t.Error("blocks were read twice")
	}
	again, err := Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	listed, err := List(again)
	if err != nil {
		t.Fatal(err)
	}
	want := clone(c)
	want.Digest = ""
	if got, want := Encode(listed), Encode(want); !bytes.Equal(got, want) {
		t.Errorf("listed: %v", Difference(got, want))
	}
}

func fileInBlocks(t *testing.T, v2 *Certificate) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := Write(&file, v2); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// refusedInBlocks checks that c is rejected in blocks, too.
func refusedInBlocks(t *testing.T, what string, c *Certificate) {
	t.Helper()
	v2 := inBlocks(c)
	if v2 == nil {
		return
	}
	var bad *Rejection
	if err := Check(v2); !errors.As(err, &bad) {
		t.Fatalf("mutant accepted in blocks (%v): %s", err, what)
	}
	file := fileInBlocks(t, v2)
	read, err := Read(bytes.NewReader(file))
	if err == nil {
		err = Check(read)
	}
	if !errors.As(err, &bad) {
		t.Fatalf("mutant accepted from a file (%v): %s\n%s", err, what, file)
	}
}

// TestStreamRejects changes files of version 2, byte by byte and line by line.
func TestStreamRejects(t *testing.T) {
	mixed, ok := waitAs(rand.New(rand.NewPCG(1, 2)), onRing("vct", adaptiveHops), WaitingMixed)
	if !ok {
		t.Fatal("no mixture")
	}
	for name, subject := range map[string]Subject{"adaptive": onRing("vct", adaptiveHops), "any": onRing("wormhole", anyHops), "mixed": mixed} {
		v2 := inBlocks(certify(subject))
		file := string(fileInBlocks(t, v2))
		check := func(text string) error {
			c, err := Read(strings.NewReader(text))
			if err == nil {
				err = Check(c)
			}
			return err
		}
		if err := check(file); err != nil {
			t.Fatal(name, err)
		}
		for i := range file {
			for k, to := range []string{"", "0", "A", " ", "\n", file[i:i+1] + file[i:i+1]} {
				if k != i%24 && !long() {
					continue // one change of every fourth byte
				}
				changed := file[:i] + to + file[i+1:]
				if changed != file && check(changed) == nil {
					t.Fatalf("%s: accepted with %q at byte %d instead of %q", name, to, i, file[i])
				}
			}
			if (i%24 == 0 || long()) && check(file[:i]) == nil {
				t.Fatalf("%s: accepted with %d of %d bytes", name, i, len(file))
			}
		}
		if check(file+"\n") == nil || check(file+file) == nil {
			t.Errorf("%s: accepted with more after its end", name)
		}
		lines := strings.SplitAfter(file, "\n")
		for i := range lines {
			without := strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), "")
			twice := strings.Join(append(append([]string{}, lines[:i+1]...), lines[i:]...), "")
			if lines[i] != "" && (check(without) == nil || check(twice) == nil) {
				t.Errorf("%s: accepted without or with twice line %d: %s", name, i+1, lines[i])
			}
		}
	}
}

// changedBlocks is the blocks of a certificate, changed by a function.
type changedBlocks struct {
	Blocks
	change func(i int, list []*Block) []*Block
}

// Each implements Blocks.
func (x changedBlocks) Each(_ int, visit func(worker int, b *Block) error) error {
	var list []*Block
	err := x.Blocks.Each(1, func(_ int, b *Block) error {
		list = append(list, deepCopy(reflect.ValueOf(b)).Interface().(*Block))
		return nil
	})
	if err != nil {
		return err
	}
	for _, b := range x.change(0, list) {
		if err := visit(0, b); err != nil {
			return err
		}
	}
	return nil
}

// TestBlocksReject changes single blocks.
func TestBlocksReject(t *testing.T) {
	base := certify(onRing("vct", adaptiveHops))
	for _, c := range []struct {
		name   string
		change func(list []*Block) []*Block
		words  string
	}{
		{"nothing", func(list []*Block) []*Block { return list }, ""},
		{"a block less", func(list []*Block) []*Block { return list[1:] }, "destination 0 is in no block"},
		{"a block twice", func(list []*Block) []*Block { return append(list, list[0]) }, "destination 0 is in two blocks"},
		{"no destination", func(list []*Block) []*Block { list[0].Destinations = nil; return list }, "without a destination"},
		{"no such destination", func(list []*Block) []*Block { list[0].Destinations[0] = 4; return list }, "destination 4 of 4"},
		{"another destination", func(list []*Block) []*Block {
			list[0].Destinations, list[1].Destinations = list[1].Destinations, list[0].Destinations
			return list
		}, "to itself"},
		{"two switches", func(list []*Block) []*Block { list[0].Destinations = Ints{0, 1}; return append(list[:1], list[2:]...) }, "not at different endpoints of one switch"},
		{"destinations twice", func(list []*Block) []*Block { list[0].Destinations = Ints{0, 0}; return list }, "destination 0 after 0"},
		{"a count less", func(list []*Block) []*Block { list[0].Counts[0]--; return list }, "hops to destination 0"},
		{"a count more", func(list []*Block) []*Block { list[0].Counts[0] = 1 << 30; return list }, "more than there are numbers left"},
		{"counts negative", func(list []*Block) []*Block { list[0].Counts[0] = -1; return list }, "-1 next hops"},
		{"no counts", func(list []*Block) []*Block { list[0].Counts = list[0].Counts[:1]; return list }, "to destination 0"},
		{"a state twice", func(list []*Block) []*Block {
			list[0].VCs[1], list[0].Classes[1] = list[0].VCs[0], list[0].Classes[0]
			return list
		}, "is there twice"},
		{"no class", func(list []*Block) []*Block { list[0].Classes[0] = 2; return list }, "class 2 of 2"},
		{"no hop class", func(list []*Block) []*Block { list[0].HopClasses[0] = -1; return list }, "class -1 of 2"},
		{"no VC", func(list []*Block) []*Block { list[0].VCs[0] = -1; return list }, "enters no switch"},
		{"a VC beyond all", func(list []*Block) []*Block { list[0].VCs[0] = 1 << 20; return list }, "enters no switch"},
		{"a hop beyond all", func(list []*Block) []*Block { list[0].Hops[0] = 1 << 20; return list }, "does not leave"},
		{"a hop below all", func(list []*Block) []*Block { list[0].Hops[0] = -2; return list }, "does not leave"},
		{"home from afar", func(list []*Block) []*Block {
			for j := range list[0].Hops {
				list[0].Hops[j] = Home
			}
			return list
		}, "which the ejection channel of destination 0 does not leave"},
		{"commits", func(list []*Block) []*Block { list[0].Commits = make(Ints, len(list[0].VCs)); return list }, "commits to destination 0"},
		{"escape", func(list []*Block) []*Block { list[0].Escape = make(Ints, len(list[0].Hops)); return list }, "escape to destination 0"},
		{"a state that nothing reaches", func(list []*Block) []*Block {
			b, known := list[0], map[[2]int32]bool{}
			for i, vc := range b.VCs {
				known[[2]int32{vc, b.Classes[i]}] = true
			}
			for vc := int32(0); vc < 16; vc++ { // the VCs between switches
				for k := int32(0); k < 2; k++ {
					if !known[[2]int32{vc, k}] {
						b.VCs, b.Classes, b.Counts = append(b.VCs, vc), append(b.Classes, k), append(b.Counts, 0)
						return list
					}
				}
			}
			return nil
		}, "no packet to destination 0 can reach"},
		{"a state less", func(list []*Block) []*Block {
			b := list[0]
			k := int(b.Counts[0])
			b.VCs, b.Classes, b.Counts, b.Hops, b.HopClasses = b.VCs[1:], b.Classes[1:], b.Counts[1:], b.Hops[k:], b.HopClasses[k:]
			return list
		}, ""},
	} {
		v2 := inBlocks(base)
		v2.Blocks = changedBlocks{v2.Blocks, func(_ int, list []*Block) []*Block { return c.change(list) }}
		err := Check(v2)
		var no *Rejection
		switch {
		case c.name == "nothing" && err != nil:
			t.Error(err)
		case c.name != "nothing" && (!errors.As(err, &no) || !strings.Contains(no.Error(), c.words)):
			t.Errorf("%s: error %v, want %q", c.name, err, c.words)
		}
	}
}

// TestBlockOrder: the blocks of a file are ascending by their first destination.
func TestBlockOrder(t *testing.T) {
	v2 := inBlocks(certify(onRing("vct", adaptiveHops)))
	v2.Blocks = changedBlocks{v2.Blocks, func(_ int, list []*Block) []*Block {
		list[0], list[1] = list[1], list[0]
		return list
	}}
	if err := Check(v2); err != nil {
		t.Error(err) // in memory the order does not matter
	}
	read, err := Read(bytes.NewReader(fileInBlocks(t, v2)))
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(read); err == nil || !strings.Contains(err.Error(), "has destination 0, after a block with 1") {
		t.Error(err)
	}
}
