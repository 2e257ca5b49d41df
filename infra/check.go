package main

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// hostName is a name of DNS with two parts at least, in lower case, as API Gateway wants it.
var hostName = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$`)

// stageName is what the names made of a stage's take: Cognito's, SQS's and API Gateway's.
var stageName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// certificateARN is of Certificate Manager, with the region and the account that AWS has checked when it deploys.
var certificateARN = regexp.MustCompile(`^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate/[a-zA-Z0-9-]+$`)

// check finds what AWS would refuse only while it deploys, with half of the stacks made. Each error names the setting and the remedy.
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
			fault("ReturnTo[%d] is %q, which %s; give an address like https://app.example.com/signed-in, or http://localhost:3000/", i, address, why)
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
		fault("Domain.Certificate is %q; give the ARN of a certificate of %s, arn:aws:acm:…:certificate/…, in the region of the deployment",
			s.Domain.Certificate, s.Domain.Name)
	}
	if s.FirewallRate != 0 && (s.FirewallRate < leastFirewallRate || s.FirewallRate > mostFirewallRate) {
		fault("FirewallRate is %g; AWS WAF takes %d to %d requests in five minutes, and 0 is no firewall", s.FirewallRate, leastFirewallRate, mostFirewallRate)
	}
	return errors.Join(faults...)
}

// noReturn says why Cognito sends nobody to an address; empty: it does.
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
