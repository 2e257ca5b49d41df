package main

import "earshot/shared/lambdalog"

// The metrics that the functions send themselves, of which the dashboard shows these: those behind the API for the stage alone, all others
// for themselves too. What there is besides is listed by lambdalog.
const (
	ownMetrics    = lambdalog.Namespace
	stageKey      = lambdalog.DimensionStage
	functionKey   = lambdalog.DimensionFunction
	authMicros    = "authMicros"
	handlerMicros = "handlerMicros"
	readUnits     = "readUnits"
	writeUnits    = "writeUnits"
	failed        = "failed" // requests answered with 5xx; messages that are to come again
	limited       = "limited"
	rejected      = "rejected" // messages that nobody can read
	left          = "left"     // messages for which there was no time
	modelRequests = "modelRequests"
	modelFailures = "modelFailures" // of those, that the model did not answer
)
