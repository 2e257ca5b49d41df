package login

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"earshot/infra/exit"
)

// path returns the file of a login. Its name has the host for people, and a digest of all of it.
func (s *Store) path(base, resource string) string {
	host := "deployment"
	if parsed, err := url.Parse(base); err == nil {
		host = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
				return r
			}
			return '_'
		}, parsed.Host)
	}
	digest := sha256.Sum256([]byte(base + resource))
	return filepath.Join(s.folder, host[:min(len(host), 80)]+"-"+hex.EncodeToString(digest[:8])+".json")
}

// read reads a login. Returns ErrNone if there is none.
func (s *Store) read(base, resource string) (kept, error) {
	name := s.path(base, resource)
	content, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return kept{}, ErrNone
	case err != nil:
		return kept{}, exit.Failing(exit.Other, "the login cannot be read: %w. Make the file readable, or remove it", err)
	}
	k, ok := parse(content)
	if !ok || k.Base != base || k.Resource != resource {
		return kept{}, exit.Failing(exit.Key, "the file %s holds no login. Run %s", name, command(base, resource))
	}
	return k, nil
}

// lock claims a login for this process. Without it, two processes could use one refresh token, and the server would end
// the login. The lock is the kernel's, so it ends with the process. Its file stays: removing it would let two processes
// lock two files of one name.
//
// A process that was killed between writing the next tokens and renaming their file has left them: lock finishes that.
func (s *Store) lock(ctx context.Context, base, resource string) (release func(), err error) {
	name := s.path(base, resource)
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return nil, unwritable(err)
	}
	held := flock.New(name+".lock", flock.SetPermissions(0o600))
	limited, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	switch ok, err := held.TryLockContext(limited, lockPoll); {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, exit.Failing(exit.Other, "another process has held the login for a minute. End it, and try again")
	case err != nil || !ok:
		return nil, unwritable(err)
	}
	if content, err := os.ReadFile(name + ".next"); err == nil {
		if k, ok := parse(content); ok && k.Base == base && k.Resource == resource {
			if err := os.Rename(name+".next", name); err != nil {
				held.Close()
				return nil, unwritable(err)
			}
		}
	}
	return func() { held.Close() }, nil
}

// A draft is the file of a login's next tokens, opened before they are asked for: what cannot be written is found out
// before a refresh token is spent. Only the holder of the lock has one.
type draft struct {
	file *os.File
	name string // of the login's file
}

func (s *Store) draft(base, resource string) (*draft, error) {
	name := s.path(base, resource)
	file, err := os.OpenFile(name+".next", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, unwritable(err)
	}
	return &draft{file, name}, nil
}

// save puts the login in place of the one before.
func (d *draft) save(k kept) error {
	content, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return errors.Join(err, d.file.Close())
	}
	_, err = d.file.Write(append(content, '\n'))
	if err = errors.Join(err, d.file.Sync(), d.file.Close()); err == nil {
		err = os.Rename(d.name+".next", d.name)
	}
	if err != nil {
		return unwritable(err)
	}
	return nil
}

// discard removes a draft that nothing was written to.
func (d *draft) discard() {
	d.file.Close()
	os.Remove(d.name + ".next") // an empty one is ignored
}

func unwritable(err error) error {
	return exit.Failing(exit.Other, "the login cannot be kept: %w. Make the folder writable, or name another one by "+
		"EARSHOT_CONFIG", err)
}

// remove removes a login's file. The caller holds the lock.
func (s *Store) remove(base, resource string) error {
	name := s.path(base, resource)
	for _, file := range []string{name + ".next", name} {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return exit.Failing(exit.Other, "the login's file cannot be removed: %w. Remove it", err)
		}
	}
	return nil
}
