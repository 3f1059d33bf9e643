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
// reports whether it is compressed. Reading fails if the content exceeds the limits. Reader fails with a *PackedError if the content is
// compressed in another way, or is an archive.
func Reader(r *bufio.Reader) (io.Reader, bool, error) {
	if magic, _ := r.Peek(2); string(magic) != "\x1f\x8b" {
		return r, false, refuse(r)
	}
	packed := &counter{r: r}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, true, fmt.Errorf("gzip: %w", err)
	}
	plain := bufio.NewReader(&limited{r: z, packed: packed})
	return plain, true, refuse(plain)
}

// Kinds of compression and archives that are known by their first bytes, with the program that unpacks them.
var others = []struct {
	name, unpack string
	offset       int
	magic        string
}{
	{"compressed by xz", "xz -d", 0, "\xfd7zXZ\x00"},
	{"compressed by zstd", "zstd -d", 0, "\x28\xb5\x2f\xfd"},
	{"compressed by bzip2", "bzip2 -d", 0, "BZh91AY&SY"},
	{"compressed by lz4", "lz4 -d", 0, "\x04\x22\x4d\x18"},
	{"a zip archive", "unzip", 0, "PK\x03\x04"},
	{"a tar archive", "tar -xf", 257, "ustar"},
}

// PackedError says that a file is compressed or an archive in a way that Reader does not unpack.
type PackedError struct{ What, Unpack string }

func (e *PackedError) Error() string {
	return fmt.Sprintf("the file is %s; want a plain file, or one compressed by gzip: unpack it with %s", e.What, e.Unpack)
}

// refuse returns a PackedError if r starts like a file of others.
func refuse(r *bufio.Reader) error {
	for _, k := range others {
		if head, _ := r.Peek(k.offset + len(k.magic)); len(head) == k.offset+len(k.magic) && string(head[k.offset:]) == k.magic {
			return &PackedError{k.name, k.unpack}
		}
	}
	return nil
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
