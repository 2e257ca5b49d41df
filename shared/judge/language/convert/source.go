package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// files are the package's files that the conversion reads.
type files struct{ manifest, dictionary, database string }

const maxFile = 16 << 20 // bytes; the largest has 4.5 MB

// open reads the package from its tarball or its folder.
func open(from string) (p files, err error) {
	wanted := map[string]*string{
		"package.json":        &p.manifest,
		"src/dictionary.js":   &p.dictionary,
		"src/ngrams/small.js": &p.database,
	}
	info, err := os.Stat(from)
	if err != nil {
		return p, err
	}
	if info.IsDir() {
		for name, text := range wanted {
			content, err := os.ReadFile(filepath.Join(from, name))
			if err != nil {
				return p, err
			}
			*text = string(content)
		}
	} else if err := untar(from, wanted); err != nil {
		return p, fmt.Errorf("%s: %w", from, err)
	}
	var manifest struct{ Name, Version string }
	if err := json.Unmarshal([]byte(p.manifest), &manifest); err != nil {
		return p, fmt.Errorf("package.json: %w", err)
	}
	if manifest.Name != "eld" || manifest.Version != "2.1.0" {
		return p, fmt.Errorf("the table is made from eld 2.1.0, got %s %s", manifest.Name, manifest.Version)
	}
	return p, nil
}

// untar reads the wanted files, which npm puts below "package/".
func untar(from string, wanted map[string]*string) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	found := 0
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		for name, text := range wanted {
			if header.Name != "package/"+name {
				continue
			}
			content, err := io.ReadAll(io.LimitReader(archive, maxFile))
			if err != nil {
				return err
			}
			*text = string(content)
			found++
		}
	}
	if found != len(wanted) {
		return errors.New("a file of the package is missing")
	}
	return nil
}
