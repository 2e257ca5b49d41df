package main

import "earshot/shared/lambdalog"

// The metrics that the functions send and that the dashboard shows: of functions behind the API for the stage alone,
// of all others by function too. lambdalog lists all metrics.
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

	disabledWorkspaces = "disabledWorkspaces" // of which deliver disabled a first endpoint in an hour
	mailStopped        = "mailStopped"        // mails that a fault of the sender stopped
	overdue            = "overdue"            // deliveries, digests and alerts that nobody works on
)
