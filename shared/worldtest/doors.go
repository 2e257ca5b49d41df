package worldtest

import (
	"net/http"
	"regexp"
	"slices"
	"testing"
)

// Doors calls every operation of a group in the document and checks the order of checks. No key, a key of too small a
// scope, a master key that names no workspace and the Agents plan are each refused before the input is read, which is
// nonsense in every request. A key that may call the operation then gets all faults of the input. An operation on an
// agency refuses every key but a master key. Doors returns the operationIds.
func (c Client) Doors(t *testing.T, group string, w *World) (operations []string) {
	t.Helper()
	for _, op := range c.Document.Operations() {
		if op.Described["x-function"] != group || op.Described["x-required-scope"] == nil {
			continue
		}
		id, _ := op.Described["operationId"].(string)
		operations = append(operations, id)
		t.Run(id, func(t *testing.T) { c.door(t, op.Method, op.Path, op.Described, w) })
	}
	if len(operations) == 0 {
		t.Errorf("the document has no operation of the function %s", group)
	}
	slices.Sort(operations)
	return operations
}

var pathParameter = regexp.MustCompile(`\{[^}]*\}`)

func (c Client) door(t *testing.T, method, path string, operation map[string]any, w *World) {
	request := Request{Method: method, Target: pathParameter.ReplaceAllString(path, "0") + "?nonsense=1"}
	if operation["requestBody"] != nil {
		request.Body, request.Header = `{"nonsense":`, []string{"Content-Type", "application/json"}
	}
	knock := func(token string) Answer {
		t.Helper()
		c.Token = token
		return c.Do(t, request)
	}
	knock("").Is(t, http.StatusUnauthorized, "UNAUTHORIZED")
	enough := w.Read
	switch operation["x-required-scope"] {
	case "write":
		knock(w.Read).Is(t, http.StatusForbidden, "FORBIDDEN")
		enough = w.Write
	case "admin":
		knock(w.Write).Is(t, http.StatusForbidden, "FORBIDDEN")
		enough = w.Admin
	}
	switch {
	case operation["x-master-key"] != nil:
		knock(w.Admin).Is(t, http.StatusForbidden, "MASTER_KEY_REQUIRED")
		enough = w.Master
	case operation["x-agents-plan"] == nil:
		knock(w.Master).Is(t, http.StatusBadRequest, "ORGANIZATION_REQUIRED")
	default:
		knock(w.Master).Is(t, http.StatusBadRequest, "ORGANIZATION_REQUIRED")
		knock(w.AgentsKey).Is(t, http.StatusBadRequest, "VALIDATION_ERROR")
	}
	if operation["x-agents-plan"] == nil {
		refused := knock(w.AgentsKey).Is(t, http.StatusForbidden, "UPGRADE_REQUIRED")
		if refused.UpgradeURL == "" || refused.UpgradeCommand == "" {
			t.Errorf("nothing says how to upgrade: %+v", refused)
		}
	}
	told := knock(enough).Is(t, http.StatusBadRequest, "VALIDATION_ERROR")
	var paths []string
	for _, detail := range told.Details {
		paths = append(paths, detail.Path)
	}
	if !slices.Contains(paths, "query.nonsense") || request.Body != "" && !slices.Contains(paths, "body") {
		t.Errorf("not all is told: %v", paths)
	}
}
