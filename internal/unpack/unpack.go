// Package unpack reads files that may be compressed with gzip.
package unpack

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
)

// A compressed file may unpack to MostBytes, or to MostTimes its compressed length if that is
// more. Dumps of fabrics unpack to about 10 times their length. gzip compresses a gigabyte of
// one repeated line to about five megabytes at its fastest level and one megabyte at its best
// level.
const (
	MostBytes = 1 << 26
	MostTimes = 100
)

// Reader returns the content of r, unpacked if it starts like a gzip file. The second result
// reports whether it is compressed. Reading fails if the content exceeds the limits.
func Reader(r *bufio.Reader) (io.Reader, bool, error) {
	if magic, _ := r.Peek(2); string(magic) != "\x1f\x8b" {
		return r, false, nil
	}
	packed := &counter{r: r}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, true, err
	}
	return &limited{r: z, packed: packed}, true, nil
}

// counter counts the bytes read. It is an io.ByteReader, so that gzip does not read ahead.
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

// limited reads unpacked content within the limits.
type limited struct {
	r      io.Reader
	packed *counter
	n      int64
}

// Read implements io.Reader.
func (m *limited) Read(b []byte) (int, error) {
	if m.n > MostBytes && m.n > MostTimes*m.packed.n {
		return 0, fmt.Errorf("unpacks to more than %d bytes and %d times its length", MostBytes, MostTimes)
	}
	k, err := m.r.Read(b)
	m.n += int64(k)
	return k, err
}
