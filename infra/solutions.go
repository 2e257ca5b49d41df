package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"
)

// holdToSolutions makes the synthesis of the app check the rules of AWS Solutions. A broken rule without an excuse is
// an error, and the CDK's command line stops. Each stack's report is beside its template.
func holdToSolutions(app awscdk.App) {
	awscdk.Aspects_Of(app).Add(cdknag.NewAwsSolutionsChecks(&cdknag.NagPackProps{
		Reports: jsii.Bool(true), ReportFormats: &[]cdknag.NagReportFormat{cdknag.NagReportFormat_CSV},
	}), nil)
}
