package main

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/web"
)

// newAPI makes the REST API with its one stage, its gateway responses and its access log, but no paths yet.
func newAPI(scope constructs.Construct, stage Stage, routes []route) (awsapigateway.RestApi, awslogs.LogGroup) {
	accessLogs := newLogGroup(scope, "AccessLogs", stage)
	api := awsapigateway.NewRestApi(scope, jsii.String("Api"), &awsapigateway.RestApiProps{
		// CloudWatch files the API's metrics under this name, so two stages of an account must differ in it.
		RestApiName:   jsii.String(project + "-" + stage.Name),
		Description:   jsii.String("Earshot, stage " + stage.Name),
		EndpointTypes: &[]awsapigateway.EndpointType{awsapigateway.EndpointType_REGIONAL},
		// With a name of its own alone, nobody passes by that name's settings.
		DisableExecuteApiEndpoint: jsii.Bool(stage.Domain.Only),
		MinCompressionSize:        awscdk.Size_Bytes(jsii.Number(web.MinCompressed)),
		// By one role the account lets API Gateway write logs for all APIs of a region. The role stays when this API
		// goes, because other APIs may need it. It also stays if this API's first deployment fails: the account names
		// the role by then.
		CloudWatchRole:              jsii.Bool(true),
		CloudWatchRoleRemovalPolicy: awscdk.RemovalPolicy_RETAIN,
		DeployOptions: &awsapigateway.StageOptions{
			StageName:      jsii.String(stage.Name),
			TracingEnabled: jsii.Bool(true),
			// With it on, each path and method has custom metrics of its own, which are paid for and which nothing
			// reads. Those of the whole API are free and there in any case.
			MetricsEnabled:       jsii.Bool(false),
			ThrottlingRateLimit:  jsii.Number(stage.RequestsPerSecond),
			ThrottlingBurstLimit: jsii.Number(stage.Burst),
			MethodOptions:        throttles(stage, routes),
			AccessLogDestination: awsapigateway.NewLogGroupLogDestination(accessLogs),
			AccessLogFormat:      awsapigateway.AccessLogFormat_Custom(jsii.String(accessLogFormat())),
			// Execution logs would go to a log group that API Gateway makes itself and keeps for ever; the access log
			// has the errors of integrations.
			LoggingLevel: awsapigateway.MethodLoggingLevel_OFF,
		},
	})
	api.Node().TryRemoveChild(jsii.String("Endpoint")) // the CDK's own output, which ApiUrl says better
	addGatewayResponses(api, apiURL(api, stage))

	output(scope, "ApiUrl", "Where the API is; paths begin behind it, with /api/v2", jsii.String(apiURL(api, stage)))
	output(scope, "DocsUrl", "The API's documentation", jsii.String(docsURL(api, stage)))
	return api, accessLogs
}

// readMethods are the methods by which a path is throttled on its own. A setting is for one HTTP method, and each
// path has the method ANY alone. API Gateway's documentation does not say by which of the two names a request finds
// its setting, so both have it.
var readMethods = []string{"ANY", "GET", "HEAD"}

// throttles returns the limits of paths that need no key. Each path has its own bucket, so a flood of one leaves the
// stage's bucket to workspaces. Other paths share the stage's bucket: API Gateway cannot see that a request has no
// key, and the firewall can.
func throttles(stage Stage, routes []route) *map[string]*awsapigateway.MethodDeploymentOptions {
	limited := map[string]*awsapigateway.MethodDeploymentOptions{}
	limit := func(path string) {
		for _, method := range readMethods {
			limited[strings.TrimSuffix(path, "/")+"/"+method] = &awsapigateway.MethodDeploymentOptions{
				ThrottlingRateLimit:  jsii.Number(stage.PublicPerSecond),
				ThrottlingBurstLimit: jsii.Number(stage.PublicBurst),
			}
		}
	}
	for _, route := range routes {
		if route.public {
			limit(route.path)
		}
	}
	limit(otherPaths)
	return &limited
}

// addRoutes gives each path to its function. All other paths call no function.
func addRoutes(p paths) {
	integrations := map[string]awsapigateway.Integration{}
	for _, route := range p.routes {
		integration, ok := integrations[route.function]
		if !ok {
			integration = awsapigateway.NewLambdaIntegration(p.lambdas[route.function].live,
				&awsapigateway.LambdaIntegrationOptions{
					// One permission a function, for any path of this API: one for each path would soon be more than a
					// function's policy holds (20 KB).
					ScopePermissionToMethod: jsii.Bool(false),
				})
			integrations[route.function] = integration
		}
		at := p.at(route.path)
		at.AddMethod(jsii.String("ANY"), integration, nil)
		if route.path == challenged {
			addChallenge(p, at, integration)
		}
	}
	addUnknownPaths(p)
}
