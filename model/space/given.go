package space

import "fmt"

// Read returns the space of a file.
func Read(path string, o Options) (*Space, error) { return nil, fmt.Errorf("%s: not yet", path) }
