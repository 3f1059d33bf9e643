// Package info holds the commands that describe the program: networks, routings and version.
package info
