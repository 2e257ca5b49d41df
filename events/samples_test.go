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
func each(t *testing.T, check func(t *testing.T, event Event)) {
	t.Helper()
	seen := 0
	err := fs.WalkDir(samples, "testdata", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		seen++
		name := strings.TrimSuffix(strings.TrimPrefix(file, "testdata/"), ".json")
		t.Run(name, func(t *testing.T) {
			event, err := Open(path.Dir(name), path.Base(name))
			if err != nil {
				t.Fatal(err)
			}
			check(t, event)
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

// requests calls check with every sample that API Gateway would send.
func requests(t *testing.T, check func(t *testing.T, content []byte, request events.APIGatewayProxyRequest)) {
	t.Helper()
	each(t, func(t *testing.T, event Event) {
		if event.Trigger != API {
			return
		}
		request, err := event.Request()
		if err != nil {
			t.Fatal(err)
		}
		check(t, event.Payload, request)
	})
}

// A sample says nothing that the type does not know, and the type loses nothing of what a sample says.
func TestSamplesAreOfTheirTypes(t *testing.T) {
	types := map[Trigger]func() any{
		API: func() any { return new(events.APIGatewayProxyRequest) }, Queue: func() any { return new(events.SQSEvent) },
		Schedule: func() any {
			return new(struct {
				Time time.Time `json:"time"`
			})
		},
		Account: func() any { return new(events.CognitoEventUserPoolsPostConfirmation) },
	}
	seen := map[Trigger]bool{}
	each(t, func(t *testing.T, sample Event) {
		seen[sample.Trigger] = true
		event := types[sample.Trigger]()
		if sample.Trigger == Schedule && bytes.Contains(sample.Payload, []byte(`"detail-type"`)) {
			event = new(events.CloudWatchEvent)
		}
		strictly(t, sample.Payload, event)
		again, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := tree(t, again), tree(t, sample.Payload); !reflect.DeepEqual(got, want) {
			t.Errorf("round trip:\ngot  %v\nwant %v", got, want)
		}
	})
	if len(seen) != len(types) {
		t.Errorf("there are samples of %v", seen)
	}
}

// strictly reads JSON that has no member that the type lacks.
func strictly(t *testing.T, content []byte, into any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatal(err)
	}
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
	if elements, isList := node.([]any); isList {
		for i, element := range elements {
			elements[i] = prune(element)
		}
	}
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
	requests(t, func(t *testing.T, _ []byte, event events.APIGatewayProxyRequest) {
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
	requests(t, func(t *testing.T, content []byte, event events.APIGatewayProxyRequest) {
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
	})
	each(t, func(t *testing.T, event Event) {
		for _, secret := range []string{"es_key_", "AKIA", "ASIA", "aws4_request"} {
			if bytes.Contains(event.Payload, []byte(secret)) {
				t.Errorf("the file holds a key: %s…", secret)
			}
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
		{"mentions", "nothing", `mentions has no sample "nothing"; it has: by-author, by-id, export, filtered, get, list, tags`},
		{"mentions", "", `mentions has no sample ""; it has: by-author, by-id, export, filtered, get, list, tags`},
		{"nobody", "get", `there are no samples for "nobody"; there are for: accountcreated, agency, ai, alerts, analytics, analyticsfiles, archive, authorize, backfills, bounces, collect, deliver, deliveries, discovery`},
		{"../testdata/mentions", "../../x",
			`there are no samples for "../testdata/mentions"; there are for: accountcreated, agency, ai, alerts, analytics, analyticsfiles, archive, authorize, backfills, bounces, collect`},
	} {
		_, err := Sample(test.function, test.name)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s/%s: %v, want %s", test.function, test.name, err, test.want)
		}
	}
}

// An event can be read as what it is and as nothing else.
func TestReaders(t *testing.T) {
	for _, c := range []struct {
		function, name string
		trigger        Trigger
	}{{"mentions", "get", API}, {"ingest", "posts", Queue}, {"collect", "tick", Schedule},
		{"accountcreated", "confirmed", Account}} {
		event, err := Open(c.function, c.name)
		if err != nil || event.Trigger != c.trigger {
			t.Fatalf("%s/%s: %v %v", c.function, c.name, event.Trigger, err)
		}
		_, noRequest := event.Request()
		_, noMessages := event.Messages()
		_, noSignUp := event.SignUp()
		if (noRequest == nil) != (c.trigger == API) || (noMessages == nil) != (c.trigger == Queue) ||
			(noSignUp == nil) != (c.trigger == Account) {
			t.Errorf("%s/%s: %v, %v, %v", c.function, c.name, noRequest, noMessages, noSignUp)
		}
	}
	if _, err := Sample("ingest", "posts"); err == nil || !strings.Contains(err.Error(), "ingest/posts is of a function") {
		t.Errorf("%v", err)
	}
	for _, content := range []string{`{}`, `[]`, `x`} {
		if trigger, err := triggerOf([]byte(content)); err == nil {
			t.Errorf("%s is of %s", content, trigger)
		}
	}
}

func TestNames(t *testing.T) {
	if got, want := Names("discovery"),
		[]string{"docs", "llms", "openapi", "protected-resource"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Names("nobody"); got != nil {
		t.Errorf("got %v, want none", got)
	}
	for _, function := range Functions() {
		if len(Names(function)) == 0 {
			t.Errorf("%s has a folder and no samples", function)
		}
	}
}
