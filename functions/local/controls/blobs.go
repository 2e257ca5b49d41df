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

// Files is what links lead to.
type Files interface {
	// Verify answers blob.ErrInvalid for a link that was not made here or has expired, and blob.ErrNotFound.
	Verify(key, expires, signature string) (diskblob.File, error)
}

// download is an answer that is a file.
type download struct{ diskblob.File }

// fetchFile serves a link as the provider of the deployment's files would: to whoever has it.
func (c *controls) fetchFile(r *http.Request) (any, error) {
	query, err := readQuery(r, "expires", "signature")
	if err != nil {
		return nil, err
	}
	file, err := c.Files.Verify(strings.TrimPrefix(r.URL.Path, diskblob.LinkPath), query.Get("expires"), query.Get("signature"))
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

// send writes the file. A page that it may hold is never shown by a browser: it is saved.
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
