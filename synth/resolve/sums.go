package resolve

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
)

// This file adds the SHA-256 of files that other packages read to those of model/format.

// SumsOnly returns reader options that compute the SHA-256 of files and nothing else.
func (s *Subject) SumsOnly() format.Options { return format.Options{Sums: s.format.Sums} }

// WithoutMulticast returns s.Files without those of multicast tables and the service levels of their groups.
func (s *Subject) WithoutMulticast() (list []model.Input) {
	names := []string{filepath.Base(s.From.Multicast)}
	if f := s.far.folder; f != nil {
		names = append(names, filepath.Base(f.Multicast), filepath.Base(f.MulticastLevels))
		for _, file := range f.OtherMulticast {
			names = append(names, filepath.Base(file))
		}
	}
	for _, x := range s.Files {
		if !slices.Contains(names, filepath.Base(x.Name)) {
			list = append(list, x)
		}
	}
	return list
}

// SumFile adds a file to s.Files if Request.Sums is set. It does nothing for an empty path and for
// a file that cannot be read twice, such as a pipe.
func (s *Subject) SumFile(path string) {
	if st, err := os.Stat(path); s.format.Sums == nil || err != nil || !st.Mode().IsRegular() {
		return
	}
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }() // it was only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err == nil {
		s.format.Sums(path, hex.EncodeToString(h.Sum(nil)))
	}
}

// SumTraffic adds the file of a traffic pattern, if the pattern has one.
func (s *Subject) SumTraffic(pattern string) {
	switch kind, file, _ := strings.Cut(pattern, ":"); kind {
	case "permutation":
		s.SumFile(strings.TrimSuffix(file, ":switches"))
	case "trace", "matrix":
		s.SumFile(file)
	}
}

// TextInput returns the entry of s.Files for a file with this content.
func TextInput(path, text string) model.Input {
	sum := sha256.Sum256([]byte(text))
	return model.Input{Name: filepath.Base(path), SHA256: hex.EncodeToString(sum[:])}
}
