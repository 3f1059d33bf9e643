// Package possible is the command possible: whether any routing without virtual channels is
// deadlock-free.
package possible
