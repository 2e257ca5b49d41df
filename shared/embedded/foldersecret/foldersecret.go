// Package foldersecret implements the port secret on a folder, for laptops and tests: a file for each secret, readable for
// its owner alone. The secret "slack/01k…" is the file "slack.01k…".
//
// Only mains and tests import it. It never runs in a Lambda.
package foldersecret

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"earshot/shared/port/secret"
)

// A Store keeps secrets in a folder.
type Store struct{ folder string }

// New returns the secrets of a folder, which need not exist yet.
func New(folder string) Store { return Store{folder} }

// unfinished begins the name of a file that is being written. No secret has such a name.
const unfinished = "_unfinished-"

// path returns where a secret is. A name has no dots, so that two names have two files.
func (s Store) path(name string) string {
	return filepath.Join(s.folder, strings.ReplaceAll(name, "/", "."))
}

// Get returns the secrets that have a file with content.
func (s Store) Get(ctx context.Context, names ...string) (map[string]string, error) {
	if err := errors.Join(ctx.Err(), secret.CheckNames(names...)); err != nil {
		return nil, fmt.Errorf("foldersecret: %w", err)
	}
	found := make(map[string]string, len(names))
	for _, name := range names {
		value, err := os.ReadFile(s.path(name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("foldersecret: %w", err)
		}
		if len(value) > 0 {
			found[name] = string(value)
		}
	}
	return found, nil
}

// Put stores a secret in a file that replaces the earlier one at once.
func (s Store) Put(ctx context.Context, name, value string) error {
	if err := errors.Join(ctx.Err(), secret.CheckPut(name, value)); err != nil {
		return fmt.Errorf("foldersecret: %w", err)
	}
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return fmt.Errorf("foldersecret: %w", err)
	}
	file, err := os.CreateTemp(s.folder, unfinished)
	if err != nil {
		return fmt.Errorf("foldersecret: %w", err)
	}
	_, err = file.WriteString(value)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), s.path(name))
	}
	if err != nil {
		_ = os.Remove(file.Name())
		return fmt.Errorf("foldersecret: %w", err)
	}
	return nil
}

// Delete removes a secret's file.
func (s Store) Delete(ctx context.Context, name string) error {
	if err := errors.Join(ctx.Err(), secret.CheckNames(name)); err != nil {
		return fmt.Errorf("foldersecret: %w", err)
	}
	if err := os.Remove(s.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("foldersecret: %w", err)
	}
	return nil
}
