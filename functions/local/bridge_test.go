package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"earshot/infra/exit"
)

// The SDK's client starts the bridge as an editor does, at each revision of the protocol.
func TestBridge_GoClient(t *testing.T) {
	b := begin(t)
	for _, revision := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			command := exec.Command(os.Args[0], "mcp")
			command.Env = []string{childVariable + "=1", "EARSHOT_BASE_URL=" + b.url, "EARSHOT_API_KEY=" + b.demo.Keys.Write}
			client := sdk.NewClient(&sdk.Implementation{Name: "an editor", Version: "1"}, nil)
			session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: command},
				&sdk.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatal(err)
			}
			if got := session.InitializeResult(); got == nil || got.ServerInfo.Name != "earshot" ||
				got.ProtocolVersion != revision {
				t.Errorf("the server is %+v", got)
			}
			tools, err := session.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != 25 {
				t.Fatalf("ListTools = %d tools, %v, want 25", len(tools.Tools), err)
			}
			called, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "list_keywords", Arguments: map[string]any{}})
			if err != nil || called.IsError || called.StructuredContent == nil {
				t.Errorf("CallTool = %+v, %v", called, err)
			}
			wrong, err := session.CallTool(t.Context(), &sdk.CallToolParams{
				Name: "get_mention", Arguments: map[string]any{"id": "reddit_post_none"},
			})
			if err != nil || !wrong.IsError {
				t.Errorf("CallTool of no mention = %+v, %v, want an error of the tool", wrong, err)
			}
			if err := session.Close(); err != nil || command.ProcessState.ExitCode() != exit.Done {
				t.Errorf("Close = %v, %v", err, command.ProcessState)
			}
		})
	}
}

// A talk is a bridge and the lines that it writes.
type talk struct {
	*process
	lines *bufio.Reader
}

func begun(t *testing.T, env []string) *talk {
	t.Helper()
	p := &process{Cmd: exec.CommandContext(t.Context(), os.Args[0], "mcp")}
	p.Env, p.Stderr = append([]string{childVariable + "=1"}, env...), &p.stderr
	stdout, err := p.StdoutPipe()
	if err == nil {
		p.stdin, err = p.StdinPipe()
	}
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return &talk{p, bufio.NewReader(stdout)}
}

// ask sends a request in the newest revision, and returns its response.
func (k *talk) ask(t *testing.T, id int, method, params string) (result, message string) {
	t.Helper()
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"an editor","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	fmt.Fprintf(k.stdin, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":%q,\"params\":{%s%s}}\n", id, method, params, meta)
	line, err := k.lines.ReadString('\n')
	var got struct {
		ID     int
		Result json.RawMessage
		Error  struct{ Message string }
	}
	if err != nil || json.Unmarshal([]byte(line), &got) != nil || got.ID != id {
		t.Fatalf("%s: %q, %v, %s", method, line, err, &k.stderr)
	}
	return string(got.Result), got.Error.Message
}

// A person logs in while the bridge runs. It refreshes the token, and says what to do when the login has ended. The
// login of the other commands is not good for it.
func TestBridge_Login(t *testing.T) {
	b := begin(t)
	folder := t.TempDir()
	env := []string{"EARSHOT_BASE_URL=" + b.url, "EARSHOT_CONFIG=" + folder}
	b.signIn(t, env, "write")
	k := begun(t, env)
	if _, message := k.ask(t, 1, "tools/list", ""); !strings.Contains(message,
		"no login for "+b.url+". Run earshot login --mcp --base-url "+b.url) {
		t.Errorf("before: %s", message)
	}
	b.signIn(t, env, "read", "--mcp")
	name := logins(t, folder)["/api/mcp/v2"]
	first := readLogin(t, name)["accessToken"]
	call := `"name":"list_keywords","arguments":{},`
	if result, message := k.ask(t, 2, "tools/call", call); result == "" || strings.Contains(result, `"isError":true`) {
		t.Errorf("after: %s %s", result, message)
	}
	if _, message := k.ask(t, 3, "tools/call",
		`"name":"add_keyword","arguments":{"keyword":"lanternpage"},`); !strings.Contains(message, "scope") {
		t.Errorf("a call beyond the scope: %s", message)
	}
	expire(t, name)
	if result, message := k.ask(t, 4, "tools/call", call); result == "" || readLogin(t, name)["accessToken"] == first {
		t.Errorf("after an hour: %s", message)
	}
	second := readLogin(t, name)["accessToken"]
	b.ask(t, "POST", "/_local/clock", fmt.Sprintf(`{"now":%q}`, time.Now().Add(2*time.Hour).UTC().Format(time.RFC3339))).
		ok(t, nil)
	if result, message := k.ask(t, 5, "tools/call", call); result == "" || readLogin(t, name)["accessToken"] == second {
		t.Errorf("after the server's hour: %s", message)
	}
	b.keyed(t, "GET", "/api/v2/keywords", readLogin(t, name)["accessToken"].(string), "").is(t, 401, "UNAUTHORIZED")
	revoked := readLogin(t, name)["refreshToken"].(string)
	b.ask(t, "POST", "/oauth/revoke", "token="+revoked, "Content-Type", "application/x-www-form-urlencoded").ok(t, nil)
	if _, message := k.ask(t, 6, "tools/list", ""); !strings.Contains(message, "has ended. Run earshot login --mcp") {
		t.Errorf("after its end: %s", message)
	}
	k.stdin.Close()
	if status := k.status(t); status != exit.Done || strings.Contains(k.stderr.String(), "ert_") {
		t.Errorf("status %d, %s", status, &k.stderr)
	}
}

// The bridge survives a server that is down, and finds the workbench by its folder. A wrong key names the remedy.
func TestBridge_ServerDown(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	folder := t.TempDir() + "/data"
	own, named := begun(t, []string{"DATA=" + folder}),
		begun(t, []string{"EARSHOT_BASE_URL=http://" + address, "EARSHOT_API_KEY=es_key_x"})
	if _, message := own.ask(t, 1, "tools/list", ""); !strings.Contains(message, "no workbench with a demo has run on "+folder) {
		t.Errorf("without a workbench: %s", message)
	}
	if _, message := named.ask(t, 1, "tools/list", ""); !strings.HasPrefix(message, "No Earshot answers at http://"+address) {
		t.Errorf("without a server: %s", message)
	}
	begin(t, "DATA="+folder, "ADDR="+address)
	if result, message := own.ask(t, 2, "tools/list", ""); !strings.Contains(result, "list_mentions") {
		t.Errorf("with a workbench: %s", message)
	}
	if _, message := named.ask(t, 2, "tools/list", ""); !strings.Contains(message, "(UNAUTHORIZED). Check EARSHOT_API_KEY") {
		t.Errorf("with a wrong key: %s", message)
	}
	own.stdin.Close()
	if status := own.status(t); status != exit.Done {
		t.Errorf("at the end of the input: status %d, %s", status, &own.stderr)
	}
	if err := named.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if status := named.status(t); status != exit.Interrupted {
		t.Errorf("interrupted: status %d, %s", status, &named.stderr)
	}
}

// The file that the guide shows for an editor starts the bridge. The other files of the guide name the MCP server.
func TestBridge_Guide(t *testing.T) {
	b := begin(t)
	guide, err := os.ReadFile("../../infra/MCP.md")
	if err != nil {
		t.Fatal(err)
	}
	type entry struct {
		URL, Type, Command string
		Args               []string
		Env                map[string]string
	}
	started, named := 0, 0
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(guide), -1) {
		var file struct{ MCPServers, Servers map[string]entry }
		if err := json.Unmarshal([]byte(strings.ReplaceAll(block[1], "https://api.example.com", b.url)), &file); err != nil {
			t.Fatalf("%s: %v", block[1], err)
		}
		for _, one := range []entry{file.MCPServers["earshot"], file.Servers["earshot"]} {
			if one.URL == b.url+"/api/mcp/v2" {
				named++
			}
			if one.Command != "earshot" {
				continue
			}
			started++
			command := exec.Command(os.Args[0], one.Args...)
			command.Env = []string{childVariable + "=1", "EARSHOT_API_KEY=" + b.demo.Keys.Read}
			for name, value := range one.Env {
				command.Env = append(command.Env, name+"="+value)
			}
			session, err := sdk.NewClient(&sdk.Implementation{Name: "an editor", Version: "1"}, nil).
				Connect(t.Context(), &sdk.CommandTransport{Command: command}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := session.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if started != 1 || named != 2 {
		t.Errorf("the guide has %d files that start the bridge and %d that name the server, want 1 and 2", started, named)
	}
}
