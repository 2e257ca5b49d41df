package main

import (
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/jsii-runtime-go"
)

// A Domain is the API's own name. The API's paths begin at its root.
type Domain struct {
	Name string // such as api.example.com; empty: none
	// Certificate is the ARN of the name's certificate in Certificate Manager, in the region of the deployment.
	Certificate string
	// Only closes the address that API Gateway gives every API. Set it when the name works: users of the other address
	// are cut off.
	Only bool
}

// apiURL returns where the API is, without a slash at its end. It names the API by its id and not by its stage,
// because the stage knows all functions. So a function's own environment may have it.
func apiURL(api awsapigateway.RestApi, stage Stage) string {
	if stage.Domain.Name != "" {
		return "https://" + stage.Domain.Name
	}
	return fmt.Sprintf(
		"https://%s.execute-api.%s.%s/%s", *api.RestApiId(), *awscdk.Aws_REGION(), *awscdk.Aws_URL_SUFFIX(), stage.Name,
	)
}

// docsURL returns the address of the API's documentation page.
func docsURL(api awsapigateway.RestApi, stage Stage) string {
	return apiURL(api, stage) + "/api/v2/docs"
}

// newDomain gives the API the stage's own name, if it has one. The target of the name is an output, because the
// deployment does not know whose DNS it is in.
func newDomain(stack awscdk.Stack, stage Stage, api awsapigateway.RestApi) {
	if stage.Domain.Name == "" {
		return
	}
	name := awsapigateway.NewCfnDomainName(stack, jsii.String("Domain"), &awsapigateway.CfnDomainNameProps{
		DomainName:             jsii.String(stage.Domain.Name),
		RegionalCertificateArn: jsii.String(stage.Domain.Certificate),
		EndpointConfiguration: &awsapigateway.CfnDomainName_EndpointConfigurationProperty{
			Types: jsii.Strings("REGIONAL"),
		},
		SecurityPolicy: jsii.String("TLS_1_2"), // and 1.3
	})
	awsapigateway.NewCfnBasePathMapping(stack, jsii.String("DomainRoot"), &awsapigateway.CfnBasePathMappingProps{
		DomainName: name.Ref(), RestApiId: api.RestApiId(), Stage: api.DeploymentStage().StageName(),
	})
	output(
		stack, "DomainTarget", "What the name of the API is to point to: CNAME, or an alias of Route 53",
		name.AttrRegionalDomainName(),
	)
	output(stack, "DomainZone", "The hosted zone of that, for an alias of Route 53", name.AttrRegionalHostedZoneId())
}
