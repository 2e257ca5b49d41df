package stackoverflow

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/text"
)

// The errors' ids ("Error Handling"). Most of them come with status 400.
const (
	badParameter        = 400
	accessTokenRequired = 401
	invalidAccessToken  = 402
	accessDenied        = 403
	keyRequired         = 405
	tokenCompromised    = 406
	throttled           = 502
	unavailableForNow   = 503
)

var seconds = text.NewPattern(`available in (\d{1,6}) seconds`)

// explain reads an error's id. It reads the length of a throttling from the message, because the API gives it nowhere
// else.
func explain(response fetch.Response, now time.Time) *source.Unavailable {
	var failed struct {
		ID      int    `json:"error_id"`
		Message string `json:"error_message"`
	}
	if json.Unmarshal(response.Body, &failed) != nil || failed.ID == 0 {
		return nil
	}
	unavailable := &source.Unavailable{Reason: fmt.Sprintf("answered %d with its error %d", response.Status, failed.ID)}
	switch failed.ID {
	case badParameter:
		unavailable.Refused = strings.Contains(failed.Message, "`key`")
	case accessTokenRequired, invalidAccessToken, accessDenied, keyRequired, tokenCompromised:
		unavailable.Refused = true
	case throttled:
		unavailable.RetryAfter = time.Minute
		if found := seconds.FindStringSubmatch(failed.Message); found != nil {
			wait, _ := strconv.Atoi(found[1])
			unavailable.RetryAfter = fetch.Seconds(float64(wait))
		}
	case unavailableForNow:
		unavailable.RetryAfter = fetch.RetryAfter(response.Header, now)
	}
	return unavailable
}
