// Package textproto reads the text format of Protocol Buffers without a schema. A message is a list of fields in the order of the file, each with
// its line. What a field means is up to the caller.
//
// A first call:
//
//	m, err := textproto.Parse("fabric.textproto", text)
//	for _, f := range m.Named("connections") {
//		fmt.Println(f.Line)
//	}
//
// Source: Protocol Buffers, Text Format Language Specification (protobuf.dev, 2024). Extensions and Any fields in brackets are read as names.
//
// Read first: scan.go, parse.go.
package textproto
