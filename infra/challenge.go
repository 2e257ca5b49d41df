package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/web"
	"earshot/shared/workspace"
)

// challenged is the path of the MCP server. Its clients learn where to sign in from the header WWW-Authenticate of a
// 401 (RFC 9728, section 5.1), and some look nowhere else.
const challenged = workspace.ResourceMCP

// addChallenge makes API Gateway itself respond to a POST of that path without a credential. It renames the header
// WWW-Authenticate of a function's response, and leaves the header of its own responses. A validator that wants the
// header Authorization is the one occasion of the response web.NoCredential. It costs no call of a function. The method
// ANY stays for a CORS preflight, which has no credential, and for wrong methods.
func addChallenge(p paths, at awsapigateway.IResource, integration awsapigateway.Integration) {
	at.AddMethod(jsii.String("POST"), integration, &awsapigateway.MethodOptions{
		RequestParameters: &map[string]*bool{"method.request.header.Authorization": jsii.Bool(true)},
		RequestValidator: awsapigateway.NewRequestValidator(
			p.groups.paths[p.group(challenged)], jsii.String("Credential"),
			&awsapigateway.RequestValidatorProps{RestApi: p.api, ValidateRequestParameters: jsii.Bool(true)},
		),
	})
}

// challengeOf returns the value of WWW-Authenticate that the MCP server itself sends to a request without a credential.
func challengeOf(root string) string {
	return `Bearer resource_metadata="` + root + web.ProtectedResource + challenged + `", scope="read write"`
}
