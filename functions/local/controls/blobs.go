package controls

import (
	"errors"
	"mime"
	"net/http"
	"strings"
	"time"

	"earshot/shared/embedded/diskblob"
	"earshot/shared/port/blob"
	"earshot/shared/web/problem"
)

// Files is the store that links lead to.
type Files interface {
	// Verify returns blob.ErrInvalid if the link was not made here or has expired, and blob.ErrNotFound.
	Verify(key, expires, signature string) (diskblob.File, error)
}

// download is an answer with a file.
type download struct{ diskblob.File }

// fetchFile serves a link to everybody who has it, as the provider of the deployment's files would.
func (c *controls) fetchFile(r *http.Request) (any, error) {
	query, err := readQuery(r, "expires", "signature")
	if err != nil {
		return nil, err
	}
	file, err := c.Files.Verify(
		strings.TrimPrefix(r.URL.Path, diskblob.LinkPath), query.Get("expires"), query.Get("signature"),
	)
	switch {
	case errors.Is(err, blob.ErrInvalid):
		return nil, problem.New(problem.Forbidden, "The link was changed or has expired.")
	case errors.Is(err, blob.ErrNotFound):
		return nil, problem.New(problem.NotFound, "The file is gone.")
	case err != nil:
		return nil, err
	}
	return download{file}, nil
}

// send writes the file. A browser saves it and never shows it as a page.
func (d download) send(w http.ResponseWriter, r *http.Request) {
	defer d.Content.Close()
	header := w.Header()
	header.Set("Content-Type", d.ContentType)
	header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": d.Name}))
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	http.ServeContent(w, r, "", time.Time{}, d.Content)
}
