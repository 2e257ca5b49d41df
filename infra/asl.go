package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"earshot/shared/proposal"
)

// An object is a JSON object of the Amazon States Language (states-language.net), with JSONPath.
type object map[string]any

// starting is how much longer than a stage's limit its task may take. Lambda stops the function at the limit, and
// counts from its start, which takes up to 10 s. A task that gave up earlier would begin the next attempt while the
// last still runs.
const starting = 10 * time.Second

// definition writes the state machine of a pipeline. An execution carries the ids that it was started with from stage
// to stage, and nothing else: a stage's result and error are dropped. The ARN of a stage's function is written as
// ${Stage}, for CloudFormation to fill in.
func definition(stages []proposal.StageSpec, limit time.Duration) string {
	states := object{}
	for i, stage := range stages {
		after, next := lastState, object{"End": true}
		if i+1 < len(stages) {
			after = entry(stages[i+1])
			next = object{"Next": after}
		}
		caught := "" // then the execution fails with the stage
		if !stage.Fatal() {
			caught = after
		}
		if caught == lastState {
			states[lastState] = object{"Type": "Succeed"}
		}
		if stage.Each {
			states[entry(stage)] = each(stage)
		}
		states[stateOf(stage.Name)] = task(stage, caught, next)
	}
	written, err := json.MarshalIndent(object{
		"Comment":        "A proposal of the setup engine. Made from shared/proposal/pipeline.",
		"StartAt":        entry(stages[0]),
		"TimeoutSeconds": whole(limit),
		"States":         states,
	}, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("infra: the state machine cannot be written: %v", err))
	}
	return string(written) + "\n"
}

// lastState is where a last stage goes after a failure, if a proposal can do without the stage.
const lastState = "Done"

// stateOf names the state that calls a stage for the whole run.
func stateOf(name proposal.Stage) string { return title(string(name)) }

// entry names the state by which a stage begins.
func entry(stage proposal.StageSpec) string {
	if stage.Each {
		return stateOf(stage.Name) + "Sources"
	}
	return stateOf(stage.Name)
}

// each calls a stage for every source of the run. A source that fails for good goes to a state of its own, so that
// the Map does not fail.
func each(stage proposal.StageSpec) object {
	name := stateOf(stage.Name)
	return object{
		"Type":           "Map",
		"ItemsPath":      "$.sources",
		"MaxConcurrency": stage.Width,
		"ItemSelector": object{
			"workspaceId.$": "$.workspaceId",
			"draftId.$":     "$.draftId",
			"run.$":         "$.run",
			"sources.$":     "$.sources",
			"source.$":      "$$.Map.Item.Value",
		},
		"ItemProcessor": object{
			"ProcessorConfig": object{"Mode": "INLINE"},
			"StartAt":         name + "Source",
			"States": object{
				name + "Source":       task(stage, name+"SourceFailed", object{"End": true}),
				name + "SourceFailed": object{"Type": "Pass", "End": true},
			},
		},
		"ResultPath": nil,
		"Next":       name,
	}
}

// task calls a stage's function, and goes to the state caught, if there is one, when the call failed for good. A call
// that Lambda turned away for lack of concurrency was no attempt, and is tried more often than a stage may fail.
func task(stage proposal.StageSpec, caught string, next object) object {
	made := object{
		"Type":           "Task",
		"Resource":       "${" + stateOf(stage.Name) + "}",
		"TimeoutSeconds": whole(stage.Limit + starting),
		"ResultPath":     nil,
	}
	retries := []object{{"ErrorEquals": []string{"Lambda.TooManyRequestsException"},
		"IntervalSeconds": 2, "BackoffRate": 2, "MaxAttempts": 5, "JitterStrategy": "FULL"}}
	if stage.Attempts > 1 {
		retries = append(retries, object{"ErrorEquals": []string{"States.ALL"},
			"IntervalSeconds": whole(stage.Pause), "BackoffRate": stage.Growth, "MaxAttempts": stage.Attempts - 1})
	}
	made["Retry"] = retries
	if caught != "" {
		made["Catch"] = []object{{"ErrorEquals": []string{"States.ALL"}, "ResultPath": nil, "Next": caught}}
	}
	maps.Copy(made, next)
	return made
}

// whole returns a time in seconds. The language knows whole seconds from 1; others panic, because the pipeline has a
// mistake.
func whole(d time.Duration) int {
	if d < time.Second || d%time.Second != 0 {
		panic(fmt.Sprintf("infra: a state machine cannot wait %s", d))
	}
	return int(d / time.Second)
}
