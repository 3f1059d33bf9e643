// Package simrun contains what the commands sim, sweep and report share: the flags of a
// simulation, the settings made from them, the runs of an experiment, and a warning if no proof
// covers a run.
package simrun
