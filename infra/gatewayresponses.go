package main

import (
	"strconv"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/web"
)

// addGatewayResponses puts the error envelope on every answer that API Gateway gives without a function. root is the
// service root.
func addGatewayResponses(api awsapigateway.RestApi, root string) {
	for _, response := range web.GatewayResponses() {
		headers := map[string]*string{}
		for name, value := range response.Headers() {
			headers[name] = jsii.String(value)
		}
		if response.Type == web.NoCredential {
			headers["WWW-Authenticate"] = jsii.String("'" + challengeOf(root) + "'")
		}
		api.AddGatewayResponse(jsii.String(response.Type), &awsapigateway.GatewayResponseOptions{
			Type:            awsapigateway.ResponseType_Of(jsii.String(response.Type)),
			StatusCode:      jsii.String(strconv.Itoa(response.Status)),
			ResponseHeaders: &headers,
			Templates:       &map[string]*string{"application/json": jsii.String(response.Body())},
		})
	}
}
