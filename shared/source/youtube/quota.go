package youtube

import (
	"encoding/json"
	"net/http"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

// explain tells a spent quota from refused credentials. Both come with status 403 ("Errors", "YouTube Data API").
func explain(response fetch.Response, now time.Time) *source.Unavailable {
	var body struct {
		Error struct {
			Errors []struct {
				Reason string `json:"reason"`
			} `json:"errors"`
		} `json:"error"`
	}
	if json.Unmarshal(response.Body, &body) != nil {
		return nil
	}
	for _, one := range body.Error.Errors {
		switch one.Reason {
		case "quotaExceeded", "dailyLimitExceeded":
			return &source.Unavailable{
				Reason:     "answered that its quota for today is used up",
				RetryAfter: untilReset(now),
			}
		case "rateLimitExceeded", "userRateLimitExceeded":
			return &source.Unavailable{
				Reason:     "answered that it is asked too fast",
				RetryAfter: max(time.Minute, fetch.RetryAfter(response.Header, now)),
			}
		case "keyInvalid", "keyExpired":
			if response.Status == http.StatusBadRequest {
				return &source.Unavailable{Reason: "answered 400: it does not take the key", Refused: true}
			}
		}
	}
	return nil
}

// untilReset returns the time until midnight Pacific Time, when quotas are renewed. A Lambda has no table of time
// zones, so the rule is written out here. Daylight time is an hour ahead, from the second Sunday in March to the first
// in November. It begins and ends at two in the morning by the clock before the change (15 U.S.C. 260a).
func untilReset(now time.Time) time.Duration {
	standard := time.FixedZone("PST", -8*60*60)
	daylight := time.FixedZone("PDT", -7*60*60)
	local := now.In(standard)
	begins := time.Date(local.Year(), time.March, sunday(local.Year(), time.March, 2), 2, 0, 0, 0, standard)
	ends := time.Date(local.Year(), time.November, sunday(local.Year(), time.November, 1), 2, 0, 0, 0, daylight)
	zone := func(at time.Time) *time.Location {
		if at.Before(begins) || !at.Before(ends) {
			return standard
		}
		return daylight
	}
	today := now.In(zone(now))
	midnight := func(in *time.Location) time.Time {
		return time.Date(today.Year(), today.Month(), today.Day()+1, 0, 0, 0, 0, in)
	}
	return midnight(zone(midnight(standard))).Sub(now)
}

// sunday returns the day of a month's n-th Sunday.
func sunday(year int, month time.Month, n int) int {
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC).Weekday()
	return 1 + (7-int(first))%7 + 7*(n-1)
}
