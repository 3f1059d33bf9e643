package cert

import (
	"encoding/base64"
	"fmt"
)

// This file reads and writes lists of integers in their packed form.

// Ints is a list of 32-bit integers. In JSON it is a string: the standard base64, with padding,
// of one varint for each integer x. The varint encodes the zigzag form of x, which is
// 2x for x >= 0 and -2x-1 for x < 0: seven bits in each byte, the lowest first, with the
// top bit set in each byte except the last. Each varint is as short as possible.
type Ints []int32

// MarshalJSON writes the packed form.
func (x Ints) MarshalJSON() ([]byte, error) { return pack(x), nil }

// pack returns the packed form, in quotes.
func pack(x Ints) []byte {
	raw := make([]byte, 0, len(x)+len(x)/4)
	for _, v := range x {
		u := uint32(v)<<1 ^ uint32(v>>31)
		for ; u >= 0x80; u >>= 7 {
			raw = append(raw, byte(u)|0x80)
		}
		raw = append(raw, byte(u))
	}
	out := make([]byte, base64.StdEncoding.EncodedLen(len(raw))+2)
	out[0], out[len(out)-1] = '"', '"'
	base64.StdEncoding.Encode(out[1:], raw)
	return out
}

// UnmarshalJSON reads the packed form. It rejects every other form.
func (x *Ints) UnmarshalJSON(text []byte) error {
	if len(text) < 2 || text[0] != '"' {
		return fmt.Errorf("packed integers are a string, not %.20s", text)
	}
	text = text[1 : len(text)-1]
	raw := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Strict().Decode(raw, text)
	if err != nil {
		return fmt.Errorf("packed integers: %w", err)
	}
	raw = raw[:n]
	count := 0
	for _, b := range raw {
		if b < 0x80 {
			count++
		}
	}
	list := make(Ints, 0, count)
	var u uint64
	var shift uint
	for i, b := range raw {
		u |= uint64(b&0x7f) << shift
		if u > 1<<32-1 || shift > 28 {
			return fmt.Errorf("packed integers: number %d is longer than 32 bits", len(list))
		}
		if shift += 7; b >= 0x80 {
			continue
		}
		if b == 0 && shift > 7 {
			return fmt.Errorf("packed integers: number %d is not in its shortest form (byte %d)", len(list), i)
		}
		list = append(list, int32(uint32(u)>>1)^-int32(u&1))
		u, shift = 0, 0
	}
	if shift != 0 {
		return fmt.Errorf("packed integers: cut off in number %d", len(list))
	}
	*x = list
	return nil
}
