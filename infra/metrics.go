package main

// The metrics that the functions send themselves, in CloudWatch's Embedded Metric Format: in this namespace, those behind the API for the
// stage alone (dimension Stage), all others for themselves too (Stage and Function, the name of its row). A count that is 0 is not sent.
const (
	ownMetrics    = "Earshot"
	stageKey      = "Stage"
	functionKey   = "Function"
	authMicros    = "authMicros"
	handlerMicros = "handlerMicros"
	readUnits     = "readUnits"
	writeUnits    = "writeUnits"
	failed        = "failed" // requests answered with 5xx; messages that are to come again
	limited       = "limited"
	rejected      = "rejected" // messages that nobody can read
	left          = "left"     // messages for which there was no time
)
