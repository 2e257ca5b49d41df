package controls

import (
	"net/http"

	"earshot/functions/local/browser"
	"earshot/shared/web/problem"
)

// fromHere refuses requests that a page of another site can make a browser send.
func fromHere(r *http.Request) error {
	switch {
	case !browser.ToThisMachine(r):
		return problem.New(problem.Forbidden, "%s is for this machine only: call it by 127.0.0.1 or localhost.", Prefix)
	case browser.FromAnotherSite(r) && (r.Method != http.MethodGet || r.URL.Path != pathSignIn): // a client's page leads there
		return problem.New(problem.Forbidden, "%s does not answer to pages of other sites.", Prefix)
	}
	return nil
}
