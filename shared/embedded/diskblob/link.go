package diskblob

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"earshot/shared/port/blob"
)

// LinkPath is the path below the base that the local program serves. The key follows it, and the query holds expires
// and signature, for Verify.
const LinkPath = "/_local/blobs/"

// Link returns an address that Verify accepts until it expires, rounded up to the second.
func (b *Blob) Link(ctx context.Context, key string, expires time.Duration) (string, error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key), blob.CheckExpiry(expires)); err != nil {
		return "", fmt.Errorf("diskblob: link: %w", err)
	}
	at := strconv.FormatInt(b.clock.Now().Add(expires+time.Second-1).Unix(), 10)
	query := url.Values{"expires": {at}, "signature": {hex.EncodeToString(b.sign(key, at))}}
	return b.base + LinkPath + key + "?" + query.Encode(), nil
}

// Verify opens the file of a link by its parts: the key after LinkPath, and the two values of the query. The caller
// closes the content.
//
// Errors: blob.ErrInvalid if the link was not made here, was changed or has expired; blob.ErrNotFound if there is no
// such file; blob.ErrUnavailable.
func (b *Blob) Verify(key, expires, signature string) (File, error) {
	given, err := hex.DecodeString(signature)
	if err != nil || !hmac.Equal(given, b.sign(key, expires)) {
		return File{}, fmt.Errorf("diskblob: %w: the link's signature is wrong", blob.ErrInvalid)
	}
	at, err := strconv.ParseInt(expires, 10, 64)
	if err != nil || b.clock.Now().Unix() >= at {
		return File{}, fmt.Errorf("diskblob: %w: the link has expired", blob.ErrInvalid)
	}
	file, err := b.open(key)
	if err != nil {
		return File{}, failed(context.Background(), "open a link's file", err)
	}
	return file, nil
}

// sign returns the HMAC-SHA256 of a link. Keys never contain the separator.
func (b *Blob) sign(key, expires string) []byte {
	mac := hmac.New(sha256.New, b.secret)
	mac.Write([]byte(key + "\n" + expires))
	return mac.Sum(nil)
}

const (
	secretName  = "links.secret"
	secretBytes = 32
)

// secretOf reads the folder's secret, or makes one. Of several processes that do so at once, one's is everybody's.
func secretOf(folder string) ([]byte, error) {
	path := filepath.Join(folder, secretName)
	secret, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeSecret(folder, path); err != nil {
			return nil, err
		}
		secret, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	if len(secret) != secretBytes {
		return nil, fmt.Errorf("%s has %d bytes, not %d", secretName, len(secret), secretBytes)
	}
	return secret, nil
}

func makeSecret(folder, path string) error {
	temporary, err := os.CreateTemp(folder, unfinished) // nobody else may read it
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	secret := make([]byte, secretBytes)
	rand.Read(secret) // it never fails
	_, err = temporary.Write(secret)
	if err := errors.Join(err, temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	if err := os.Link(temporary.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncFolder(folder)
}
