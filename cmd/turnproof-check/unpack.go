package main

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
)

// This file reads certificates that are packed by gzip.

// A packed certificate may unpack to freeBytes, and beyond that to maxRatio times its own length.
const (
	freeBytes = 1 << 26
	maxRatio  = 100
)

// unpacked returns the content of r, unpacked if it starts as gzip does. Reading fails if a
// certificate unpacks to too many bytes.
func unpacked(r *bufio.Reader) (io.Reader, error) {
	if magic, _ := r.Peek(2); string(magic) != "\x1f\x8b" {
		return r, nil
	}
	packed := &counter{Reader: r}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return &bounded{r: z, packed: packed}, nil
}

// A counter counts the bytes that are read. Gzip reads no more than needed from an io.ByteReader.
type counter struct {
	*bufio.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += int64(n)
	return n, err
}

func (c *counter) ReadByte() (byte, error) {
	b, err := c.Reader.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// bounded is a reader that fails once r has unpacked to too many bytes.
type bounded struct {
	r      io.Reader
	packed *counter
	n      int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.n > freeBytes && b.n > maxRatio*b.packed.n {
		return 0, errTooLong
	}
	n, err := b.r.Read(p)
	b.n += int64(n)
	return n, err
}

var errTooLong = errors.New("unpacks to more than 67108864 bytes and 100 times its length")
