package mcp_test

import (
	"encoding/json"
	"testing"

	"earshot/shared/worldtest"
)

// The list of tools is the same for all callers, so a cache between them may keep it for five minutes.
func TestToolsList_Cacheable(t *testing.T) {
	s := serve(t)
	body, header := newest("tools/list", "")
	response, text := s.post(t, s.world.Read, body, header...)
	var read struct {
		Result struct {
			TTLMs      int
			CacheScope string
		}
	}
	worldtest.Must(t, json.Unmarshal([]byte(text), &read))
	if got := read.Result; response.StatusCode != 200 || got.TTLMs != 300_000 || got.CacheScope != "public" {
		t.Errorf("tools/list = %d with %+v, want 300000 and public", response.StatusCode, got)
	}
}
