package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"earshot/shared/workspace"
)

// Path returns the file of a data folder's demo.
func Path(folder string) string { return filepath.Join(folder, "demo.json") }

// keep reads demo.json. If there is none it writes the file before anything is stored, so that a later start can make
// what the file names.
func keep(folder string, now time.Time, baseURL string) (Demo, error) {
	path := Path(folder)
	demo, err := read(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return demo, err
	}
	drawn := draw(now)
	drawn.BaseURL = baseURL
	err = write(path, drawn, func(from, to string) error {
		if err := os.Link(from, to); err == nil || errors.Is(err, fs.ErrExist) {
			return err
		}
		return os.Rename(from, to) // a file system without links
	})
	if errors.Is(err, fs.ErrExist) {
		return read(path) // another program has started in the same moment: its demo is the one
	}
	return drawn, err
}

// ServedAt records where the API is served from now on.
func (d Demo) ServedAt(folder, baseURL string) (Demo, error) {
	if d.BaseURL == baseURL {
		return d, nil
	}
	d.BaseURL = baseURL
	return d, write(Path(folder), d, os.Rename)
}

func read(path string) (Demo, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return Demo{}, fmt.Errorf("read the demo's keys: %w", err)
	}
	var demo Demo
	err = jsonv2.Unmarshal(content, &demo, jsonv2.RejectUnknownMembers(true))
	if err == nil {
		err = demo.check()
	}
	if err != nil {
		return Demo{}, fmt.Errorf(
			"%s is damaged: %w. Put it back as it was or, to be given a new demo beside the old one's data, remove it",
			path, err,
		)
	}
	return demo, nil
}

// check returns an error if the demo cannot be stored.
func (d Demo) check() error {
	for name, token := range map[string]string{"read": d.Keys.Read, "write": d.Keys.Write, "admin": d.Keys.Admin,
		"otherWorkspace": d.Keys.OtherWorkspace, "agencyMaster": d.Keys.AgencyMaster, "agentsPlan": d.Keys.AgentsPlan} {
		if _, ok := workspace.ParseToken(token); !ok {
			return fmt.Errorf("keys.%s is no API key", name)
		}
	}
	for name := range plans {
		if !workspace.ValidID(workspace.PrefixWorkspace, d.Workspaces[name]) {
			return fmt.Errorf("workspaces.%s is no workspace's id", name)
		}
	}
	return nil
}

// write writes the whole file or nothing, readable for its owner alone. It writes beside the place first; put then
// brings the file there at once.
func write(path string, demo Demo, put func(from, to string) error) (err error) {
	var content bytes.Buffer
	encoder := json.NewEncoder(&content)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(demo); err != nil {
		return fmt.Errorf("write the demo's keys: %w", err)
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".demo-*.json") // with mode 0600
	if err != nil {
		return fmt.Errorf("write the demo's keys: %w", err)
	}
	defer os.Remove(file.Name()) // after a rename there is nothing left of it
	_, err = file.Write(content.Bytes())
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("write the demo's keys: %w", err)
	}
	if err := put(file.Name(), path); err != nil {
		return fmt.Errorf("write the demo's keys: %w", err)
	}
	return nil
}

// Read returns the demo of a data folder, and fs.ErrNotExist if there is none.
func Read(folder string) (Demo, error) { return read(Path(folder)) }
