// Package garnet reads the config.json that gem5 writes of a simulation with Garnet: the network, its routing by weights, and the sizes of
// packets and buffers.
//
// Read first: read.go, route.go.
package garnet
