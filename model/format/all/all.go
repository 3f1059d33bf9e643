// Package all links all packages that read files for package format. A program that reads files of any format imports it for its effect:
//
//	import _ "github.com/turnproof/turnproof/model/format/all"
package all

import (
	_ "github.com/turnproof/turnproof/model/format/booksim"
	_ "github.com/turnproof/turnproof/model/format/ethernet"
	_ "github.com/turnproof/turnproof/model/format/floonoc"
	_ "github.com/turnproof/turnproof/model/format/garnet"
	_ "github.com/turnproof/turnproof/model/format/graph"
	_ "github.com/turnproof/turnproof/model/format/infiniband"
	_ "github.com/turnproof/turnproof/model/format/infiniband/lft"
	_ "github.com/turnproof/turnproof/model/format/meshgraph"
	_ "github.com/turnproof/turnproof/model/format/native"
	_ "github.com/turnproof/turnproof/model/format/routes"
	_ "github.com/turnproof/turnproof/model/format/vlans"
)
