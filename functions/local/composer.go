package main

import (
	"earshot/shared/aws/bedrockmodel"
	"earshot/shared/port/model"
)

// composer returns the model that composes proposals: a model of Bedrock if MODEL_ID names it, with the AWS account
// of the environment. Otherwise nil, and rules compose.
func composer(env func(string) string) (model.Converser, string, error) {
	found, _, err := bedrockmodel.FromEnvironment(env)
	if err != nil || found == nil {
		return nil, "", err
	}
	return found, env("MODEL_ID"), nil
}
