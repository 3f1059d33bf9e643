// Package graph reads and writes networks as graphs: edge lists, CSV, DOT, GraphML and topologies of RapidChiplet. Each format keeps a part
// of a model.Network; WriteNetwork refuses a network that the format would change.
//
// Read first: one file per format.
package graph
