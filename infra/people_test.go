package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// People sign in by an address that they have shown to be theirs, whatever the case of its letters; and their accounts are kept where
// data is.
func TestPeople(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		pool := made.data.at(t, "Data/People")
		for name, want := range map[string]any{
			"UsernameAttributes": []any{"email"}, "AutoVerifiedAttributes": []any{"email"},
			"UsernameConfiguration":       map[string]any{"CaseSensitive": false},
			"UserAttributeUpdateSettings": map[string]any{"AttributesRequireVerificationBeforeUpdate": []any{"email"}},
			"DeletionProtection":          map[bool]string{true: "ACTIVE", false: "INACTIVE"}[stage.Keep],
		} {
			if got := pool.Properties[name]; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
		if want := map[bool]string{true: "RetainExceptOnCreate", false: "Delete"}[stage.Keep]; pool.DeletionPolicy != want {
			t.Errorf("without its stack: %s, want %s", pool.DeletionPolicy, want)
		}
	})
}

// A stage that has an address to send from sends by it and by no other; one that has none may send nothing.
func TestMailIsSentFromTheStagesAddress(t *testing.T) {
	stage, err := stageNamed("dev")
	if err != nil {
		t.Fatal(err)
	}
	stage.MailFrom, stage.SignUpURL = "Earshot <hello@mail.earshot.example>", "https://earshot.example/sign-up"
	made, err := synthesize(stage, t.TempDir(), servedDocument)
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string][]string{}
	for _, grant := range append(grants(t, made.data), grants(t, made.service)...) {
		if strings.HasPrefix(grant.action, "ses:") {
			allowed[grant.holder] = append(allowed[grant.holder], grant.action+" on "+grant.resource+" if "+grant.condition)
		}
	}
	const condition = ` if {"StringEquals":{"ses:FromAddress":"hello@mail.earshot.example"}}`
	want := []string{"ses:SendEmail on arn:{AWS::Partition}:ses:{AWS::Region}:{AWS::AccountId}:identity/hello@mail.earshot.example" + condition,
		"ses:SendEmail on arn:{AWS::Partition}:ses:{AWS::Region}:{AWS::AccountId}:identity/mail.earshot.example" + condition}
	for _, function := range Manifest() {
		got := allowed["{"+function.home()+"/Role}"]
		slices.Sort(got)
		if function.Mail && !slices.Equal(got, want) || !function.Mail && len(got) > 0 {
			t.Errorf("%s may %q", function.Name, got)
		}
		variables, _ := made.in(function).at(t, function.home()+"/Fn").property("Environment", "Variables").(map[string]any)
		if from := variables["MAIL_FROM"]; function.Mail != (from == stage.MailFrom) || !function.Mail && from != nil {
			t.Errorf("%s sends from %v", function.Name, from)
		}
		if at := variables["SIGNUP_URL"]; function.invites() != (at == stage.SignUpURL) || !function.invites() && at != nil {
			t.Errorf("%s has people sign up at %v", function.Name, at)
		}
	}
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		for _, grant := range append(grants(t, made.data), grants(t, made.service)...) {
			if stage.MailFrom == "" && strings.HasPrefix(grant.action, "ses:") {
				t.Errorf("%s may %s", grant.holder, grant.action)
			}
		}
	})
}

func TestWhatIsNoAddressIsNotSentFrom(t *testing.T) {
	for _, from := range []string{"earshot", "a@b, c@d", "Earshot <>"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is an address", from)
				}
			}()
			addressOf(from)
		}()
	}
}
