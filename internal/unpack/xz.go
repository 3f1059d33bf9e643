package unpack

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// This file reads the container of xz files (the .xz file format, version 1.2.1, tukaani.org): streams of blocks, each a LZMA2 stream with a
// check sum, and an index of the blocks. Package lzma decodes LZMA2. The container is read here because a block states the size of its
// dictionary, which is memory: it must be compared with a limit before it is used. Filters for programs (BCJ, delta) are refused.

const (
	xzMagic  = "\xfd7zXZ\x00"
	xzFooter = "YZ"
	xzLZMA2  = 0x21
)

// xzReader reads an xz file. It implements io.Reader.
type xzReader struct {
	r     *position
	check func() hash.Hash // of the stream, or nil for none
	flags []byte

	block  *lzma.Reader2 // the current one, or nil
	sum    hash.Hash
	begin  int64 // where the data of the block begin
	header int64 // length of its header
	plain  int64 // bytes unpacked from it
	stated [2]int64
	blocks [][2]int64 // of the stream: unpadded and unpacked length
	err    error
}

// position counts the bytes of a reader.
type position struct {
	r byteReader
	n int64
}

type byteReader interface {
	io.Reader
	io.ByteReader
}

// Read implements io.Reader.
func (p *position) Read(b []byte) (int, error) {
	k, err := p.r.Read(b)
	p.n += int64(k)
	return k, err
}

// ReadByte implements io.ByteReader.
func (p *position) ReadByte() (byte, error) {
	b, err := p.r.ReadByte()
	if err == nil {
		p.n++
	}
	return b, err
}

// newXZ returns a reader of the content of an xz file. r must be an io.ByteReader.
func newXZ(r io.Reader) (io.Reader, error) {
	bytes, ok := r.(byteReader)
	if !ok {
		return nil, errors.New("not a reader of bytes")
	}
	x := &xzReader{r: &position{r: bytes}}
	return x, x.stream(nil)
}

var errXZ = errors.New("the file is damaged")

// take reads n bytes.
func (x *xzReader) take(n int64) ([]byte, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(x.r, b); err != nil {
		return nil, cut(err)
	}
	return b, nil
}

// cut turns the end of the file into an error.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// sealed reports whether a CRC-32 fits.
func sealed(b, sum []byte) bool { return crc32.ChecksumIEEE(b) == binary.LittleEndian.Uint32(sum) }

// stream reads the header of a stream, of which some bytes are read.
func (x *xzReader) stream(read []byte) error {
	rest, err := x.take(int64(12 - len(read)))
	if err != nil {
		return err
	}
	b := append(read, rest...)
	if string(b[:6]) != xzMagic || !sealed(b[6:8], b[8:12]) || b[6] != 0 {
		return errXZ
	}
	x.flags, x.blocks = b[6:8], nil
	switch b[7] {
	case 0:
		x.check = nil
	case 1:
		x.check = func() hash.Hash { return crc32.NewIEEE() }
	case 4:
		x.check = func() hash.Hash { return crc64.New(crc64.MakeTable(crc64.ECMA)) }
	case 10:
		x.check = sha256.New
	default:
		return fmt.Errorf("check sum %d is not known", b[7])
	}
	return nil
}

// Read implements io.Reader.
func (x *xzReader) Read(b []byte) (int, error) {
	for x.err == nil {
		if x.block == nil {
			x.err = x.next()
			continue
		}
		k, err := x.block.Read(b)
		x.plain += int64(k)
		if x.sum != nil {
			x.sum.Write(b[:k])
		}
		if errors.Is(err, io.EOF) {
			err = x.endBlock()
		}
		x.err = err
		if k > 0 || len(b) == 0 {
			return k, nil
		}
	}
	return 0, x.err
}

// next begins a block, or ends the stream. It returns io.EOF at the end of the file.
func (x *xzReader) next() error {
	start := x.r.n
	size, err := x.r.ReadByte()
	if err != nil {
		return cut(err)
	}
	if size == 0 {
		return x.index(start)
	}
	rest, err := x.take((int64(size)+1)*4 - 1)
	if err != nil {
		return err
	}
	b := append([]byte{size}, rest...)
	end := len(b) - 4
	if !sealed(b[:end], b[end:]) {
		return errXZ
	}
	most, err := x.blockHeader(b[1:end])
	if err != nil {
		return err
	}
	x.begin, x.header, x.plain, x.sum = x.r.n, x.r.n-start, 0, nil
	if x.check != nil {
		x.sum = x.check()
	}
	x.block, err = lzma.Reader2Config{DictCap: max(int(most), lzma.MinDictCap)}.NewReader2(x.r)
	return err
}

// blockHeader reads the fields of a header, and returns the size of the dictionary.
func (x *xzReader) blockHeader(b []byte) (dictionary int64, err error) {
	flags, r := b[0], bytes.NewReader(b[1:])
	x.stated = [2]int64{-1, -1}
	for i := range x.stated {
		if flags>>(6+i)&1 == 0 {
			continue
		}
		v, err := binary.ReadUvarint(r)
		if err != nil || v > 1<<62 {
			return 0, errXZ
		}
		x.stated[i] = int64(v)
	}
	var filter [3]byte
	if _, err := io.ReadFull(r, filter[:]); err != nil || flags&0x3f != 0 || filter[0] != xzLZMA2 || filter[1] != 1 {
		return 0, errors.New("filters are not read; want LZMA2 alone, as xz uses it without further options")
	}
	if dictionary, err = lzma.DecodeDictCap(filter[2]); err != nil {
		return 0, errXZ
	}
	if dictionary > MostDictionary {
		return 0, fmt.Errorf("a dictionary of %d bytes, allowed are %d: unpack it with xz -d", dictionary, MostDictionary)
	}
	for r.Len() > 0 {
		if c, _ := r.ReadByte(); c != 0 {
			return 0, errXZ
		}
	}
	return dictionary, nil
}

// endBlock reads what follows the data of a block, and compares the check sum.
func (x *xzReader) endBlock() error {
	packed := x.r.n - x.begin
	if x.stated[0] >= 0 && x.stated[0] != packed || x.stated[1] >= 0 && x.stated[1] != x.plain {
		return errXZ
	}
	if err := x.padding(packed); err != nil {
		return err
	}
	unpadded := x.header + packed
	if x.sum != nil {
		got := x.sum.Sum(nil)
		if x.flags[1] != 10 { // CRCs are written with the lowest byte first
			for i, j := 0, len(got)-1; i < j; i, j = i+1, j-1 {
				got[i], got[j] = got[j], got[i]
			}
		}
		want, err := x.take(int64(len(got)))
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return errors.New("the check sum differs: the file is damaged")
		}
		unpadded += int64(len(got))
	}
	x.blocks, x.block = append(x.blocks, [2]int64{unpadded, x.plain}), nil
	return nil
}

// padding reads zeros up to a multiple of four bytes.
func (x *xzReader) padding(n int64) error {
	for ; n%4 != 0; n++ {
		if c, err := x.r.ReadByte(); err != nil {
			return cut(err)
		} else if c != 0 {
			return errXZ
		}
	}
	return nil
}

// recorder keeps what is read, for the check sum of the index.
type recorder struct {
	r *position
	b []byte
}

// ReadByte implements io.ByteReader.
func (c *recorder) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err != nil {
		return 0, cut(err)
	}
	c.b = append(c.b, b)
	return b, nil
}

// index reads the index, which begins at start, and the footer. It compares them with the blocks, and begins the next stream.
func (x *xzReader) index(start int64) error {
	c := &recorder{r: x.r, b: []byte{0}}
	n, err := binary.ReadUvarint(c)
	if err != nil || n != uint64(len(x.blocks)) {
		return errors.Join(errXZ, err)
	}
	for _, b := range x.blocks {
		for _, want := range b {
			if v, err := binary.ReadUvarint(c); err != nil || v != uint64(want) {
				return errors.Join(errXZ, err)
			}
		}
	}
	for len(c.b)%4 != 0 {
		if z, err := c.ReadByte(); err != nil || z != 0 {
			return errors.Join(errXZ, err)
		}
	}
	length := x.r.n - start
	end, err := x.take(4 + 12)
	if err != nil {
		return err
	}
	sum, foot := end[:4], end[4:]
	back := (int64(binary.LittleEndian.Uint32(foot[4:]))+1)*4 == length+4
	if !sealed(c.b, sum) || !sealed(foot[4:10], foot[:4]) || !back || !bytes.Equal(foot[8:10], x.flags) || string(foot[10:]) != xzFooter {
		return errXZ
	}
	return x.another()
}

// another begins the next stream, after zeros, or returns io.EOF.
func (x *xzReader) another() error {
	for zeros := 0; ; zeros++ {
		c, err := x.r.ReadByte()
		switch {
		case errors.Is(err, io.EOF) && zeros%4 == 0:
			return io.EOF
		case err != nil:
			return cut(err)
		case c != 0 && zeros%4 != 0:
			return errXZ
		case c != 0:
			return x.stream([]byte{c})
		}
	}
}
