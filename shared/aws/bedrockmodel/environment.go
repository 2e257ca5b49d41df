package bedrockmodel

import (
	"fmt"

	"earshot/shared/aws/account"
	"earshot/shared/workspace"
)

// FromEnvironment returns the model that a deployment's variables name, and how many tokens each workspace may spend on
// it per day: MODEL_ID and MODEL_DAILY_TOKENS. It returns nil without MODEL_ID. env is os.Getenv or a stand-in.
func FromEnvironment(env func(string) string) (m *Model, dailyTokens int, err error) {
	id := env("MODEL_ID")
	if id == "" {
		return nil, 0, nil
	}
	if dailyTokens, err = workspace.ModelTokens(env); err != nil {
		return nil, 0, fmt.Errorf("bedrockmodel: %w", err)
	}
	asker, err := account.From(env, "")
	if err != nil {
		return nil, 0, fmt.Errorf("bedrockmodel: %w", err)
	}
	m, err = New(asker, id)
	return m, dailyTokens, err
}
