package main

import (
	"strings"
	"testing"
)

func TestStagesThatAWSWouldRefuseAreErrors(t *testing.T) {
	certificate := everyOption().Domain.Certificate
	for name, test := range map[string]struct {
		set   func(*Stage)
		fault string // empty: none
	}{
		"as it is":     {func(*Stage) {}, ""},
		"every option": {func(s *Stage) { *s = everyOption() }, ""},
		"laptop": {func(s *Stage) {
			s.ReturnTo = []string{"http://localhost/",
				"http://localhost:3000/back?x=1"}
		}, ""},
		"least rate":        {func(s *Stage) { s.FirewallRate = 100 }, ""},
		"rules alone":       {func(s *Stage) { s.FirewallRules = true }, "FirewallRate"},
		"no public rate":    {func(s *Stage) { s.PublicPerSecond = 0 }, "PublicPerSecond"},
		"wide public burst": {func(s *Stage) { s.PublicBurst = s.RequestsPerSecond + 1 }, "PublicBurst"},
		"regional ACL": {func(
			s *Stage) {
			s.StaticFirewall = "arn:aws:wafv2:us-east-1:111122223333:regional/webacl/a/b"
		}, "StaticFirewall"},
		"ACL elsewhere": {func(s *Stage) { s.StaticFirewall = "arn:aws:wafv2:eu-west-1:111122223333:global/webacl/a/b" },
			"StaticFirewall"},
		"reserved": {func(s *Stage) { s.Name = "myaws" }, `"aws"`},
		"capital":  {func(s *Stage) { s.Name = "Prod" }, "lower-case"},
		"plain": {func(s *Stage) { s.ReturnTo = []string{"https://a.example/", "http://a.example/"} },
			"ReturnTo[1]"},
		"like localhost": {func(s *Stage) { s.ReturnTo = []string{"http://localhost.a.example/"} }, "is not https"},
		"fragment":       {func(s *Stage) { s.ReturnTo = []string{"https://a.example/#in"} }, "fragment"},
		"empty fragment": {func(s *Stage) { s.ReturnTo = []string{"https://a.example/#"} }, "fragment"},
		"path alone":     {func(s *Stage) { s.ReturnTo = []string{"/signed-in"} }, "is no address"},
		"other scheme":   {func(s *Stage) { s.ReturnTo = []string{"javascript:alert(1)"} }, "is no address"},
		"own scheme":     {func(s *Stage) { s.ReturnTo = []string{"app://signed-in"} }, "is not https"},
		"user": {func(s *Stage) { s.ReturnTo = []string{"https://a.example@b.example/"} },
			"a name or a password"},
		"too many": {func(s *Stage) { s.ReturnTo = make([]string, 101) }, "101"},
		"too long": {func(s *Stage) { s.ReturnTo = []string{"https://a.example/" + strings.Repeat("a", 1024)} },
			"1,024"},
		"address for name": {func(s *Stage) { s.Domain = Domain{Name: "https://api.a.example", Certificate: certificate} },
			"Domain.Name"},
		"no certificate":     {func(s *Stage) { s.Domain = Domain{Name: "api.a.example"} }, "Domain.Certificate"},
		"no name":            {func(s *Stage) { s.Domain = Domain{Certificate: certificate} }, "Domain.Name"},
		"closed and no name": {func(s *Stage) { s.Domain = Domain{Only: true} }, "Domain.Name"},
		"half a request":     {func(s *Stage) { s.FirewallRate = 1000.5 }, "FirewallRate"},
		"too far back":       {func(s *Stage) { s.RecoveryDays = 60 }, "RecoveryDays"},
		"half a day":         {func(s *Stage) { s.RecoveryDays = 1.5 }, "RecoveryDays"},
		"no address":         {func(s *Stage) { s.MailFrom = "hello" }, "MailFrom"},
		"identity above":     {func(s *Stage) { s.MailFrom, s.MailIdentity = "a@mail.b.example", "b.example" }, ""},
		"identity of others": {func(s *Stage) { s.MailFrom, s.MailIdentity = "a@mail.b.example", "ail.b.example" },
			"MailIdentity"},
		"another address":   {func(s *Stage) { s.MailFrom, s.MailIdentity = "a@b.example", "c@b.example" }, "MailIdentity"},
		"a whole top level": {func(s *Stage) { s.MailFrom, s.MailIdentity = "a@b.example", "example" }, "MailIdentity"},
		"identity alone":    {func(s *Stage) { s.MailIdentity = "b.example" }, "MailFrom, which is empty"},
		"sandbox alone":     {func(s *Stage) { s.MailSandbox = true }, "MailFrom, which is empty"},
		"plain sign-up":     {func(s *Stage) { s.SignUpURL = "http://app.example.com/" }, "SignUpURL"},
		"no sign-up":        {func(s *Stage) { s.SignUpURL = "not a url" }, "SignUpURL"},
		"negative budget":   {func(s *Stage) { s.MonthlyBudget = -5 }, "MonthlyBudget"},
		"negative tokens":   {func(s *Stage) { s.ModelTokens = -3 }, "ModelTokens"},
		"no model":          {func(s *Stage) { s.Model = "nonsense model" }, "Model"},
		"low rate":          {func(s *Stage) { s.FirewallRate = 99 }, "FirewallRate"},
		"negative rate":     {func(s *Stage) { s.FirewallRate = -1 }, "FirewallRate"},
	} {
		stage := Stages()[0]
		test.set(&stage)
		err := stage.check()
		if (err == nil) != (test.fault == "") || err != nil && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%s: got %v, want %q", name, err, test.fault)
		}
	}
	stage := Stages()[0]
	stage.FirewallRate = 1
	if err := deploy(nil, stage, sources{}); err == nil || !strings.Contains(err.Error(), "FirewallRate") {
		t.Errorf("it is deployed: %v", err)
	}
}
