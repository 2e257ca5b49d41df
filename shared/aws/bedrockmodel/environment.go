package bedrockmodel

import (
	"fmt"
	"strconv"

	"earshot/shared/aws/account"
)

// DefaultTokens is a workspace's daily budget unless the deployment sets another: a few hundred posts.
const DefaultTokens = 100_000

// FromEnvironment returns the model that a deployment's variables name, and how many tokens each workspace may spend on
// it per day: MODEL_ID and MODEL_DAILY_TOKENS. It returns nil without MODEL_ID. env is os.Getenv or a stand-in.
func FromEnvironment(env func(string) string) (m *Model, dailyTokens int, err error) {
	id := env("MODEL_ID")
	if id == "" {
		return nil, 0, nil
	}
	dailyTokens = DefaultTokens
	if text := env("MODEL_DAILY_TOKENS"); text != "" {
		if dailyTokens, err = strconv.Atoi(text); err != nil || dailyTokens < 1 {
			return nil, 0, fmt.Errorf("bedrockmodel: MODEL_DAILY_TOKENS is no number of tokens")
		}
	}
	asker, err := account.From(env, "")
	if err != nil {
		return nil, 0, fmt.Errorf("bedrockmodel: %w", err)
	}
	m, err = New(asker, id)
	return m, dailyTokens, err
}
