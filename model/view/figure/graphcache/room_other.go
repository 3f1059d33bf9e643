//go:build !linux && !darwin

package graphcache

// room is always true here; probe finds out.
func room(string) bool { return true }
