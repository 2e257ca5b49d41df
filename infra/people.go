package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awscognito"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// newPeople makes the directory of people: those who have signed up, by a mail address that they have shown to be
// theirs, and the groups of workspaces that they are in. It is kept where data is kept.
func newPeople(scope constructs.Construct, stage Stage) awscognito.UserPool {
	people := awscognito.NewUserPool(scope, jsii.String("People"), &awscognito.UserPoolProps{
		SelfSignUpEnabled:   jsii.Bool(true),
		SignInAliases:       &awscognito.SignInAliases{Email: jsii.Bool(true)},
		SignInCaseSensitive: jsii.Bool(false),
		AutoVerify:          &awscognito.AutoVerifiedAttrs{Email: jsii.Bool(true)},
		// A changed address counts once it is confirmed. Until then the old one counts.
		KeepOriginal:    &awscognito.KeepOriginalAttrs{Email: jsii.Bool(true)},
		AccountRecovery: awscognito.AccountRecovery_EMAIL_ONLY,
		PasswordPolicy: &awscognito.PasswordPolicy{
			MinLength:        jsii.Number(12),
			RequireLowercase: jsii.Bool(true),
			RequireUppercase: jsii.Bool(true),
			RequireDigits:    jsii.Bool(true),
			RequireSymbols:   jsii.Bool(true),
		},
		Mfa:                awscognito.Mfa_OPTIONAL,
		MfaSecondFactor:    &awscognito.MfaSecondFactor{Otp: jsii.Bool(true), Sms: jsii.Bool(false)},
		DeletionProtection: jsii.Bool(stage.protects(dataStack)),
		RemovalPolicy:      stage.removal(),
	})
	sendBy(people, stage)
	return people
}
