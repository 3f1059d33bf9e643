// Package faults kills turnproof at any moment, takes the disk away from it, starts it twice
// and turns the clock, and looks whether anything that it had found or written is lost,
// doubled or torn.
//
// Words: a row is one fault of one command, tried many times; it is in the midst if the
// program was at work when it was struck. What was there before a fault is the known part;
// the result is held against that of a run that nothing happened to (the reference).
package faults
