package bedrockmodel

import (
	"fmt"
	"strconv"

	"earshot/shared/aws/account"
)

// DefaultTokens is what a workspace may spend on a day unless the deployment says otherwise: some hundred posts.
const DefaultTokens = 100_000

// FromEnvironment is the model that a deployment's variables name, and how many tokens each workspace may spend on it on a day:
// MODEL_ID and MODEL_DAILY_TOKENS. Without MODEL_ID there is none, and nil is answered. env is os.Getenv or the like.
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
