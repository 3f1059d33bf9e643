// Package base links the packages that read files for every command: networks and tables of the tools that
// the core knows. Package all adds the formats of wings.
package base

import (
	_ "github.com/turnproof/turnproof/model/format/booksim"
	_ "github.com/turnproof/turnproof/model/format/graph"
	_ "github.com/turnproof/turnproof/model/format/infiniband"
	_ "github.com/turnproof/turnproof/model/format/infiniband/lft"
	_ "github.com/turnproof/turnproof/model/format/native"
	_ "github.com/turnproof/turnproof/model/format/routes"
	_ "github.com/turnproof/turnproof/model/format/vlans"
)
