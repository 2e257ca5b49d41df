package main

import (
	"net/url"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscognito"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// signInPrefix begins the name of the hosted pages below Cognito's own domain. All accounts of a region share these
// names, so it has the account in it. Cognito takes lower-case letters, digits and hyphens.
func (s Stage) signInPrefix() string { return project + "-" + s.Name + "-" + *awscdk.Aws_ACCOUNT_ID() }

// newSignInPages gives the directory of people the pages that Cognito hosts, on which they sign up and in. They are
// the classic ones, which need no style of their own and come with every plan of Cognito's.
func newSignInPages(scope constructs.Construct, stage Stage, people awscognito.UserPool) {
	awscognito.NewCfnUserPoolDomain(scope, jsii.String("SignInPages"), &awscognito.CfnUserPoolDomainProps{
		Domain: jsii.String(stage.signInPrefix()), UserPoolId: people.UserPoolId(), ManagedLoginVersion: jsii.Number(1),
	})
}

// signInScopes are the scopes of a sign-in: the person's identity, and nothing of Cognito's own API.
var signInScopes = []string{"openid", "email", "profile"}

// A signIn names where people sign up and in. grants is the client of the function that lets programs act for people,
// and issuer is the service root.
type signIn struct{ client, signInURL, signUpURL, grants, issuer *string }

// newSignIn makes the client by which people sign in on the hosted pages. The client is public and has no secret,
// because a program in a browser or on a laptop cannot keep one. PKCE (RFC 7636) proves that the program that began
// the sign-in ends it. Passwords go to Cognito's own pages alone. The client is in the API's stack, because it may
// send people back to the API's address.
func newSignIn(stack awscdk.Stack, stage Stage, people awscognito.UserPool, api awsapigateway.RestApi) signIn {
	returnTo := stage.ReturnTo
	if len(returnTo) == 0 {
		returnTo = []string{docsURL(api, stage)}
	}
	client := newSignInClient(stack, "SignIn", people, returnTo)
	issuer := apiURL(api, stage)
	grants := newSignInClient(stack, "GrantSignIn", people, []string{issuer + "/oauth/callback"})
	page := func(name string) *string {
		return jsii.String(
			"https://" + stage.signInPrefix() + ".auth." + *awscdk.Aws_REGION() + ".amazoncognito.com/" + name +
				"?client_id=" + *client.Ref() + "&response_type=code&scope=" + strings.Join(signInScopes, "+") + "&redirect_uri=" +
				escaped(returnTo[0]),
		)
	}
	made := signIn{client.Ref(), page("login"), page("signup"), grants.Ref(), jsii.String(issuer)}
	output(stack, "SignInClient", "The client by which people sign in, for programs that have them do so", made.client)
	output(stack, "SignInUrl", "Where people sign in", made.signInURL)
	output(stack, "SignUpUrl", "Where people sign up", made.signUpURL)
	return made
}

// newSignInClient makes a client that sends people back to some addresses.
func newSignInClient(
	stack awscdk.Stack, id string, people awscognito.UserPool, returnTo []string,
) awscognito.CfnUserPoolClient {
	return awscognito.NewCfnUserPoolClient(stack, jsii.String(id), &awscognito.CfnUserPoolClientProps{
		UserPoolId:                      people.UserPoolId(),
		GenerateSecret:                  jsii.Bool(false),
		SupportedIdentityProviders:      jsii.Strings("COGNITO"),
		AllowedOAuthFlowsUserPoolClient: jsii.Bool(true),
		AllowedOAuthFlows:               jsii.Strings("code"),
		AllowedOAuthScopes:              jsii.Strings(signInScopes...),
		CallbackUrLs:                    jsii.Strings(returnTo...),
		LogoutUrLs:                      jsii.Strings(returnTo...),
		// Without this list Cognito would take passwords by its API too.
		ExplicitAuthFlows: jsii.Strings("ALLOW_REFRESH_TOKEN_AUTH"),
		// Nobody may find out whether an address has an account.
		PreventUserExistenceErrors: jsii.String("ENABLED"),
		EnableTokenRevocation:      jsii.Bool(true),
		AuthSessionValidity:        jsii.Number(5),
		AccessTokenValidity:        jsii.Number(1),
		IdTokenValidity:            jsii.Number(1),
		RefreshTokenValidity:       jsii.Number(30),
		TokenValidityUnits: &awscognito.CfnUserPoolClient_TokenValidityUnitsProperty{
			AccessToken: jsii.String("hours"), IdToken: jsii.String("hours"), RefreshToken: jsii.String("days")},
	})
}

// tellSignIn tells the function that lets programs act for people where they sign in, and who it is. The metadata name
// the same issuer.
func (s signIn) tellSignIn(of lambda, stage Stage, people awscognito.UserPool) {
	if of.SignsIn || of.Name == documented {
		of.deployed.AddEnvironment(jsii.String("OAUTH_ISSUER"), s.issuer, nil)
	}
	if !of.SignsIn {
		return
	}
	region := *awscdk.Aws_REGION()
	for name, value := range map[string]*string{
		"SIGNIN_PAGES":  jsii.String("https://" + stage.signInPrefix() + ".auth." + region + ".amazoncognito.com"),
		"SIGNIN_CLIENT": s.grants,
		"SIGNIN_ISSUER": jsii.String("https://cognito-idp." + region + ".amazonaws.com/" + *people.UserPoolId()),
	} {
		of.deployed.AddEnvironment(jsii.String(name), value, nil)
	}
}

// escaped returns an address as a value of a query. What CloudFormation fills in later (an API's id, a region) is
// letters, digits and dashes, and stays as it is.
func escaped(address string) string {
	if *awscdk.Token_IsUnresolved(address) {
		return strings.NewReplacer(":", "%3A", "/", "%2F").Replace(address)
	}
	return url.QueryEscape(address)
}

// tellSignUp tells an inviting function the address of the hosted page, unless the stage has its own page.
func (s signIn) tellSignUp(of lambda, stage Stage) {
	if of.invites() && stage.SignUpURL == "" {
		of.deployed.AddEnvironment(jsii.String("SIGNUP_URL"), s.signUpURL, nil)
	}
}
