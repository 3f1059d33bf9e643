// Package info implements the commands networks, routings and version, which describe the program.
package info
