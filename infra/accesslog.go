package main

import (
	"encoding/json"
	"fmt"
)

// accessLogFormat is one line of JSON for each request. It names the route and not the path, and nothing about the
// client: no address, no agent, no key. Every value is a string, because API Gateway writes "-" for an unknown value.
func accessLogFormat() string {
	line, err := json.Marshal(struct {
		RequestID          string `json:"requestId"`
		TraceID            string `json:"traceId"`
		Time               string `json:"time"`
		Method             string `json:"method"`
		ResourcePath       string `json:"resourcePath"`
		Status             string `json:"status"`
		Latency            string `json:"latency"`            // milliseconds, in all
		IntegrationLatency string `json:"integrationLatency"` // milliseconds, in the function
		ResponseLength     string `json:"responseLength"`     // bytes
		IntegrationError   string `json:"integrationError"`
		GatewayResponse    string `json:"gatewayResponse"` // the occasion, when no function gave the answer
	}{
		RequestID:          "$context.requestId",
		TraceID:            "$context.xrayTraceId",
		Time:               "$context.requestTime",
		Method:             "$context.httpMethod",
		ResourcePath:       "$context.resourcePath",
		Status:             "$context.status",
		Latency:            "$context.responseLatency",
		IntegrationLatency: "$context.integrationLatency",
		ResponseLength:     "$context.responseLength",
		IntegrationError:   "$context.integrationErrorMessage",
		GatewayResponse:    "$context.error.responseType",
	})
	if err != nil {
		panic(fmt.Sprintf("infra: access log format: %v", err)) // strings always marshal
	}
	return string(line)
}
