package main

import (
	"context"
	"errors"
	"time"

	"earshot/functions/local/deployment"
	"earshot/shared/aws/bedrockmodel"
	"earshot/shared/embedded/environmentsecret"
	"earshot/shared/embedded/openaimodel"
)

// useModel gives the parts the model of the environment, if it names one. A server of MODEL_URL with the model MODEL
// composes proposals and advises the judge. A model of Bedrock, MODEL_ID, composes proposals with the AWS account of
// the environment. Without a model, rules do all of it.
func useModel(ctx context.Context, env func(string) string, parts *deployment.Parts) error {
	served, err := openaimodel.FromEnvironment(ctx, env, environmentsecret.New(env))
	if err != nil {
		return err
	}
	onBedrock, _, err := bedrockmodel.FromEnvironment(env)
	switch {
	case err != nil:
		return err
	case served != nil && onBedrock != nil:
		return errors.New("MODEL_URL and MODEL_ID name two models. Leave one of them empty")
	case served != nil:
		parts.Model, parts.Setup.Agent, parts.Setup.ModelID = served, served, served.ID()
	case onBedrock != nil:
		parts.Setup.Agent, parts.Setup.ModelID = onBedrock, env("MODEL_ID")
	}
	return nil
}

// postsTime is how long taking in a message of posts may take before it counts as dead; 0 is the queue's default. A
// judge that asks a model about each ten posts takes minutes.
func postsTime(env func(string) string) time.Duration {
	if env("MODEL_URL") == "" {
		return 0
	}
	return 5 * time.Minute
}
