package workspace

import (
	"errors"
	"strconv"
)

// DefaultModelTokens is a workspace's daily budget unless the deployment sets another: a few hundred posts.
const DefaultModelTokens = 100_000

// ModelTokens returns how many tokens each workspace may spend in a day, for the judge, and for the wizard and summaries
// together, by the variables MODEL_ID and MODEL_DAILY_TOKENS. It is 0 without a model. env is os.Getenv or a stand-in.
func ModelTokens(env func(string) string) (int, error) {
	if env("MODEL_ID") == "" {
		return 0, nil
	}
	text := env("MODEL_DAILY_TOKENS")
	if text == "" {
		return DefaultModelTokens, nil
	}
	tokens, err := strconv.Atoi(text)
	if err != nil || tokens < 1 {
		return 0, errors.New("MODEL_DAILY_TOKENS is not a number of tokens. Give a positive number or none")
	}
	return tokens, nil
}
