// Package mending finds and proves better forwarding tables for the commands that offer them (synth/mend), and writes them.
package mending
