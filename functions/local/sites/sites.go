// Package sites holds pages that stand in for those of the internet. The scan of a domain reads the page that a
// person put under it, without a network. A page is a file of the data folder.
//
// Only the workbench and the tools import it.
package sites

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"earshot/functions/setupstages/scan"
	"earshot/shared/proposal/site"
	"earshot/shared/workspace"
)

// Sites serves the pages of a folder, and the internet's page for a domain without one. It is safe for concurrent
// use.
type Sites struct {
	folder string
	others scan.Sites
}

// Open makes the folder unless it exists.
func Open(folder string, others scan.Sites) (*Sites, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	return &Sites{folder, others}, nil
}

// Put stores a page under a domain and replaces an earlier one. Errors: workspace.DomainFault.
func (s *Sites) Put(domain, html string) (string, error) {
	parsed, err := workspace.ParseDomain(domain)
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp(s.folder, "new-*")
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(html)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), s.path(parsed))
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("keep the page of %s: %w", parsed, err), os.Remove(file.Name()))
	}
	return parsed, nil
}

// Has reports whether there is a page under a domain.
func (s *Sites) Has(domain string) bool {
	_, err := os.Stat(s.path(domain))
	return err == nil
}

// A parsed domain has only letters, digits, hyphens and dots, and is no longer than the name of a file may be.
func (s *Sites) path(domain string) string { return filepath.Join(s.folder, domain) }

// Page returns the page of a domain.
func (s *Sites) Page(ctx context.Context, domain string) (site.Page, error) {
	html, err := os.ReadFile(s.path(domain))
	if errors.Is(err, fs.ErrNotExist) {
		return s.others.Page(ctx, domain)
	}
	if err != nil {
		return site.Page{}, err
	}
	return site.Page{URL: "https://" + domain + "/", HTML: html[:min(len(html), site.MaxPage)]}, nil
}
