package web_test

import (
	"encoding/json"
	"strings"
	"testing"

	"earshot/shared/web"
)

// Each response is the envelope with the status that API Gateway sends, and has no variable that it would fill in.
func TestGatewayResponses(t *testing.T) {
	seen := map[string]bool{}
	for _, response := range web.GatewayResponses() {
		var body struct {
			Error struct {
				Code, Message string
				Status        int
				Details       []struct{ Path, Code, Message string }
			}
		}
		if err := json.Unmarshal([]byte(response.Body()), &body); err != nil {
			t.Errorf("%s: %v", response.Type, err)
		}
		if body.Error.Status != response.Status || body.Error.Code != string(response.Code) ||
			strings.Contains(response.Body(), "$") || seen[response.Type] {
			t.Errorf("%s: %s", response.Type, response.Body())
		}
		if (body.Error.Code == "VALIDATION_ERROR") != (len(body.Error.Details) == 1) {
			t.Errorf("%s: %s", response.Type, response.Body())
		}
		seen[response.Type] = true
		headers := response.Headers()
		if headers["X-Request-Id"] != "context.requestId" || headers["Server-Timing"] != "'auth;dur=0, total;dur=0'" {
			t.Errorf("%s: %v", response.Type, headers)
		}
		if _, ok := headers["Retry-After"]; ok != (response.Status == 429) {
			t.Errorf("%s: %v", response.Type, headers)
		}
	}
	for _, occasion := range []string{"DEFAULT_4XX", "DEFAULT_5XX", web.UnknownRoute, web.TooLarge, web.IntegrationFailure,
		web.IntegrationTimeout, "THROTTLED"} {
		if !seen[occasion] || web.GatewayFor(occasion).Type != occasion {
			t.Errorf("%s has no response", occasion)
		}
	}
	if web.GatewayFor("SOMETHING_NEW").Type != "DEFAULT_5XX" {
		t.Error("an occasion without a response of its own has none")
	}
}
