package main

import (
	"earshot/shared/aws/bedrockmodel"
	"earshot/shared/port/model"
)

// composer is the model that composes proposals: one of Bedrock's where MODEL_ID names it, with the AWS account of the environment; else
// none, and code composes.
func composer(env func(string) string) (model.Converser, string, error) {
	found, _, err := bedrockmodel.FromEnvironment(env)
	if err != nil || found == nil {
		return nil, "", err
	}
	return found, env("MODEL_ID"), nil
}
