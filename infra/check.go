package main

import (
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"regexp"
	"strings"
)

// hostName matches a DNS name with at least two parts, in lower case, as API Gateway wants it.
var hostName = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$`)

// stageName matches what the names made from a stage's name may hold: Cognito's, SQS's and API Gateway's.
var stageName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// certificateARN matches a certificate of Certificate Manager. AWS checks region and account when it deploys.
var certificateARN = regexp.MustCompile(`^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate/[a-zA-Z0-9-]+$`)

// staticFirewallARN matches a web ACL of CloudFront. They are all in one region.
var staticFirewallARN = regexp.MustCompile(
	`^arn:aws[a-z-]*:wafv2:us-east-1:[0-9]{12}:global/webacl/[A-Za-z0-9_-]+/[a-z0-9-]+$`,
)

// modelID matches Bedrock's names of models and profiles, and the empty text for none.
var modelID = regexp.MustCompile(`^[a-zA-Z0-9.:_-]*$`)

// check returns what AWS would refuse only while it deploys, with half of the stacks made. Each error names the
// setting and the remedy.
func (s Stage) check() error {
	var faults []error
	fault := func(format string, values ...any) {
		faults = append(faults, fmt.Errorf("the stage "+s.Name+": "+format, values...))
	}
	if !stageName.MatchString(s.Name) || len(s.Name) > 20 {
		fault("Name is %q; it takes up to 20 lower-case letters and digits, a letter first", s.Name)
	}
	for _, reserved := range []string{"aws", "amazon", "cognito"} {
		if strings.Contains(s.Name, reserved) {
			fault("Name has %q in it, which Cognito takes in no domain; choose another", reserved)
		}
	}
	for i, address := range s.ReturnTo {
		if why := noReturn(address); why != "" {
			fault(
				"ReturnTo[%d] is %q, which %s; give an address like https://app.example.com/signed-in, or http://localhost:3000/",
				i, address, why,
			)
		}
	}
	if len(s.ReturnTo) > 100 {
		fault("ReturnTo has %d addresses; Cognito takes 100", len(s.ReturnTo))
	}
	switch {
	case s.Domain == Domain{}:
	case !hostName.MatchString(s.Domain.Name):
		fault("Domain.Name is %q; give a name like api.example.com, in lower case and without https://", s.Domain.Name)
	case !certificateARN.MatchString(s.Domain.Certificate):
		fault(
			"Domain.Certificate is %q; give the ARN of a certificate of %s, arn:aws:acm:…:certificate/…, in the region of the deployment",
			s.Domain.Certificate,
			s.Domain.Name,
		)
	}
	for name, rate := range map[string]float64{"PublicPerSecond": s.PublicPerSecond, "PublicBurst": s.PublicBurst} {
		if most := s.RequestsPerSecond; !inWhole(rate) || rate < 1 || rate > most {
			fault("%s is %g; give a whole number of requests from 1 to the %g of RequestsPerSecond", name, rate, most)
		}
	}
	if s.StaticFirewall != "" && !staticFirewallARN.MatchString(s.StaticFirewall) {
		fault(
			"StaticFirewall is %q; give the ARN of a web ACL of CloudFront, arn:aws:wafv2:us-east-1:…:global/webacl/…",
			s.StaticFirewall,
		)
	}
	if days := s.RecoveryDays; days < 1 || days > 35 || !inWhole(days) {
		fault("RecoveryDays is %g; DynamoDB takes whole days from 1 to 35", days)
	}
	faults = append(faults, s.checkRestored()...)
	if s.MailFrom != "" {
		if _, err := mail.ParseAddress(s.MailFrom); err != nil {
			fault(
				"MailFrom is %q; give an address like hello@mail.example.com, or Earshot <hello@mail.example.com>",
				s.MailFrom,
			)
		} else if s.MailIdentity != "" && !identifies(s.MailIdentity, addressOf(s.MailFrom)) {
			fault(
				"MailIdentity is %q, by which SES does not send from %s; give the address, its domain, or a domain above",
				s.MailIdentity, addressOf(s.MailFrom),
			)
		}
	} else if s.MailIdentity != "" || s.MailSandbox {
		fault("MailIdentity and MailSandbox are about MailFrom, which is empty; give an address, or leave them out")
	}
	if at, err := url.Parse(s.SignUpURL); s.SignUpURL != "" && (err != nil || at.Scheme != "https" || at.Host == "") {
		fault("SignUpURL is %q; give an address like https://app.example.com/sign-up", s.SignUpURL)
	}
	if s.MonthlyBudget < 0 {
		fault("MonthlyBudget is %g; give US dollars, and 0 for no budget", s.MonthlyBudget)
	}
	if s.ModelTokens < 0 {
		fault(
			"ModelTokens is %d; give how many tokens a workspace may spend on a day, and 0 for what is enough",
			s.ModelTokens,
		)
	}
	if !modelID.MatchString(s.Model) {
		fault(
			"Model is %q; give the id of a model of Bedrock, or of an inference profile, such as eu.anthropic.claude-sonnet-4-v1:0",
			s.Model,
		)
	}
	if rate := s.FirewallRate; !inWhole(rate) ||
		rate != 0 && (rate < leastFirewallRate*keylessShare || rate > mostFirewallRate) {
		fault(
			"FirewallRate is %g; AWS WAF takes whole numbers of requests from %d to %d, in five minutes, and 0 is no firewall",
			rate, leastFirewallRate*keylessShare, mostFirewallRate,
		)
	}
	if s.FirewallRules && s.FirewallRate == 0 {
		fault("FirewallRules is set without a firewall; give FirewallRate too, such as 5000")
	}
	return errors.Join(faults...)
}

func inWhole(n float64) bool { return n == float64(int64(n)) }

// noReturn returns why Cognito sends nobody to an address. Empty if it does.
func noReturn(address string) string {
	parsed, err := url.Parse(address)
	switch {
	case err != nil || parsed.Host == "" || parsed.Opaque != "":
		return "is no address of the web"
	case parsed.User != nil:
		return "has a name or a password in it"
	case strings.Contains(address, "#"):
		return "has a fragment"
	case len(address) > 1024:
		return "is longer than 1,024 characters"
	case parsed.Scheme == "https", parsed.Scheme == "http" && parsed.Hostname() == "localhost":
		return ""
	}
	return "is not https, as every place but localhost must be"
}
