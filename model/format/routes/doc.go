// Package routes reads routings that other tools and scripts write as tables: next hops by switch, node or port, paths by nodes or ports,
// routing tables of Noxim and RapidChiplet. docs/other-tools.md describes the forms.
//
// Read first: neutral.go tells the forms apart; hops.go with hoprows.go, paths.go, nested.go, noxim.go,
// rapidchiplet.go.
package routes
