package events

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/netip"
	"path"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// each calls check with every committed sample.
func each(t *testing.T, check func(t *testing.T, content []byte, event events.APIGatewayProxyRequest)) {
	t.Helper()
	seen := 0
	err := fs.WalkDir(samples, "testdata", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		seen++
		name := strings.TrimSuffix(strings.TrimPrefix(file, "testdata/"), ".json")
		t.Run(name, func(t *testing.T) {
			content, err := samples.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			event, err := Sample(path.Dir(name), path.Base(name))
			if err != nil {
				t.Fatal(err)
			}
			check(t, content, event)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen == 0 {
		t.Fatal("no samples")
	}
}

// A sample says nothing that the type does not know, and the type loses nothing of what a sample says.
func TestSamplesAreOfTheType(t *testing.T) {
	each(t, func(t *testing.T, content []byte, _ events.APIGatewayProxyRequest) {
		decoder := json.NewDecoder(bytes.NewReader(content))
		decoder.DisallowUnknownFields()
		var event events.APIGatewayProxyRequest
		if err := decoder.Decode(&event); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := tree(t, again), tree(t, content); !reflect.DeepEqual(got, want) {
			t.Errorf("round trip:\ngot  %v\nwant %v", got, want)
		}
	})
}

// tree is a document without its nulls, empty strings and falses: the type cannot tell those from absence.
func tree(t *testing.T, content []byte) any {
	t.Helper()
	var document any
	if err := json.Unmarshal(content, &document); err != nil {
		t.Fatal(err)
	}
	return prune(document)
}

func prune(node any) any {
	members, isObject := node.(map[string]any)
	if !isObject {
		return node
	}
	for name, member := range members {
		if member == nil || member == "" || member == false {
			delete(members, name)
			continue
		}
		members[name] = prune(member)
	}
	return members
}

// What API Gateway says twice agrees with itself.
func TestSamplesAreConsistent(t *testing.T) {
	ids := map[string]bool{}
	each(t, func(t *testing.T, _ []byte, event events.APIGatewayProxyRequest) {
		request := event.RequestContext
		if ids[request.RequestID] {
			t.Errorf("request id %s is also another sample's", request.RequestID)
		}
		ids[request.RequestID] = true

		for what, pair := range map[string][2]any{
			"resource":   {request.ResourcePath, event.Resource},
			"path":       {request.Path, "/" + request.Stage + event.Path},
			"method":     {request.HTTPMethod, event.HTTPMethod},
			"user agent": {request.Identity.UserAgent, event.Headers["User-Agent"]},
			"host":       {request.DomainName, event.Headers["Host"]},
			"prefix":     {strings.Split(request.DomainName, ".")[0], request.DomainPrefix},
			"api":        {request.APIID, request.DomainPrefix},
			"forwarded":  {request.Identity.SourceIP, event.Headers["X-Forwarded-For"]},
			"stage":      {request.Stage, "dev"},
			"headers":    {last(event.MultiValueHeaders), event.Headers},
			"query":      {last(event.MultiValueQueryStringParameters), event.QueryStringParameters},
			"filled in":  {fill(event.Resource, event.PathParameters), event.Path},
		} {
			if !reflect.DeepEqual(pair[0], pair[1]) {
				t.Errorf("%s: %v and %v", what, pair[0], pair[1])
			}
		}

		said, err := time.Parse("02/Jan/2006:15:04:05 -0700", request.RequestTime)
		if err != nil {
			t.Fatal(err)
		}
		if said.Unix() != time.UnixMilli(request.RequestTimeEpoch).Unix() {
			t.Errorf("requestTime %s is not requestTimeEpoch %d", request.RequestTime, request.RequestTimeEpoch)
		}
		if event.Body != "" && !json.Valid([]byte(event.Body)) {
			t.Errorf("the body is not JSON: %s", event.Body)
		}
	})
}

// last is each name's last value, as the single-value maps have it.
func last(multi map[string][]string) map[string]string {
	if multi == nil {
		return nil
	}
	single := map[string]string{}
	for name, values := range multi {
		single[name] = values[len(values)-1]
	}
	return single
}

// fill is a route's path with its parameters in place.
func fill(resource string, parameters map[string]string) string {
	for name, value := range parameters {
		resource = strings.ReplaceAll(resource, "{"+name+"}", value)
	}
	return resource
}

// A sample holds no key and nobody's address.
func TestSamplesAreSafeToPublish(t *testing.T) {
	var documentation []netip.Prefix // RFC 5737
	for _, block := range []string{"192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"} {
		documentation = append(documentation, netip.MustParsePrefix(block))
	}
	each(t, func(t *testing.T, content []byte, event events.APIGatewayProxyRequest) {
		address, err := netip.ParseAddr(event.RequestContext.Identity.SourceIP)
		if err != nil {
			t.Fatal(err)
		}
		inside := false
		for _, block := range documentation {
			inside = inside || block.Contains(address)
		}
		if !inside {
			t.Errorf("%s is not a documentation address", address)
		}
		for name, value := range event.Headers {
			if strings.EqualFold(name, "authorization") && value != "Bearer "+KeyPlaceholder {
				t.Errorf("authorization is %q", value)
			}
		}
		if bytes.Contains(content, []byte("es_key_")) {
			t.Error("the file holds a key")
		}
	})
}

func TestSample(t *testing.T) {
	event, err := Sample("mentions", "get")
	if err != nil {
		t.Fatal(err)
	}
	if event.HTTPMethod != "GET" || event.Resource != "/api/v2/mentions/{sourceId}" {
		t.Errorf("mentions/get is %s %s", event.HTTPMethod, event.Resource)
	}
	for _, test := range []struct{ function, name, want string }{
		{"mentions", "nothing", `mentions has no sample "nothing"; it has: by-id, get, list`},
		{"mentions", "", `mentions has no sample ""; it has: by-id, get, list`},
		{"nobody", "get", `there are no samples for "nobody"; there are for: discovery, mentions`},
		{"../testdata/mentions", "../../x", `there are no samples for "../testdata/mentions"; there are for: discovery, mentions`},
	} {
		_, err := Sample(test.function, test.name)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s/%s: %v, want %s", test.function, test.name, err, test.want)
		}
	}
}

func TestNames(t *testing.T) {
	if got, want := Names("discovery"), []string{"docs", "llms", "openapi", "protected-resource"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Names("nobody"); got != nil {
		t.Errorf("got %v, want none", got)
	}
}

func TestWithKey(t *testing.T) {
	event, err := Sample("mentions", "get")
	if err != nil {
		t.Fatal(err)
	}
	keyed := WithKey(event, "es_example")
	if got := keyed.Headers["authorization"]; got != "Bearer es_example" {
		t.Errorf("headers: %q", got)
	}
	if got := keyed.MultiValueHeaders["authorization"]; !reflect.DeepEqual(got, []string{"Bearer es_example"}) {
		t.Errorf("multiValueHeaders: %q", got)
	}
	if got := event.Headers["authorization"]; got != "Bearer "+KeyPlaceholder {
		t.Errorf("the sample itself became %q", got)
	}
	keyed.Headers["authorization"] = event.Headers["authorization"]
	keyed.MultiValueHeaders["authorization"] = event.MultiValueHeaders["authorization"]
	if !reflect.DeepEqual(keyed, event) {
		t.Error("more than the key differs")
	}
}
