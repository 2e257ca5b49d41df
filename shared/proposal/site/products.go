package site

import (
	"slices"
	"strings"
)

// mostProductLinks is how many products a page links at most that are names: a page with more is a shop, and they are
// its goods.
const mostProductLinks = 12

// unnamed is what links to a product say instead of its name.
var unnamed = []string{
	"learn", "read", "see", "view", "explore", "discover", "get", "try", "start", "buy", "shop", "all", "more",
	"overview", "pricing", "features", "products", "product", "how", "why", "what", "our", "new", "download", "sign",
	"book", "watch", "compare", "details", "integrations", "changelog", "roadmap", "updates", "docs", "documentation",
	"demo", "tour", "security", "templates", "use", "go", "click", "find", "add",
}

// products are the company's products: those of JSON-LD, and those that the page's own links lead to
// ("/products/relay").
func (r *reading) products() []string {
	var linked []string
	seen := map[string]bool{}
	for _, l := range r.links {
		parts, inside := r.own.path(l.href)
		if !inside || len(parts) != 2 || parts[0] != "products" && parts[0] != "product" {
			continue
		}
		slug, _, _ := strings.Cut(parts[1], ".")
		if name := product(l.text, slug); name != "" && !seen[slug] {
			seen[slug] = true
			linked = append(linked, name)
		}
	}
	if len(linked) > mostProductLinks {
		linked = nil
	}
	return append(append([]string{}, r.data.products...), linked...)
}

// product is the name that a link's text gives to what its path calls slug: as much of the text as the path repeats, or
// all of a short one that begins as names do.
func product(text, slug string) string {
	words := strings.Fields(text)
	if len(words) == 0 || slices.Contains(unnamed, strings.ToLower(words[0])) || slices.Contains(unnamed, slug) {
		return ""
	}
	for n := 1; n <= min(len(words), 5); n++ {
		if name := strings.Join(words[:n], " "); joined(name) == joined(slug) {
			return name
		}
	}
	if len(words) <= 3 && cased(words[0]) {
		return text
	}
	return ""
}
