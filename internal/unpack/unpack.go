// Package unpack reads files that may be packed by gzip.
package unpack

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
)

// A packed file may be MostBytes long, and beyond that MostTimes as long as it is packed:
// dumps of fabrics are some ten times as long, and gzip makes of a gigabyte of one line some
// five megabytes at its quickest, one at its best.
const (
	MostBytes = 1 << 26
	MostTimes = 100
)

// Reader returns what r holds, unpacked where its content says so. Reading fails when that is
// out of measure. The second result reports whether it is packed.
func Reader(r *bufio.Reader) (io.Reader, bool, error) {
	if magic, _ := r.Peek(2); string(magic) != "\x1f\x8b" {
		return r, false, nil
	}
	packed := &counter{r: r}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, true, err
	}
	return &measured{r: z, packed: packed}, true, nil
}

// counter counts what is read. It is an io.ByteReader, so that gzip reads no further than it
// needs to.
type counter struct {
	r *bufio.Reader
	n int64
}

// Read implements io.Reader.
func (c *counter) Read(b []byte) (int, error) {
	k, err := c.r.Read(b)
	c.n += int64(k)
	return k, err
}

// ReadByte implements io.ByteReader.
func (c *counter) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// measured reads what was packed while it keeps measure.
type measured struct {
	r      io.Reader
	packed *counter
	n      int64
}

// Read implements io.Reader.
func (m *measured) Read(b []byte) (int, error) {
	if m.n > MostBytes && m.n > MostTimes*m.packed.n {
		return 0, fmt.Errorf("unpacks to more than %d bytes and %d times its length", MostBytes, MostTimes)
	}
	k, err := m.r.Read(b)
	m.n += int64(k)
	return k, err
}
