package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"
)

// holdToSolutions has the app held to the rules of AWS Solutions when it is synthesized. What breaks one and is not excused is an error, with
// which the CDK's command line goes no further. The report of each stack is beside its template.
func holdToSolutions(app awscdk.App) {
	awscdk.Aspects_Of(app).Add(cdknag.NewAwsSolutionsChecks(&cdknag.NagPackProps{
		Reports: jsii.Bool(true), ReportFormats: &[]cdknag.NagReportFormat{cdknag.NagReportFormat_CSV},
	}), nil)
}
