// Package classes decides and draws sets of class turns, for the commands enumerate and draw.
package classes
