package model

// Input names a file that was read by its base name and the SHA-256 of its bytes, in lower case hex.
type Input struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}
