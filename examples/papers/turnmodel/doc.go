// Package turnmodel reproduces the paper on the 2-D turn model: its theorems, counts of prohibited turns and
// throughput.
package turnmodel
