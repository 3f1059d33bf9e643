// Package native reads and writes the formats of turnproof itself: networks (turnproof.network/1, as JSON or YAML), which keep everything of a
// model.Network, turn sets (turnproof.turn-set/1) and explicit paths (turnproof.paths/1). docs/schema has their schemas.
//
// Read first: document.go, then network.go, json.go, yaml.go; turnset.go, paths.go.
package native
