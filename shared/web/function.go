package web

import "strings"

// apart names the functions that serve a path, and the paths below it, in place of the function of their group.
var apart = map[string]string{
	"/api/v2/keywords/suggestions":   "suggestions",
	"/api/v2/keywords/preview":       "preview",
	"/api/v2/keywords/{id}/backfill": "preview",

	"/api/v2/deliveries":                        "receivers",
	"/api/v2/unsubscribe":                       "receivers",
	"/api/v2/alerts/{id}/signing-secret":        "receivers",
	"/api/v2/alerts/{id}/enable":                "receivers",
	"/api/v2/alerts/{id}/recover":               "receivers",
	"/api/v2/feeds/{id}/signing-secret":         "receivers",
	"/api/v2/feeds/{id}/enable":                 "receivers",
	"/api/v2/feeds/{id}/recover":                "receivers",
	"/api/v2/notifications/{id}/signing-secret": "receivers",
	"/api/v2/notifications/{id}/enable":         "receivers",
	"/api/v2/notifications/{id}/recover":        "receivers",
}

// FunctionOf returns the name of the function that serves a path of a group, which the document names in x-function.
func FunctionOf(group, path string) string {
	for beginning, function := range apart {
		if path == beginning || strings.HasPrefix(path, beginning+"/") {
			return function
		}
	}
	return group
}
