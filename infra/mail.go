package main

import (
	"net/mail"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"
)

// allowMail lets a role send mail from the stage's address and no other. The identity that SES has verified may be the address or
// its domain.
func allowMail(role awsiam.Role, from string) {
	address := addressOf(from)
	identity := func(name string) *string {
		return awscdk.Stack_Of(role).FormatArn(&awscdk.ArnComponents{
			Service: jsii.String("ses"), Resource: jsii.String("identity"), ResourceName: jsii.String(name)})
	}
	role.AddToPolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Actions:    jsii.Strings("ses:SendEmail"),
		Resources:  &[]*string{identity(address), identity(address[strings.LastIndexByte(address, '@')+1:])},
		Conditions: &map[string]any{"StringEquals": map[string]any{"ses:FromAddress": address}},
	}))
}

// addressOf is the address in "Earshot <mail@earshot.example>", or in the address alone. It panics on what is none: a mistake in
// stages.go.
func addressOf(from string) string {
	parsed, err := mail.ParseAddress(from)
	if err != nil {
		panic("infra: MailFrom is no address of mail: " + from)
	}
	return parsed.Address
}
