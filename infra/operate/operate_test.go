package operate

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"earshot/functions/agency"
	"earshot/functions/local/deployment"
	"earshot/functions/local/settings"
	"earshot/functions/local/tables"
	"earshot/infra/exit"
	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// An op runs the program on one data folder, or on a stage.
type op struct {
	*testing.T
	folder string
}

func (o op) run(args ...string) (string, error) {
	o.Helper()
	var out bytes.Buffer
	var chosen Commands
	parser, err := kong.New(&chosen, kong.Name("operate"))
	if err != nil {
		o.Fatal(err)
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return "", err
	}
	err = chosen.Open(
		o.Context(), func(name string) string { return map[string]string{"DATA": o.folder}[name] }, &out, parsed.Run,
	)
	return out.String(), err
}

// ok runs a command and reads its JSON.
func (o op) ok(into any, args ...string) {
	o.Helper()
	out, err := o.run(append([]string{"--json"}, args...)...)
	if err != nil {
		o.Fatalf("%v: %v", args, err)
	}
	if err := json.Unmarshal([]byte(out), into); err != nil {
		o.Fatalf("%v: %v in %s", args, err, out)
	}
}

func (o op) fails(want string, args ...string) {
	o.Helper()
	if out, err := o.run(args...); err == nil || !strings.Contains(err.Error(), want) {
		o.Errorf("%v: %v, want %q\n%s", args, err, want, out)
	}
}

// served asks the functions on the same data, as a client does.
func (o op) served(token, target string, header ...string) worldtest.Answer {
	o.Helper()
	client, closed := o.client("organization", token)
	defer closed()
	return client.Get(o.T, target, header...)
}

// client is a client of a function on the same data.
func (o op) client(function, token string) (client worldtest.Client, closed func() error) {
	o.Helper()
	stored, closed := o.opened()
	parts := deployment.Parts{Store: stored, Clock: clock.System{}, Log: discard}
	return worldtest.Client{Handler: web.LambdaHandler(deployment.Functions(parts)[function]), Token: token}, closed
}

func (o op) opened() (*allstores.Store, func() error) {
	o.Helper()
	rows, err := tables.Open(o.Context(), settings.Settings{Data: o.folder}, func(string) string { return "" }, clock.System{})
	if err != nil {
		o.Fatal(err)
	}
	return allstores.New(table.Retrying(rows), clock.System{}), rows.Close
}

type listed struct {
	ID, Name, Plan, Agency, Scope, Anchor string
	Flags                                 []string
	Workspaces, Limit                     int
	CentsPer1000Mentions                  int
	Active, Expired                       bool
}

// The story of a fresh deployment: from nothing to keys that work, and to keys that do not any more.
func TestFirstKeys(t *testing.T) {
	o := op{t, t.TempDir()}
	if out, err := o.run("workspace", "list"); err != nil || out != "There is no workspace.\n" {
		t.Errorf("%q, %v", out, err)
	}
	var acme made
	o.ok(&acme, "workspace", "create", "--name", " Acme ", "--plan", "pro", "--owner", "owner@acme.example", "--expiry", "30d")
	if ends, err := time.Parse(time.RFC3339, acme.ExpiresAt); err != nil || time.Until(ends) < 29*24*time.Hour {
		t.Errorf("%+v", acme)
	}
	var who struct {
		Workspace struct{ ID, Name, Plan string }
		Key       struct{ ID, Scope string }
	}
	o.served(acme.Token, "/api/v2/auth").OK(t, &who)
	if who.Workspace.ID != acme.Workspace || who.Workspace.Name != "Acme" || who.Workspace.Plan != "pro" ||
		who.Key.Scope != "admin" || who.Key.ID != acme.Key {
		t.Errorf("%+v", who)
	}

	var agency, client made
	o.ok(&agency, "agency", "create", "--name", "Harbour", "--limit", "2")
	o.ok(&client, "workspace", "create", "--name", "Client", "--agency", agency.Agency)
	o.fails("as many as it has room for", "workspace", "create", "--name", "Another", "--agency", agency.Agency)
	o.served(agency.Token, "/api/v2/auth", "x-earshot-organization-id", client.Workspace).OK(t, &who)
	if who.Workspace.ID != client.Workspace || who.Workspace.Plan != "free_trial" {
		t.Errorf("%+v", who)
	}
	var workspaces, agencies, keys []listed
	o.ok(&workspaces, "workspace", "list")
	o.ok(&agencies, "agency", "list")
	if len(workspaces) != 3 || workspaces[0].ID != acme.Workspace || workspaces[2].Agency != agency.Agency ||
		len(agencies) != 1 || agencies[0].Workspaces != 2 || agencies[0].Limit != 2 ||
		agencies[0].Anchor != agency.Workspace {
		t.Errorf("%+v %+v", workspaces, agencies)
	}

	// A second key, and the end of the first.
	var second made
	o.ok(&second, "key", "create", "--owner", acme.Workspace, "--scope", "read", "--name", "Reader")
	o.ok(&map[string]string{}, "key", "revoke", acme.Key)
	o.fails("there is no key", "key", "revoke", acme.Key)
	o.served(acme.Token, "/api/v2/auth").Is(t, http.StatusUnauthorized, "UNAUTHORIZED")
	o.served(second.Token, "/api/v2/auth").OK(t, &who)
	if o.ok(&keys, "key", "list", acme.Workspace); len(keys) != 1 || keys[0].Name != "Reader" || keys[0].Scope != "read" {
		t.Errorf("%+v", keys)
	}
	o.ok(&map[string]string{}, "key", "revoke", agency.Key)
	o.served(agency.Token, "/api/v2/auth").Is(t, http.StatusUnauthorized, "UNAUTHORIZED")
	var master made
	o.ok(&master, "key", "create", "--owner", agency.Agency)
	o.served(master.Token, "/api/v2/auth", "x-earshot-organization-id", client.Workspace).OK(t, nil)

	// A plan and a beta show at once, in keys that there are.
	o.ok(&map[string]string{}, "workspace", "plan", acme.Workspace, "scale")
	o.ok(&map[string]string{}, "workspace", "flag", acme.Workspace, "setup_onboarding", "on")
	o.ok(&map[string]string{}, "workspace", "flag", acme.Workspace, "setup_onboarding", "on")
	o.served(second.Token, "/api/v2/auth").OK(t, &who)
	if o.ok(&workspaces, "workspace", "list"); who.Workspace.Plan != "scale" || len(workspaces[0].Flags) != 1 {
		t.Errorf("%+v %+v", who, workspaces[0])
	}
	if out, err := o.run("workspace", "list"); err != nil || strings.Count(out, "\n") != 4 ||
		!strings.Contains(out, "setup_onboarding") {
		t.Errorf("%s %v", out, err)
	}
}

// What an agency pays for mentions beyond a plan is the operator's to set, and whether its master keys are let in.
func TestAgencies(t *testing.T) {
	o := op{t, t.TempDir()}
	var harbour made
	o.ok(&harbour, "agency", "create", "--name", "Harbour", "--limit", "2")
	listing := func() listed {
		t.Helper()
		var agencies []listed
		if o.ok(&agencies, "agency", "list"); len(agencies) != 1 {
			t.Fatalf("%+v", agencies)
		}
		return agencies[0]
	}
	billing := func() agency.AgencyBilling {
		t.Helper()
		client, closed := o.client("agency", harbour.Token)
		defer closed()
		var shown agency.Agency
		client.Get(t, "/api/v2/agency").OK(t, &shown)
		return shown.Billing
	}
	if found := listing(); !found.Active || found.CentsPer1000Mentions != 0 || billing().Configured {
		t.Errorf("%+v", found)
	}
	o.ok(&map[string]any{}, "agency", "billing", harbour.Agency, "--cents-per-1000-mentions", "250")
	if found := listing(); found.CentsPer1000Mentions != 250 || !billing().Configured ||
		billing().CentsPer1000Mentions.OrZero() != 250 {
		t.Errorf("%+v", found)
	}
	if out, err := o.run("agency", "list"); err != nil || !strings.Contains(out, "CENTS/1000") ||
		!strings.Contains(out, " 250 ") {
		t.Errorf("%s %v", out, err)
	}
	o.ok(&map[string]any{}, "agency", "billing", harbour.Agency, "--cents-per-1000-mentions", "0")
	if out, err := o.run("agency", "list"); err != nil || billing().Configured || !strings.Contains(out, " none ") {
		t.Errorf("%s %v", out, err)
	}
	for range 2 {
		o.ok(&map[string]any{}, "agency", "deactivate", harbour.Agency)
		o.served(harbour.Token, "/api/v2/auth", "x-earshot-organization-id", harbour.Workspace).
			Is(t, http.StatusForbidden, "AGENCY_INACTIVE")
	}
	if found := listing(); found.Active {
		t.Errorf("%+v", found)
	}
	for range 2 {
		o.ok(&map[string]any{}, "agency", "activate", harbour.Agency)
		o.served(harbour.Token, "/api/v2/auth", "x-earshot-organization-id", harbour.Workspace).OK(t, nil)
	}

	// A place that is kept for a workspace which is being made is no room for another.
	stored, closed := o.opened()
	defer closed()
	if _, err := stored.ReserveWorkspace(t.Context(), harbour.Agency, ""); err != nil {
		t.Fatal(err)
	}
	o.fails("as many as it has room for", "workspace", "create", "--name", "Client", "--agency", harbour.Agency)
}

func TestDeleteWorkspace(t *testing.T) {
	o := op{t, t.TempDir()}
	var acme, harbour, client made
	o.ok(&acme, "workspace", "create", "--name", "Acme")
	o.ok(&harbour, "agency", "create", "--name", "Harbour")
	o.ok(&client, "workspace", "create", "--name", "Client", "--agency", harbour.Agency)
	o.fails("send --yes to delete it", "workspace", "delete", acme.Workspace)
	o.fails("which cannot be deleted", "workspace", "delete", harbour.Workspace, "--yes")
	for _, token := range []string{acme.Token, client.Token} {
		o.served(token, "/api/v2/auth").OK(t, nil)
	}
	for _, w := range []made{acme, client} {
		out, err := o.run("workspace", "delete", w.Workspace, "--yes")
		if err != nil || !strings.Contains(out, "purged in the background") {
			t.Errorf("%s %v", out, err)
		}
		o.served(w.Token, "/api/v2/auth").Is(t, http.StatusUnauthorized, "UNAUTHORIZED")
		o.fails("there is no workspace "+w.Workspace, "workspace", "delete", w.Workspace, "--yes")
	}
	var workspaces, agencies []listed
	o.ok(&workspaces, "workspace", "list")
	o.ok(&agencies, "agency", "list")
	if len(workspaces) != 1 || workspaces[0].ID != harbour.Workspace || agencies[0].Workspaces != 1 {
		t.Errorf("%+v %+v", workspaces, agencies)
	}
	stored, closed := o.opened()
	defer closed()
	if due, err := stored.Purges(t.Context(), 10); err != nil || len(due) != 2 {
		t.Errorf("%v, %v", due, err)
	}
}

// A wish for another plan is listed until it is granted.
func TestUpgrades(t *testing.T) {
	o := op{t, t.TempDir()}
	var acme made
	o.ok(&acme, "workspace", "create", "--name", "Acme", "--plan", "agents")
	if out, err := o.run("upgrades"); err != nil || out != "Nobody wishes for another plan.\n" {
		t.Errorf("%q, %v", out, err)
	}
	stored, closed := o.opened()
	link := workspacestore.UpgradeLink{WorkspaceID: acme.Workspace, KeyID: acme.Key, ExpiresAt: time.Now().Add(time.Hour)}
	if err := stored.CreateUpgradeLink(t.Context(), [32]byte{1}, link); err != nil {
		t.Fatal(err)
	}
	if err := stored.SpendUpgradeLink(t.Context(), [32]byte{1}, link, workspace.Pro); err != nil {
		t.Fatal(err)
	}
	closed()
	var wishes []struct{ Workspace, Plan, Key string }
	if o.ok(&wishes, "upgrades"); len(wishes) != 1 || wishes[0].Workspace != acme.Workspace || wishes[0].Plan != "pro" ||
		wishes[0].Key != acme.Key {
		t.Errorf("%+v", wishes)
	}
	o.ok(&map[string]string{}, "workspace", "plan", acme.Workspace, "pro")
	if o.ok(&wishes, "upgrades"); len(wishes) != 0 {
		t.Errorf("%+v", wishes)
	}
}

// The Agents plan has no keywords, and no operation by which a client could pause those of an earlier plan.
func TestPlan_WithoutKeywords(t *testing.T) {
	o := op{t, t.TempDir()}
	var acme made
	o.ok(&acme, "workspace", "create", "--name", "Acme", "--plan", "pro")
	stored, closed := o.opened()
	for _, k := range []keyword.Keyword{{Text: "northwind"}, {Text: "westwind", Paused: true}, {Text: "eastwind"}} {
		if _, err := stored.CreateKeyword(t.Context(), acme.Workspace, k, 10); err != nil {
			t.Fatal(err)
		}
	}
	closed()
	unpaused := func() (n int) {
		stored, closed := o.opened()
		defer closed()
		all, err := stored.Keywords(t.Context(), acme.Workspace)
		if err != nil || len(all) != 3 {
			t.Fatalf("%d keywords, %v", len(all), err)
		}
		for _, k := range all {
			if !k.Paused {
				n++
			}
		}
		return n
	}
	o.ok(&map[string]string{}, "workspace", "plan", acme.Workspace, "free_trial")
	if n := unpaused(); n != 2 {
		t.Errorf("on a smaller plan with keywords, %d are unpaused, want 2", n)
	}
	for _, want := range []string{": 2 were paused", "it was on agents.\n"} {
		out, err := o.run("workspace", "plan", acme.Workspace, "agents")
		if n := unpaused(); err != nil || n != 0 || !strings.Contains(out, want) {
			t.Errorf("%q, %v, %d keywords are unpaused, want %q and none", out, err, n, want)
		}
	}
	const want = "Its 3 keywords stay paused until its people resume them."
	if out, err := o.run("workspace", "plan", acme.Workspace, "pro"); err != nil || !strings.Contains(out, want) {
		t.Errorf("on a plan with keywords again = %q, %v, want %q", out, err, want)
	}
}

func TestRefusals(t *testing.T) {
	for name, value := range map[string]string{
		"AWS_REGION": "", "AWS_DEFAULT_REGION": "", "AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
	} {
		t.Setenv(name, value)
	}
	o := op{t, t.TempDir()}
	nobody := workspace.NewID(workspace.PrefixWorkspace, time.Now())
	for want, args := range map[string][]string{
		"expected one of":                 {},
		"missing flags: --name":           {"workspace", "create"},
		"1 to 100 characters":             {"workspace", "create", "--name", " "},
		"expected no control characters":  {"workspace", "create", "--name", "a\x1b[2J"},
		"must be one of":                  {"workspace", "create", "--name", "a", "--plan", "gold"},
		"not a mail address":              {"workspace", "create", "--name", "a", "--owner", "nobody"},
		"there is no agency agc_x":        {"workspace", "create", "--name", "a", "--agency", "agc_x"},
		"room for 1 to 10000":             {"agency", "create", "--name", "a", "--limit", "0"},
		"there is no workspace " + nobody: {"workspace", "plan", nobody, "pro"},
		"there is no workspace org_x":     {"workspace", "flag", "org_x", "setup_onboarding", "on"},
		"no such workspace or agency":     {"key", "create", "--owner", nobody},
		"workspace list and agency list":  {"key", "list", "agc_x"},
		"there is no agency agc_y":        {"agency", "billing", "agc_y", "--cents-per-1000-mentions", "1"},
		"there is no agency agc_z":        {"agency", "deactivate", "agc_z"},
		"0 to 100000000 cents":            {"agency", "billing", "agc_x", "--cents-per-1000-mentions=-1"},
		"missing flags: --cents":          {"agency", "billing", "agc_x"},
		"there is no workspace org_y":     {"workspace", "delete", "org_y", "--yes"},
		"name the key by its id":          {"key", "revoke", "es_key_x"},
		"there is no key":                 {"key", "revoke", workspace.NewID(workspace.PrefixKey, time.Now())},
		"is no stage":                     {"--stage", "Dev/..", "workspace", "list"},
	} {
		o.fails(want, args...)
	}
	var all []listed
	if o.ok(&all, "workspace", "list"); len(all) != 0 {
		t.Errorf("something was made: %+v", all)
	}
	for status, args := range map[int][]string{
		exit.Misuse:  {"workspace", "create", "--name", " "},
		exit.Refused: {"key", "list", nobody},
		exit.Nowhere: {"--stage", "dev", "workspace", "list"},
	} {
		if _, err := o.run(args...); exit.StatusOf(err) != status {
			t.Errorf("%v: %v, want status %d", args, err, status)
		}
	}
}

// What others chose moves no cursor of the operator's terminal.
func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"a\x1b[31m\r\n\u009b\u2028ü": "a\uFFFD[31m\uFFFD\uFFFD\uFFFD\uFFFDü",
		"\u202egnp.exe\u2066\u200f":  "\uFFFDgnp.exe\uFFFD\uFFFD", // what turns the direction of writing
		"\ufeffa\xff\U000E0041":      "\uFFFDa\uFFFD\uFFFD",       // what shows nothing, and what is no text
		"👩\u200d🚒 Łódź 東京":           "👩\u200d🚒 Łódź 東京",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

var discard = slog.New(slog.DiscardHandler)
