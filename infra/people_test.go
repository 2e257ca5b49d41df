package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// People sign in by an address that they have shown to be theirs, whatever the case of its letters; and their accounts
// are kept where data is.
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
	allowed := grantsOfMail(t, made)
	const condition = ` if {"StringEquals":{"ses:FromAddress":"hello@mail.earshot.example"}}`
	want := []string{"ses:SendEmail on arn:{AWS::Partition}:ses:{AWS::Region}:{AWS::AccountId}:identity/hello@mail.earshot.example" + condition,
		"ses:SendEmail on arn:{AWS::Partition}:ses:{AWS::Region}:{AWS::AccountId}:identity/mail.earshot.example" + condition}
	const lettersARN = "arn:{AWS::Partition}:ses:{AWS::Region}:{AWS::AccountId}:configuration-set/earshot-dev-letters"
	for _, function := range Manifest() {
		got, want := allowed["{"+function.home()+"/Role}"], slices.Clone(want)
		if function.Letters {
			want = slices.Insert(want, 0, "ses:SendEmail on "+lettersARN+condition)
		}
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
		for _, grant := range made.grants(t) {
			if stage.MailFrom == "" && strings.HasPrefix(grant.action, "ses:") {
				t.Errorf("%s may %s", grant.holder, grant.action)
			}
		}
	})
}

// grantsOfMail returns what the roles of a deployment may do with SES, by role.
func grantsOfMail(t *testing.T, made deployment) map[string][]string {
	t.Helper()
	allowed := map[string][]string{}
	for _, grant := range made.grants(t) {
		if strings.HasPrefix(grant.action, "ses:") {
			allowed[grant.holder] = append(allowed[grant.holder], grant.action+" on "+grant.resource+" if "+grant.condition)
		}
	}
	return allowed
}

// Outside the sandbox codes of sign-ups go out from the stage's address. The template says so: a change of the pool
// resets all else.
func TestPoolMail_FromTheStagesAddress(t *testing.T) {
	stage := everyOption()
	for _, test := range []struct{ identity, from, wantFrom, wantIdentity string }{
		{"", stage.MailFrom, `"Earshot" <hello@mail.earshot.example>`, "mail.earshot.example"},
		{"earshot.example", "hello@mail.earshot.example", "hello@mail.earshot.example", "earshot.example"},
		{"hello@mail.earshot.example", "Öhr <hello@mail.earshot.example>",
			"=?utf-8?q?=C3=96hr?= <hello@mail.earshot.example>",
			"hello@mail.earshot.example"},
	} {
		t.Run(test.wantIdentity, func(t *testing.T) {
			stage := stage
			stage.MailFrom, stage.MailIdentity = test.from, test.identity
			if err := stage.check(); err != nil {
				t.Fatal(err)
			}
			made := deployments[withEveryOption]
			if test.identity != "" {
				var err error
				if made, err = synthesize(stage, t.TempDir(), servedDocument); err != nil {
					t.Fatal(err)
				}
			}
			got := made.data.at(t, "Data/People")
			for name, want := range map[string]string{
				"EmailSendingAccount": "DEVELOPER", "From": test.wantFrom,
				"SourceArn": "arn:{AWS::Partition}:ses:{AWS::Region}:{AWS::AccountId}:identity/" + test.wantIdentity,
			} {
				if value := made.data.text(got.property("EmailConfiguration", name)); value != want {
					t.Errorf("%s is %s, want %s", name, value, want)
				}
			}
			named := false
			for _, each := range grantsOfMail(t, made)["{Service/members/Role}"] {
				named = named || strings.Contains(each, ":identity/"+test.wantIdentity+" if")
			}
			if !named {
				t.Errorf("members may not send by the identity %s", test.wantIdentity)
			}
		})
	}
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		if got := made.data.at(t, "Data/People").Properties["EmailConfiguration"]; stage.MailFrom == "" && got != nil {
			t.Errorf("EmailConfiguration is %v, want none without MailFrom", got)
		}
	})
}

// In its sandbox SES checks rights on recipients, and reaches nobody who has just signed up.
func TestMailSandbox_RecipientsAreAllowed(t *testing.T) {
	stage, err := stageNamed("dev")
	if err != nil {
		t.Fatal(err)
	}
	stage.MailFrom, stage.MailSandbox = "Earshot <hello@mail.earshot.example>", true
	made, err := synthesize(stage, t.TempDir(), servedDocument, holdToSolutions)
	if err != nil {
		t.Fatal(err)
	}
	const on, condition = "ses:SendEmail on arn:{AWS::Partition}:ses:{AWS::Region}:{AWS::AccountId}:",
		` if {"StringEquals":{"ses:FromAddress":"hello@mail.earshot.example"}}`
	allowed := grantsOfMail(t, made)
	for _, function := range Manifest() {
		got, want := allowed["{"+function.home()+"/Role}"], []string{on + "identity/*" + condition}
		if function.Letters {
			want = slices.Insert(want, 0, on+"configuration-set/earshot-dev-letters"+condition)
		}
		if function.Mail && !slices.Equal(got, want) {
			t.Errorf("%s may %q, want %q", function.Name, got, want)
		}
		if !function.Mail && len(got) > 0 {
			t.Errorf("%s may %q, want nothing", function.Name, got)
		}
	}
	if got := made.data.at(t, "Data/People").Properties["EmailConfiguration"]; got != nil {
		t.Errorf("EmailConfiguration is %v: nobody who signs up is verified", got)
	}
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
