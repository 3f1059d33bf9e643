// Package turnmodel reproduces tables 2 and 3 of the 2-D turn model paper.
package turnmodel
