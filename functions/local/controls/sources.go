package controls

import (
	"net/http"
	"strings"

	"earshot/functions/collect"
	"earshot/shared/embedded/environmentsecret"
	"earshot/shared/source"
	"earshot/shared/source/catalogue"
)

// Sources says where posts come from.
type Sources struct {
	Open    []source.About // collected from
	Lacking []source.About // whose credentials are not set
	// Last returns the result of a source's last fetch; false before the first.
	Last func(name string) (collect.Fetch, bool)
}

// platform describes one platform.
type platform struct {
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	State       string   `json:"state"` // collecting, lacks credentials, closed, off
	Why         string   `json:"why,omitempty"`
	Credentials []string `json:"credentials,omitempty"` // variables of the environment that it needs
	LastPosts   *int     `json:"lastPosts,omitempty"`   // of the last fetch
	LastError   string   `json:"lastError,omitempty"`   // of the last fetch, if it failed
}

// listSources lists every platform: whether posts are collected from it, and if not, why.
func (c *controls) listSources(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	states := map[string]platform{}
	for _, about := range c.Sources.Open {
		p := platform{State: "collecting"}
		if last, known := c.Sources.Last(about.Name); known {
			p.LastPosts = &last.Posts
			if last.Err != nil {
				p.LastError = last.Err.Error()
			}
		}
		states[about.Name] = p
	}
	for _, about := range c.Sources.Lacking {
		p := platform{State: "lacks credentials"}
		for _, credential := range about.Credentials {
			if !credential.Optional {
				p.Credentials = append(p.Credentials, environmentsecret.Variable(credential.Name))
			}
		}
		p.Why = "Set " + strings.Join(p.Credentials, ", ") + "."
		states[about.Name] = p
	}
	var platforms []platform
	for _, known := range catalogue.Platforms() {
		p, found := states[known.Name]
		switch {
		case found:
		case known.Closed != "":
			p = platform{State: "closed", Why: known.Closed}
		default:
			p = platform{State: "off", Why: "SOURCES=archive: nothing is collected."}
		}
		p.Name, p.Title = known.Name, known.Title
		platforms = append(platforms, p)
	}
	return map[string]any{"sources": platforms}, nil
}
