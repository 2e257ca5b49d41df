package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

const (
	ownAddress = "https://{Service/Api}.execute-api.{AWS::Region}.{AWS::URLSuffix}/"
	pages      = ".auth.{AWS::Region}.amazoncognito.com/"
)

// reference is what stands for what CloudFormation fills in, in a text.
var reference = regexp.MustCompile(`\{[^{}]+\}`)

// People sign up and in on Cognito's pages, by a client that has no secret and gets no token but for a code, and come
// back to where the stage says.
func TestPeopleSignInOnThePoolsOwnPages(t *testing.T) {
	onEachDeployment(t, func(t *testing.T, stage Stage, made deployment) {
		domain := made.data.at(t, "Data/SignInPages")
		if prefix := made.data.text(domain.Properties["Domain"]); prefix != "earshot-"+stage.Name+"-{AWS::AccountId}" ||
			made.data.text(domain.Properties["UserPoolId"]) != "{Data/People}" {
			t.Errorf("the pages are at %s, of %v", prefix, domain.Properties["UserPoolId"])
		}
		back := stage.ReturnTo
		if len(back) == 0 {
			back = []string{ownAddress + stage.Name + "/api/v2/docs"}
		}
		client := made.service.at(t, "Service/SignIn")
		for name, want := range map[string]any{
			"GenerateSecret": false, "AllowedOAuthFlowsUserPoolClient": true, "AllowedOAuthFlows": []string{"code"},
			"AllowedOAuthScopes":         []string{"openid", "email", "profile"},
			"ExplicitAuthFlows":          []string{"ALLOW_REFRESH_TOKEN_AUTH"},
			"SupportedIdentityProviders": []string{"COGNITO"}, "PreventUserExistenceErrors": "ENABLED",
			"EnableTokenRevocation": true,
			"AccessTokenValidity":   1, "IdTokenValidity": 1, "RefreshTokenValidity": 30,
			"TokenValidityUnits": map[string]string{"AccessToken": "hours", "IdToken": "hours", "RefreshToken": "days"},
		} {
			got, _ := json.Marshal(client.Properties[name])
			if want, _ := json.Marshal(want); string(got) != string(want) {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		}
		if pool := made.service.text(client.Properties["UserPoolId"]); pool != "{Data/People}" {
			t.Errorf("the client is of %s", pool)
		}
		for _, name := range []string{"CallbackURLs", "LogoutURLs"} {
			var got []string
			for _, address := range list(client.Properties[name]) {
				got = append(got, made.service.text(address))
			}
			if fmt.Sprint(got) != fmt.Sprint(back) {
				t.Errorf("%s are %q, want %q", name, got, back)
			}
		}
		for output, page := range map[string]string{"SignInUrl": "login", "SignUpUrl": "signup"} {
			at := made.service.text(made.service.Outputs[output].Value)
			if !strings.HasPrefix(at, "https://earshot-"+stage.Name+"-{AWS::AccountId}"+pages+page+"?") {
				t.Errorf("%s is %s", output, at)
			}
			parsed, err := url.Parse("https://pages.example/?" +
				reference.ReplaceAllString(at[strings.Index(at, "?")+1:], "filled"))
			if err != nil {
				t.Fatal(err)
			}
			want := url.Values{"client_id": {"filled"}, "response_type": {"code"}, "scope": {"openid email profile"},
				"redirect_uri": {reference.ReplaceAllString(back[0], "filled")}}
			if got := parsed.Query(); got.Encode() != want.Encode() {
				t.Errorf("%s asks for %v, want %v", output, got, want)
			}
		}
	})
}

// Who lets a program in comes back from the sign-in, and from the sign-out by which another person signs in.
func TestGrantSignIn_ComesBack(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		client := made.service.at(t, "Service/GrantSignIn")
		for _, name := range []string{"CallbackURLs", "LogoutURLs"} {
			got := made.service.text(list(client.Properties[name])[0])
			if n := len(list(client.Properties[name])); n != 1 || !strings.HasSuffix(got, "/oauth/callback") {
				t.Errorf("%s are %d, of which the first is %s", name, n, got)
			}
		}
	})
}

// Who is invited is told to sign up there, unless the stage has a page of its own (TestMailIsSentFromTheStagesAddress).
func TestInvitationsNameThePoolsOwnPage(t *testing.T) {
	onEachDeployment(t, func(t *testing.T, stage Stage, made deployment) {
		told := 0
		for _, function := range Manifest() {
			variables := made.in(function).at(t, function.home()+"/Fn").property("Environment", "Variables").(map[string]any)
			if !function.invites() {
				continue
			}
			told++
			if got, want := made.service.text(variables["SIGNUP_URL"]),
				made.service.text(made.service.Outputs["SignUpUrl"].Value); got != want {
				t.Errorf("%s has people sign up at %s, want %s", function.Name, got, want)
			}
		}
		if told == 0 {
			t.Error("no function invites people")
		}
	})
}
