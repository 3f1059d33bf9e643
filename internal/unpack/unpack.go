// Package unpack reads files that may be compressed with gzip, bzip2, xz or zstd.
//
// Read first: unpack.go; xz.go has the container of xz files.
package unpack

import (
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A compressed file may unpack to MostBytes, or to MostTimes its compressed length if that is
// more. Dumps of fabrics unpack to about 10 times their length. gzip compresses a gigabyte of
// one repeated line to about five megabytes at its fastest level and one megabyte at its best
// level. xz and zstd compress the forwarding tables of a regular fabric to a thousandth, so
// they may unpack to MostBytesDense.
const (
	MostBytes      = 1 << 26
	MostBytesDense = 1 << 28
	MostTimes      = 100
)

// MostDictionary is the largest dictionary of xz and window of zstd in bytes. It is that of zstd --long; xz -9 has half of it.
const MostDictionary = 1 << 27

// kind is a kind of compression that is read. A 0 in magic stands for a digit from 1 to 9.
type kind struct {
	name, magic, unpack string
	suffix              string
	most                int64
	open                func(io.Reader) (io.Reader, error)
}

var kinds = []kind{
	{"gzip", "\x1f\x8b", "gzip -d", ".gz", MostBytes, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{"bzip2", "BZh01AY&SY", "bzip2 -d", ".bz2", MostBytes, newBzip2},
	{"bzip2", "BZh0\x17\x72\x45\x38\x50\x90", "bzip2 -d", ".bz2", MostBytes, newBzip2}, // of no bytes
	{"xz", xzMagic, "xz -d", ".xz", MostBytesDense, newXZ},
	{"zstd", "\x28\xb5\x2f\xfd", "zstd -d", ".zst", MostBytesDense, newZstd},
}

func newBzip2(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }

// newZstd returns a reader that needs no goroutine, so it need not be closed.
func newZstd(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(MostDictionary))
}

// Reader returns the content of r, unpacked if it starts like a compressed file. The second result
// reports whether it is compressed. Reading fails if the content exceeds the limits. Reader fails with a *PackedError if the content is
// compressed in another way or twice, or is an archive.
func Reader(r *bufio.Reader) (io.Reader, bool, error) {
	for _, k := range kinds {
		if !k.begins(r) {
			continue
		}
		packed := &counter{r: r}
		z, err := k.open(packed)
		if err != nil {
			return nil, true, fmt.Errorf("%s: %w", k.name, err)
		}
		plain := bufio.NewReader(&limited{r: z, packed: packed, kind: k})
		if err := refuse(plain); err != nil {
			return nil, true, err
		}
		for _, inner := range kinds {
			if inner.begins(plain) {
				return nil, true, &PackedError{"compressed by " + k.name + ", and in it by " + inner.name, k.unpack}
			}
		}
		return plain, true, nil
	}
	return r, false, refuse(r)
}

// begins reports whether r starts like a file of kind k. A file that is shorter than the magic does, if it is cut from one: it has two bytes
// of the magic, or one that is no text.
func (k kind) begins(r *bufio.Reader) bool {
	head, err := r.Peek(len(k.magic))
	for i, b := range head {
		if isDigit := k.magic[i] == '0' && '1' <= b && b <= '9'; b != k.magic[i] && !isDigit || b == '0' {
			return false
		}
	}
	isCut := err == io.EOF && (len(head) > 1 || len(head) == 1 && (head[0] < ' ' || head[0] > '~'))
	return err == nil || isCut
}

// begins reports whether the text of r at an offset is magic.
func begins(r *bufio.Reader, offset int, magic string) bool {
	head, _ := r.Peek(offset + len(magic))
	return len(head) == offset+len(magic) && string(head[offset:]) == magic
}

// TrimSuffix returns the name of a file without the end that says how it is compressed.
func TrimSuffix(name string) string {
	for _, k := range kinds {
		if plain, ok := strings.CutSuffix(name, k.suffix); ok {
			return plain
		}
	}
	return name
}

// Name returns how a file is compressed, by its name, or "".
func Name(file string) string {
	i := slices.IndexFunc(kinds, func(k kind) bool { return strings.HasSuffix(file, k.suffix) })
	if i < 0 {
		return ""
	}
	return kinds[i].name
}

// Kinds of compression and archives that are known by their first bytes, with the program that unpacks them.
var others = []struct {
	name, unpack string
	offset       int
	magic        string
}{
	{"compressed by lz4", "lz4 -d", 0, "\x04\x22\x4d\x18"},
	{"a zip archive", "unzip", 0, "PK\x03\x04"},
	{"a tar archive", "tar -xf", 257, "ustar"},
}

// PackedError says that a file is compressed or an archive in a way that Reader does not unpack.
type PackedError struct{ What, Unpack string }

func (e *PackedError) Error() string {
	return fmt.Sprintf("the file is %s; want a plain file, or one compressed by gzip, bzip2, xz or zstd: unpack it with %s", e.What, e.Unpack)
}

// refuse returns a PackedError if r starts like a file of others.
func refuse(r *bufio.Reader) error {
	for _, k := range others {
		if begins(r, k.offset, k.magic) {
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
	kind   kind
	n      int64
}

// Read implements io.Reader.
func (m *limited) Read(b []byte) (int, error) {
	if m.n > m.kind.most && m.n > MostTimes*m.packed.n {
		return 0, fmt.Errorf("unpacks to more than %d bytes and %d times its length; if that is meant, unpack it with %s",
			m.kind.most, MostTimes, m.kind.unpack)
	}
	k, err := m.r.Read(b)
	m.n += int64(k)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%s: %w", m.kind.name, err)
	}
	return k, err
}
