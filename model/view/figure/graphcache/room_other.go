//go:build !linux && !darwin

package graphcache

// room cannot tell here; what is written for a trial tells.
func room(string) bool { return true }
