package main

import (
	"cmp"
	"net/mail"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscognito"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// allowMail lets a role send mail from the stage's address and no other.
//
// SES checks the right on the identity of the sender, which is the most exact one that is verified: the address, its
// domain, or MailIdentity. For an account in the sandbox SES also checks the right on the identity of each recipient.
// These are people's addresses, which a deployment cannot know, so all identities of the account are named there. The
// sender is held to the one address by the condition in either case, and the sandbox keeps mail to verified recipients.
// A mail that names a configuration set needs the right on it too.
func allowMail(role awsiam.Role, stage Stage, function Function) {
	address := addressOf(stage.MailFrom)
	names := []string{address, domainOf(address), stage.mailIdentity()}
	if stage.MailSandbox {
		names = []string{"*"}
	}
	slices.Sort(names)
	var identities []*string
	for _, name := range slices.Compact(names) {
		identities = append(identities, identityARN(role, name))
	}
	if function.Letters {
		identities = append(identities, awscdk.Stack_Of(role).FormatArn(&awscdk.ArnComponents{
			Service: jsii.String("ses"), Resource: jsii.String("configuration-set"),
			ResourceName: jsii.String(stage.lettersName()),
		}))
	}
	role.AddToPolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Actions:    jsii.Strings("ses:SendEmail"),
		Resources:  &identities,
		Conditions: &map[string]any{"StringEquals": map[string]any{"ses:FromAddress": address}},
	}))
}

// sendBy has the directory of people send its codes from the stage's address. Without that Cognito sends 50 mails a day
// for the whole account. It must be in the template: each change of the directory resets what the template does not
// have.
func sendBy(people awscognito.UserPool, stage Stage) {
	if stage.MailFrom == "" || stage.MailSandbox {
		return
	}
	from := senderOf(stage.MailFrom)
	sender := from.Address
	if from.Name != "" {
		sender = from.String() // a name beyond ASCII is encoded, as Cognito wants it
	}
	pool := people.Node().DefaultChild().(awscognito.CfnUserPool)
	pool.SetEmailConfiguration(&awscognito.CfnUserPool_EmailConfigurationProperty{
		EmailSendingAccount: jsii.String("DEVELOPER"),
		From:                jsii.String(sender),
		SourceArn:           identityARN(people, stage.mailIdentity()),
	})
}

// mailIdentity returns the identity that SES has verified for MailFrom.
func (s Stage) mailIdentity() string { return cmp.Or(s.MailIdentity, domainOf(addressOf(s.MailFrom))) }

// identityARN returns the ARN of an identity of SES in the stack's account and region.
func identityARN(scope constructs.IConstruct, name string) *string {
	return awscdk.Stack_Of(scope).FormatArn(&awscdk.ArnComponents{
		Service: jsii.String("ses"), Resource: jsii.String("identity"), ResourceName: jsii.String(name)})
}

// identifies reports whether SES sends from an address by an identity: the address itself, its domain, or a domain
// above.
func identifies(identity, address string) bool {
	above := strings.Contains(identity, ".") && strings.HasSuffix("."+domainOf(address), "."+identity)
	return identity == address || above
}

func domainOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

// addressOf is the address in "Earshot <mail@earshot.example>", or in the address alone. It panics on what is none.
func addressOf(from string) string { return senderOf(from).Address }

// senderOf is the name, if there is one, and the address in "Earshot <mail@earshot.example>". It panics on what is
// none: a mistake in stages.go.
func senderOf(from string) *mail.Address {
	parsed, err := mail.ParseAddress(from)
	if err != nil {
		panic("infra: MailFrom is no address of mail: " + from)
	}
	return parsed
}
