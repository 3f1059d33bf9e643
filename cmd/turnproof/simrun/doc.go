// Package simrun holds what sim, sweep and report share: the flags of a simulation, the settings that
// they make, the runs of an experiment, and the warning before a run that no proof covers.
package simrun
