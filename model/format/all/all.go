// Package all links all packages that read files for package format: those of package base, and one for each
// wing. A program that reads files of any format imports it for its effect:
//
//	import _ "github.com/turnproof/turnproof/model/format/all"
package all

import (
	_ "github.com/turnproof/turnproof/model/format/base"
	_ "github.com/turnproof/turnproof/model/format/ethernet"
	_ "github.com/turnproof/turnproof/model/format/floonoc"
	_ "github.com/turnproof/turnproof/model/format/garnet"
	_ "github.com/turnproof/turnproof/model/format/infiniband/partitions"
	_ "github.com/turnproof/turnproof/model/format/meshgraph"
	_ "github.com/turnproof/turnproof/model/format/noxim"
)
