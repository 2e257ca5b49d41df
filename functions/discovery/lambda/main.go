// The discovery Lambda: what the API is, behind API Gateway.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/discovery"
	"earshot/shared/port/clock"
	"earshot/shared/web"
)

func main() {
	api := web.New(web.Options{Clock: clock.System{}, Log: web.Logger(os.Getenv)})
	discovery.Register(api, discovery.Options{Issuer: os.Getenv("OAUTH_ISSUER"), StaticURL: os.Getenv("STATIC_URL")})
	lambda.Start(api.LambdaHandler())
}
