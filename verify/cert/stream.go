package cert

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"maps"
	"reflect"
	"slices"
	"sync"
)

// This file reads and writes version 2 of the format: everything before the blocks like version 1, then
// one block after the other.

// blocksLine begins the list of blocks.
const blocksLine = " \"blocks\": [\n"

// mostBlock is the number of bytes of the largest block that is read.
const mostBlock = 1 << 28

// writeStream writes a certificate with blocks.
func writeStream(w io.Writer, c *Certificate) error {
	p := &printer{}
	p.open('{')
	p.fields(reflect.ValueOf(c).Elem())
	p.key("blocks").open('[')
	sum := sha256.New()
	out := io.MultiWriter(w, sum)
	flush := func() error {
		_, err := out.Write(p.out)
		p.out = p.out[:0]
		return err
	}
	err := c.Blocks.Each(1, func(_ int, b *Block) error {
		if !b.isSorted() {
			b.sort()
		}
		p.item()
		p.value(reflect.ValueOf(b).Elem())
		return flush()
	})
	if err != nil {
		return err
	}
	p.close(']')
	if err := flush(); err != nil {
		return err
	}
	p.key("digest").text(hex.EncodeToString(sum.Sum(nil)))
	p.close('}')
	_, err = w.Write(append(p.out, '\n'))
	return err
}

// isStream reports whether a file begins like version 2. head is the start of the file.
func isStream(head []byte) bool {
	return bytes.Contains(head[:min(len(head), 200)], []byte(`"schema": "`+StreamSchema+`"`))
}

// blockReader is the blocks of a file. Each can be called once.
type blockReader struct {
	*Certificate
	in   *bufio.Reader
	sum  hash.Hash
	line int
	lock sync.Mutex
	ends bool // no block follows
	// firsts has, by number of a line, the first destination of the block that ends there.
	firsts map[int]int32
}

// readStream reads a certificate up to its blocks. The blocks are read when it is judged, once; then
// Digest is set as well.
func readStream(in *bufio.Reader) (*Certificate, error) {
	c := &Certificate{}
	r := &blockReader{Certificate: c, in: in, sum: sha256.New(), firsts: map[int]int32{}}
	var head []byte
	for {
		text, err := r.next(maxBytes - len(head))
		if err != nil {
			return nil, err
		}
		r.sum.Write(text)
		if string(text) == blocksLine {
			break
		}
		head = append(head, text...)
	}
	if !bytes.HasSuffix(head, []byte(",\n")) {
		return nil, Reject("file", "line %d is not in canonical form: no comma before the blocks", r.line)
	}
	if err := json.Unmarshal(append(bytes.Clone(head[:len(head)-2]), '}'), c); err != nil {
		return nil, Reject("file", "%v", err)
	}
	p := new(printer)
	p.open('{')
	p.fields(reflect.ValueOf(c).Elem())
	p.key("blocks").open('[')
	if want := append(p.out, '\n'); !bytes.Equal(append(head, blocksLine...), want) {
		return nil, difference(append(head, blocksLine...), want)
	}
	if c.Subject.Relation == nil || c.Subject.Gates != nil || c.Subject.Bubbles != nil {
		return nil, Reject("subject", "blocks are the states of a relation without gates and bubbles")
	}
	c.Blocks = r
	return c, nil
}

// next returns the next line, with its end. It fails if the line is longer than most.
func (r *blockReader) next(most int) ([]byte, error) {
	r.line++
	var text []byte
	for {
		part, err := r.in.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > most:
			return nil, &Unreadable{Reason: fmt.Sprintf("line %d is longer than %d bytes", r.line, most)}
		case err == io.EOF:
			return nil, Reject("file", "cut off in line %d", r.line)
		case err == nil:
			return text, nil
		case err != bufio.ErrBufferFull:
			return nil, &Unreadable{"reading failed", err}
		}
	}
}

// Each implements Blocks. At the end it judges the digest.
func (r *blockReader) Each(workers int, visit func(worker int, b *Block) error) error {
	if r.in == nil {
		return &Unreadable{Reason: "its blocks have been read before"}
	}
	var wait sync.WaitGroup
	errs := make([]error, workers)
	lines := make([]int, workers) // by worker: the line in which its last block ends
	for w := range workers {
		wait.Go(func() {
			var text []byte
			for errs[w] == nil {
				text, lines[w], errs[w] = r.take(text[:0])
				if len(text) == 0 {
					return
				}
				if errs[w] == nil {
					errs[w] = r.visit(text, lines[w], func(b *Block) error { return visit(w, b) })
				}
				if errs[w] != nil {
					r.stop()
				}
			}
		})
	}
	wait.Wait()
	var first error
	at := 0
	for w, err := range errs {
		if err != nil && (first == nil || lines[w] < at) {
			first, at = err, lines[w]
		}
	}
	if first != nil {
		return first
	}
	return r.end()
}

func (r *blockReader) stop() {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.ends = true
}

// take returns the lines of the next block, or none if no block follows.
func (r *blockReader) take(text []byte) ([]byte, int, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	for !r.ends {
		line, err := r.next(mostBlock - len(text))
		if err != nil {
			r.ends = true
			return nil, r.line, err
		}
		text = append(text, line...)
		if r.ends = string(line) == "  }\n"; r.ends || string(line) == "  },\n" {
			r.sum.Write(text)
			return text, r.line, nil
		}
	}
	return nil, r.line, nil
}

// visit judges the form of a block, and calls visit with it.
func (r *blockReader) visit(text []byte, line int, visit func(b *Block) error) error {
	body := bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte(","))
	b := new(Block)
	if err := json.Unmarshal(body, b); err != nil {
		return Reject("file", "the block that ends in line %d: %v", line, err)
	}
	p := &printer{depth: 2}
	p.line()
	p.value(reflect.ValueOf(b).Elem())
	if want := p.out[1:]; !bytes.Equal(body, want) {
		from, same := lineOfDifference(body, want)
		return Reject("file", "the block that ends in line %d is not in canonical form: got %q, want %q", line, excerpt(body[from:], same-from),
			excerpt(want[from:], same-from))
	}
	if err := visit(b); err != nil {
		return err
	}
	if !b.isSorted() {
		return Reject("file", "the block that ends in line %d: states or next hops are not ascending", line)
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.firsts[line] = b.Destinations[0]
	return nil
}

// end reads the end of the file, and judges the digest.
func (r *blockReader) end() error {
	lines := slices.Sorted(maps.Keys(r.firsts))
	for i, line := range lines {
		if i > 0 && r.firsts[lines[i-1]] >= r.firsts[line] {
			return Reject("file", "the block that ends in line %d has destination %d, after a block with %d", line, r.firsts[line], r.firsts[lines[i-1]])
		}
	}
	r.sum.Write([]byte(" ]"))
	digest := hex.EncodeToString(r.sum.Sum(nil))
	for _, want := range []string{" ],\n", " \"digest\": \"" + digest + "\"\n", "}\n"} {
		line, err := r.next(maxBytes)
		if err != nil {
			return err
		}
		if got := string(line); got != want {
			return Reject("file", "line %d: got %.100q, want %.100q", r.line, got, want)
		}
	}
	if _, err := r.in.ReadByte(); err != io.EOF {
		return Reject("file", "line %d: the file goes on after its end", r.line+1)
	}
	r.Digest, r.in = digest, nil
	return nil
}
