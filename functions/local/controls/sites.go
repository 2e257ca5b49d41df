package controls

import (
	"errors"
	"fmt"
	"net/http"

	"earshot/shared/proposal/site"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Sites are pages that stand in for those of the internet.
type Sites interface {
	// Put returns the domain as stored, and a workspace.DomainFault for an invalid one.
	Put(domain, html string) (string, error)
}

type siteCommand struct {
	Domain string `json:"domain"`
	HTML   string `json:"html"`
}

type siteAnswer struct {
	Domain string `json:"domain"`
	Bytes  int    `json:"bytes"`
}

// maxSite bounds the body of a page. JSON may write each of its bytes as six.
const maxSite = 6*site.MaxPage + 1<<20

// putSite stores a page for the setup engine's scan of a domain.
func (c *controls) putSite(r *http.Request) (any, error) {
	var command siteCommand
	if err := readLarge(r, maxSite, &command); err != nil {
		return nil, err
	}
	var faults []problem.Detail
	if command.HTML == "" {
		faults = append(faults, problem.Detail{Path: "html", Code: "required", Message: "Must be the page's HTML."})
	}
	if len(command.HTML) > site.MaxPage {
		faults = append(faults, problem.Detail{Path: "html", Code: "too_large", Message: fmt.Sprintf(
			"The page holds more than %d MiB, which is all that a scan reads of a page. Send its beginning.",
			site.MaxPage>>20,
		)})
	}
	if command.Domain == "" {
		faults = append(
			faults, problem.Detail{Path: "domain", Code: "required", Message: "Must be a domain, such as acme.com."},
		)
	}
	if len(faults) > 0 {
		return nil, problem.Invalid(faults...)
	}
	domain, err := c.Pages.Put(command.Domain, command.HTML)
	var fault workspace.DomainFault
	if errors.As(err, &fault) {
		return nil, problem.New(problem.InvalidDomain, "%s", fault.Error())
	}
	if err != nil {
		return nil, err
	}
	return siteAnswer{domain, len(command.HTML)}, nil
}
