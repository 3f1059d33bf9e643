// Package sim is the command sim: one simulation, flit by flit or frame by frame.
package sim
